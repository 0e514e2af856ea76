import pickle
from dataclasses import replace

import numpy as np
import pytest

from stress.oracle import metrics as by_definition
from stress.toys import SCORE_ERROR, TOYS, toys, toys_added
from tauscope.errors import InputError
from tauscope.stress.curves import stress_curves
from tauscope.stress.metric_definitions import METRICS, definition_of, definitions
from tauscope.stress.metric_forms import CLASSES, TWO_CLASSES, PowerDefinition, RatioDefinition
from tauscope.stress.metrics import available, define_quantities
from tauscope.stress.outcomes import Outcomes

RNG = np.random.default_rng(0)
N = 400
X = RNG.normal(size=N)
CODES = RNG.integers(0, 2, (2, N))
BINARY = Outcomes("binary", CODES[0], CODES[1], 3 * RNG.normal(size=N), ("no", "yes"))
MULTI = Outcomes("multiclass", RNG.integers(0, 4, N), RNG.integers(0, 4, N), None, ("a", "b", "c", "d"))
VALUES = Outcomes("regression", 50 + RNG.normal(size=N), 50 + RNG.normal(size=N))
EVERY = [BINARY, MULTI, VALUES, replace(BINARY, truth=None), replace(VALUES, truth=None)]


@pytest.fixture
def with_toys():
    with toys_added():
        yield


def sums(outcomes, w):
    quantities, _ = define_quantities(outcomes)
    cells = [w @ (quantities.cell == c) for c in range(quantities.n_cells)]
    return np.array([w.sum(), *cells, *(w @ g for g in quantities.reals(slice(None)))])


