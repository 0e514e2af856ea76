import numpy as np
import pytest
from scipy.special import logsumexp

from tauscope.errors import InputError
from tauscope.stress.column.sketch import Scale, choose_bins, sketch
from tauscope.stress.column.target import tau_range
from tauscope.stress.column.tilt import solve, stack, tilted_sums
from tauscope.stress.metrics import define_quantities
from tauscope.stress.outcomes import Outcomes


def prepared(x):
    seen = x[~np.isnan(x)]
    around = tau_range(seen, 0.05)
    scale = Scale.of(seen, around)
    return around, scale, choose_bins(seen, scale, around)


def binary(n, rng):
    f, y = rng.integers(0, 2, n), rng.integers(0, 2, n)
    return Outcomes("binary", f, y, rng.random(n), ("0", "1"))


def part(outcomes, rows):
    return Outcomes("binary", outcomes.predicted[rows], outcomes.truth[rows], outcomes.score[rows], ("0", "1"))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [1000, 70_000, 250_000])
@pytest.mark.slow
def test_tilted_sums_are_the_direct_ones(n, weighted):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    outcomes = binary(n, rng)
    v = rng.exponential(size=n) if weighted else None
    quantities, _ = define_quantities(outcomes)
    _, scale, bins = prepared(x)
    columns = stack([sketch(x, quantities, bins, scale, v)])
    targets = np.array([[-1.2, 0.0, 0.7, 1.9]])
    tilt = solve(columns, targets, np.zeros((1, 4), np.int8))
    assert tilt.error.max() < 1e-10
    sums = tilted_sums(columns, tilt, targets, (1, 3))
    base = np.ones(n) if v is None else v
    for t in range(4):
        w = base * np.exp(tilt.xi[0, t] * scale(x))
        w /= w.sum()
        np.testing.assert_allclose(w @ scale(x), targets[0, t], atol=1e-10)
        cells = 2 * outcomes.truth + outcomes.predicted
        expected = [1.0, *(w**2 @ (cells == c) for c in range(4))]
        np.testing.assert_allclose(sums[1][0, t, 0, 1:5], expected[1:], rtol=1e-7)


def test_sketches_add():
    rng = np.random.default_rng(1)
    x = np.where(rng.random(5000) < 0.1, np.nan, rng.exponential(size=5000))
    outcomes = binary(5000, rng)
    _, scale, bins = prepared(x)
    halves = [
        sketch(x[rows], define_quantities(part(outcomes, rows))[0], bins, scale)
        for rows in (slice(0, 2000), slice(2000, 5000))
    ]
    # the score's scale is each part's own, so only counts and cells are compared here
    whole = sketch(x, define_quantities(outcomes)[0], bins, scale)
    both = halves[0] + halves[1]
    np.testing.assert_allclose(both.moments[..., :5], whole.moments[..., :5], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(both.rest[..., :5], whole.rest[..., :5])


def test_sketches_of_other_bins_do_not_add():
    rng = np.random.default_rng(2)
    outcomes = binary(5000, rng)
    quantities, _ = define_quantities(outcomes)
    parts = []
    for x in (rng.normal(size=5000), rng.exponential(size=5000)):
        _, scale, bins = prepared(x)
        parts.append(sketch(x, quantities, bins, scale))
    with pytest.raises(InputError, match="same bins"):
        parts[0] + parts[1]


@pytest.mark.parametrize("values", [np.arange(200.0), np.arange(5.0), 1e6 + 1e-3 * np.arange(30)])
def test_few_distinct_values_are_kept_exactly(values):
    x = np.random.default_rng(3).permutation(np.resize(values, 20_000))
    _, scale, bins = prepared(x)
    assert bins.zones is None
    assert bins.n_moments == 0
    np.testing.assert_allclose(bins.centres, scale(values))
    np.testing.assert_array_equal(bins.centres[bins.codes(scale(x))], scale(x))


def test_values_first_met_late_are_not_lost():
    x = np.zeros(100_000)
    x[-3:] = [5.0, 6.0, 7.0]
    _, scale, bins = prepared(x)
    np.testing.assert_allclose(bins.centres, scale(np.array([0.0, 5.0, 6.0, 7.0])))


def test_every_row_lies_in_its_bin():
    x = np.random.default_rng(4).standard_cauchy(size=30_000)
    _, scale, bins = prepared(x)
    z = scale(x)
    code = bins.codes(z)
    slack = 1e-9 * np.abs(z).max() / len(bins.centres)
    assert np.all(np.abs(z - bins.centres[code]) <= bins.half_widths[code] * (1 + 1e-9) + slack)


def test_error_bound_holds_and_is_not_idle():
    rng = np.random.default_rng(5)
    x = rng.exponential(size=20_000)
    quantities, _ = define_quantities(binary(20_000, rng))
    _, scale, bins = prepared(x)
    columns = stack([sketch(x, quantities, bins, scale)])
    targets = scale(np.array([[0.002, 0.01, 0.05, 0.5]]))
    tilt = solve(columns, targets, np.zeros((1, 4), np.int8))
    for t in range(4):
        direct = logsumexp(tilt.xi[0, t] * scale(x))
        assert abs(np.expm1(tilt.log_norm[0, t] - direct)) <= tilt.error[0, t] + 1e-12
    assert tilt.error[0, 0] > 1e-10 > tilt.error[0, 3]
