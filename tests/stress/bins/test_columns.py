import numpy as np
import pytest

from stress.sketching import COLUMNS, lay_out_column, row_chunks, sum_column
from tauscope.errors import InputError
from tauscope.stress.bins.binned import empty_sums, same_layout
from tauscope.stress.bins.binned_rows import sum_rows
from tauscope.stress.bins.columns import column_of_counts, column_of_sums, indicator_column, share_column
from tauscope.stress.bins.units import change_units, in_units, units_of
from tauscope.stress.bins.value_counts import count_values
from tauscope.stress.curves import compute_curves, stress_curves
from tauscope.stress.histogram import stressed_histogram
from tauscope.stress.metric_forms import Unit
from tauscope.stress.metrics import choose, define_quantities, measure_units
from tauscope.stress.outcomes import Outcomes

N = 12_000
TAUS = np.linspace(-1, 1, 9)
NUMBERS = (
    "target", "multiplier", "value", "error", "lower", "upper", "ess", "pareto_k", "kl", "tv", "reached", "mean",
    "reason", "amount",
)  # fmt: skip


def binary(n=N, seed=0):
    rng = np.random.default_rng(seed)
    score = 1 / (1 + np.exp(-np.sort(rng.normal(size=n))))
    return Outcomes("binary", (score > 0.5).astype(int), (rng.random(n) < score).astype(int), score, ("0", "1"))


def regression(n=N, seed=0):
    rng = np.random.default_rng(seed)
    predicted = np.sort(rng.normal(1e4, 2, n))
    return Outcomes("regression", predicted, predicted + rng.normal(size=n))


def assert_same(result, expected, tolerance=1e-9):
    for name in NUMBERS:
        a, b = getattr(result, name), getattr(expected, name)
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("outcomes", [binary(), regression()], ids=["binary", "regression"])
@pytest.mark.parametrize("kind", list(COLUMNS))
def test_binned_sums_answer_as_the_rows_do(kind, outcomes):
    x = COLUMNS[kind](np.random.default_rng(3), N)
    expected = stress_curves([x], outcomes, taus=TAUS)
    layout = lay_out_column(x)
    sums, units = sum_column(x, outcomes, layout)
    quantities, _ = define_quantities(outcomes, units)
    new = units_of(sums.moments[0].sum(0) + sums.rest, quantities, units)
    in_own_units = change_units(sums, quantities, units, new)
    metrics = choose(define_quantities(outcomes, new)[1], None)
    result = compute_curves([column_of_sums(in_own_units, quantities, 0.05)], metrics, TAUS, None, 0.95)
    assert_same(result, expected)
    bars = stressed_histogram(x, layout.edges, expected.multiplier[0])
    np.testing.assert_allclose(in_own_units.bars.shares(result.multiplier[0]), bars, atol=1e-9)


@pytest.mark.parametrize("outcomes", [binary(), regression()], ids=["binary", "regression"])
def test_tallies_answer_as_the_rows_do(outcomes):
    rng = np.random.default_rng(4)
    x = np.where(rng.random(N) < 0.05, np.nan, rng.poisson(3, N).astype(float))
    units = measure_units(outcomes)
    _, available = define_quantities(outcomes, units)
    first, *others = [count_values(x[p], define_quantities(outcomes.take(p), units)[0]) for p in row_chunks(N)]
    sums = sum(others, start=first)
    columns = [
        (x, sums),
        ((x == 2).astype(float), share_column(sums, 2.0)),
        (np.isnan(x).astype(float), share_column(sums, float("nan"))),
        (np.isnan(x).astype(float), indicator_column(sums.rest, sums.sums.sum(0))),
    ]
    expected = stress_curves([values for values, _ in columns], outcomes, taus=TAUS)
    summaries = [column_of_counts(part, 0.05) for _, part in columns]
    assert_same(compute_curves(summaries, choose(available, None), TAUS, None, 0.95), expected)


def test_sums_change_units():
    outcomes = regression()
    old = {"prediction": Unit(9990.0, 3.0), "error size": Unit(0.0, 0.7)}
    new = measure_units(outcomes)
    totals = []
    for units in (old, new):
        quantities, _ = define_quantities(outcomes, units)
        totals.append(count_values(np.zeros(N), quantities).sums[0])
    np.testing.assert_allclose(in_units(totals[0], quantities, old, new), totals[1], rtol=1e-9, atol=1e-7)
    result = units_of(totals[0], quantities, old)
    assert list(result) == list(new) == list(old)
    for name, unit in new.items():
        np.testing.assert_allclose([result[name].centre, result[name].scale], [unit.centre, unit.scale], rtol=1e-12)


def test_no_rows_add_nothing():
    outcomes, x = binary(), np.random.default_rng(0).normal(size=N)
    layout = lay_out_column(x)
    sums, _ = sum_column(x, outcomes, layout)
    both = empty_sums(layout, sums.rest.size) + sums
    np.testing.assert_array_equal(both.moments, sums.moments)
    assert (both.minimum.value, both.maximum.value, both.n) == (x.min(), x.max(), N)


def test_a_value_outside_the_range_is_refused():
    outcomes, x = binary(), np.random.default_rng(0).normal(size=N)
    layout = lay_out_column(x)
    with pytest.raises(InputError, match=r"range that the sketch was laid out for.*1 do not"):
        sum_rows(np.append(x[:-1], 99.0), define_quantities(outcomes)[0], layout)


def test_layouts_of_other_rows_differ():
    x = np.random.default_rng(0).normal(size=N)
    assert same_layout(lay_out_column(x), lay_out_column(x.copy()))
    assert not same_layout(lay_out_column(x), lay_out_column(x[:-1]))