@pytest.mark.parametrize("outcomes", EVERY)
@pytest.mark.usefixtures("with_toys")
def test_toys_are_what_they_are_called_beside_the_others(outcomes):
    w = np.random.default_rng(1).exponential(size=N)
    w /= w.sum()
    expected = by_definition(outcomes, w) | toys(outcomes, w)
    totals = sums(outcomes, w)
    values = {metric.name: metric.evaluate(totals[list(metric.columns)])[0] for metric in available(outcomes)}
    assert set(values) == set(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(values[name], value, rtol=1e-10, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("outcomes", EVERY)
@pytest.mark.usefixtures("with_toys")
@pytest.mark.slow
def test_influence_and_its_square(outcomes):
    w, step = np.full(N, 1 / N), 1e-6
    base, nudged = sums(outcomes, w), sums(outcomes, w * (1 - step) + step * (np.arange(N) == 17))
    rows = np.stack([sums(outcomes, np.eye(N)[i]) for i in range(40)])
    for metric in available(outcomes):
        columns = list(metric.columns)
        value, gradient = metric.evaluate(base[columns])
        change = (metric.evaluate(nudged[columns])[0] - value) / step
        np.testing.assert_allclose(metric.unit * (gradient @ rows[17, columns]), change, rtol=1e-3, atol=1e-4)
        squared = rows[:, list(metric.squares)] @ metric.square(gradient)
        np.testing.assert_allclose(squared, (rows[:, columns] @ gradient) ** 2, atol=1e-9)


@pytest.mark.usefixtures("with_toys")
def test_each_form_is_among_the_toys_and_lets_the_others_be():
    assert {metric.form for metric in available(BINARY)} == {"ratio", "mean", "variance", "root_mean"}
    assert {metric.form for metric in available(VALUES)} == {"mean", "variance", "root_mean"}
    assert any(set(metric.top) - {0, 1} for metric in available(BINARY))
    with_toys = stress_curves([X], BINARY, taus=np.array([-0.5, 0, 0.5]))
    names = [metric.name for metric in with_toys.metrics if metric.name not in {toy.name for toy in TOYS}]
    same = with_toys.only(names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tauscope.stress.metric_definitions.METRICS", METRICS)
        alone = stress_curves([X], BINARY, taus=np.array([-0.5, 0, 0.5]))
    assert same.metrics == alone.metrics
    for name in ("value", "error", "lower", "upper"):
        np.testing.assert_allclose(getattr(same, name), getattr(alone, name), rtol=1e-12)


@pytest.mark.parametrize("outcomes", EVERY)
@pytest.mark.usefixtures("with_toys")
def test_a_metric_is_data(outcomes):
    for metric in available(outcomes):
        again = pickle.loads(pickle.dumps(metric))
        assert again == metric
        assert not any(callable(value) for value in vars(metric).values())
        totals = sums(outcomes, np.full(N, 1 / N))[list(metric.columns)]
        np.testing.assert_array_equal(again.evaluate(totals)[0], metric.evaluate(totals)[0])


def test_names_are_used_once():
    every = (*METRICS, *TOYS)
    names = [one.name for one in every]
    assert len(set(names)) == len(names)
    named = {one.quantity.name: one.quantity for one in every if isinstance(one, PowerDefinition)}
    assert all(one.quantity == named[one.quantity.name] for one in every if isinstance(one, PowerDefinition))


def test_what_is_needed_can_be_told_of_rows_that_have_it_not():
    assert definition_of("rmse").needs == ("y",)
    assert definition_of("portion_yes") is None
    assert "rmse" not in {one.name for one in definitions(BINARY)}


def ratio(top, bottom=None, tasks=CLASSES, needs=("y",), **options):
    return RatioDefinition("odd", "odd", tasks, needs, top=top, bottom=bottom, **options)


@pytest.mark.parametrize(
    ("definition", "outcomes", "words"),
    [
        (ratio(lambda cells: np.ones(3)), MULTI, "a number for each of 8 cells; got shapes (3,)"),
        (ratio(lambda cells: cells.wrong * np.nan), MULTI, "needs finite numbers"),
        (ratio(lambda cells: cells.wrong, lambda cells: -1.0 * cells.wrong), MULTI, "the bottom ones non-negative"),
        (ratio(lambda cells: cells.wrong, lambda cells: 0.0 * cells.wrong), MULTI, "not all 0"),
        (ratio(lambda cells: 2 * cells.wrong), MULTI, "Make it kind='value'"),
        (ratio(lambda cells: cells.truth == 1), MULTI, "give the metric tasks=('binary',)"),
        (ratio(lambda cells: cells.wrong, needs=()), replace(MULTI, truth=None), "give the metric needs=('y',)"),
    ],
)
def test_a_ratio_that_is_none_is_refused(monkeypatch, definition, outcomes, words):
    monkeypatch.setattr("tauscope.stress.metric_definitions.METRICS", (definition,))
    with pytest.raises(InputError) as error:
        available(outcomes)
    assert words in str(error.value)


def test_the_root_of_a_mean_is_of_squares():
    with pytest.raises(InputError, match="give a quantity with squared=True"):
        PowerDefinition("odd", "odd", TWO_CLASSES, form="root_mean", quantity=SCORE_ERROR)


@pytest.mark.parametrize("factor", [1e-140, 1e100, 1e148])
def test_numbers_of_any_size_whose_squares_are_floats(factor):
    scaled = replace(VALUES, predicted=VALUES.predicted * factor, truth=VALUES.truth * factor)
    names = ["mean", "variance", "rmse", "bias", "mean_absolute_error"]
    taus = np.array([-0.5, 0.0, 0.5])
    got, want = (stress_curves([X], one, taus=taus, metrics=names) for one in (scaled, VALUES))
    power = factor ** np.array([1, 2, 1, 1, 1])[:, None]
    np.testing.assert_allclose(got.value[0] / power, want.value[0], rtol=1e-9)
    np.testing.assert_allclose(got.upper[0] / power, want.upper[0], rtol=1e-9)


@pytest.mark.parametrize("factor", [1e160, 1e300])
def test_numbers_whose_squares_are_no_floats_are_refused(factor):
    with pytest.raises(InputError, match=r"must stay within ±1e\+150; the prediction reaches .* larger unit"):
        stress_curves([X], replace(VALUES, predicted=VALUES.predicted * factor), taus=np.array([0.0]))
    with pytest.raises(InputError, match=r"the score reaches"):
        stress_curves([X], replace(BINARY, score=BINARY.score * factor), taus=np.array([0.0]))
