import numpy as np
import pytest

from stress.oracle import metrics as by_definition
from tauscope.errors import UnknownName
from tauscope.stress.metrics import available, choose, define_quantities
from tauscope.stress.outcomes import Outcomes

RNG = np.random.default_rng(0)
N = 300
BINARY = Outcomes("binary", RNG.integers(0, 2, N), RNG.integers(0, 2, N), RNG.normal(size=N), ("no", "yes"))
MULTI = Outcomes("multiclass", RNG.integers(0, 4, N), RNG.integers(0, 4, N), None, ("a", "b", "c", "d"))
VALUES = Outcomes("regression", 50 + RNG.normal(size=N), 50 + RNG.normal(size=N))


def sums(outcomes, w):
    quantities, _ = define_quantities(outcomes)
    cells = [w @ (quantities.cell == c) for c in range(quantities.n_cells)]
    return np.array([w.sum(), *cells, *(w @ g for g in quantities.reals(slice(None)))])


@pytest.mark.parametrize("outcomes", [BINARY, MULTI, VALUES])
def test_metrics_are_what_they_are_called(outcomes):
    w = np.random.default_rng(1).exponential(size=N)
    w /= w.sum()
    expected = by_definition(outcomes, w)
    values = {i.name: i.evaluate(sums(outcomes, w)[list(i.columns)])[0] for i in available(outcomes)}
    assert set(values) == set(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(values[name], value, rtol=1e-10, err_msg=name)


@pytest.mark.parametrize("outcomes", [BINARY, MULTI, VALUES])
def test_gradients_are_the_influence_of_one_row(outcomes):
    w = np.full(N, 1 / N)
    base = sums(outcomes, w)
    every = available(outcomes)
    step = 1e-6
    for row in (0, 17):
        nudged = w * (1 - step) + step * (np.arange(N) == row)
        for metric in every:
            columns = list(metric.columns)
            value, gradient = metric.evaluate(base[columns])
            change = (metric.evaluate(sums(outcomes, nudged)[columns])[0] - value) / step
            at_row = sums(outcomes, (np.arange(N) == row).astype(float))[columns]
            np.testing.assert_allclose(metric.unit * (gradient @ at_row), change, rtol=1e-3, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("outcomes", [BINARY, MULTI, VALUES])
def test_squares_are_the_squared_influence(outcomes):
    w = np.random.default_rng(2).exponential(size=N) / N
    for metric in available(outcomes):
        _, gradient = metric.evaluate(sums(outcomes, w)[list(metric.columns)])
        rows = np.stack([sums(outcomes, np.eye(N)[i]) for i in range(N)])
        squared = (rows[:, list(metric.columns)] @ gradient) ** 2
        np.testing.assert_allclose(rows[:, list(metric.squares)] @ metric.square(gradient), squared, atol=1e-9)


def test_display_order_and_what_another_metric_already_tells():
    names = [i.name for i in choose(available(BINARY), None)]
    assert names == [
        "portion_yes", "error_rate", "true_positive_rate", "false_positive_rate", "false_discovery_rate", "mean_score",
    ]  # fmt: skip
    assert [i.name for i in choose(available(BINARY), ["portion_no"])] == ["portion_no"]
    assert [i.name for i in choose(available(VALUES), None)] == ["mean", "variance", "rmse"]
    assert [i.name for i in choose(available(MULTI), None)] == [
        *(f"portion_{c}" for c in "abcd"),
        "error_rate",
    ]


def test_without_labels_only_predictions_are_told():
    bare = Outcomes("binary", BINARY.predicted, class_names=("no", "yes"))
    assert [i.name for i in choose(available(bare), None)] == ["portion_yes"]
    with pytest.raises(UnknownName, match="portion_yes"):
        choose(available(bare), ["rmse"])


def test_kinds():
    assert {i.kind for i in available(VALUES)} == {"value"}
    assert {i.name for i in available(BINARY) if i.kind == "value"} == {"mean_score"}
