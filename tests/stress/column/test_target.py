from dataclasses import asdict, astuple
from functools import partial

import numpy as np
import pytest

from tauscope.errors import InputError
from tauscope.stress.bins.range_errors import beyond_in_values, complete_range, sum_values
from tauscope.stress.column.histogram_range import Histograms, histogram_ranges
from tauscope.stress.column.order_statistics import compute_order_statistics
from tauscope.stress.column.target import PlainEnd, tau_range
from tauscope.stress.column.tau_end import NEVER, QuantileWindow


def test_tau_runs_piecewise_linearly_between_the_quantiles():
    x = np.random.default_rng(0).exponential(size=999)
    around = tau_range(x, 0.05)
    low, high = np.quantile(x, [0.05, 0.95], method="inverted_cdf")
    expected = [low, (low + x.mean()) / 2, x.mean(), (high + x.mean()) / 2, high]
    np.testing.assert_allclose(around.target(np.array([-1, -0.5, 0, 0.5, 1])), expected)
    assert around.reached == (0.05, 0.95)
    assert (around.minimum, around.maximum) == (x.min(), x.max())


def test_zero_inflated_side_is_widened_to_the_first_quantile_past_the_mean():
    x = np.concatenate([np.zeros(960), np.arange(1.0, 41.0)])
    around = tau_range(x, 0.05)
    assert np.quantile(x, 0.95) == 0 < x.mean()
    assert around.reached[1] == pytest.approx(0.975)
    assert around.high == np.quantile(x, 0.975, method="inverted_cdf") == 15.0
    assert around.low == 0.0 < around.mean


def test_low_side_is_widened_alike():
    x = -np.concatenate([np.zeros(960), np.arange(1.0, 41.0)])
    around = tau_range(x, 0.05)
    assert around.reached[0] == pytest.approx(0.025)
    assert around.low == -15.0


@pytest.mark.parametrize(("near", "far"), [(0.0, 1.0), (7.0, -3.0)])
def test_a_rare_value_of_two_has_four_times_its_odds(near, far):
    x = np.full(5000, near)
    x[:60] = far
    around = tau_range(x, 0.05)
    side = int(far > near)
    rare, common = ((around.low, around.high)[each] for each in (side, 1 - side))
    share = (rare - near) / (far - near)
    assert share / (1 - share) == pytest.approx(4 * 60 / 4940)
    assert common == near
    assert np.isnan(around.reached[side])
    assert around.reached[1 - side] == (0.95, 0.05)[side]
    tau = 2.0 * side - 1
    np.testing.assert_allclose(around.target(np.array([tau, tau / 2])), [rare, (rare + x.mean()) / 2])


@pytest.mark.parametrize("n_far", [51, 300, 949])
def test_a_common_value_of_two_reaches_every_row(n_far):
    around = tau_range((np.arange(1000) < n_far).astype(float), 0.05)
    assert (around.low, around.high, around.reached) == (0.0, 1.0, (0.05, 0.95))
    np.testing.assert_array_equal(around.target_error(np.array([-1.0, 1.0])), 0)


def test_two_values_of_rows_that_count():
    x, v = np.array([0.0, 0.0, 1.0, 2.0]), np.array([90.0, 6.0, 3.0, 0.0])
    around = tau_range(x, 0.05, v)
    assert around.high == pytest.approx(4 * 3 / (4 * 3 + 96))
    assert around.maximum == 1.0


def test_two_values_next_to_each_other():
    x = np.full(1000, 1.0)
    x[0] += 4 * np.spacing(1.0)
    around = tau_range(x, 0.05)
    assert around.low < around.mean < around.high <= around.maximum


def test_one_row_in_many_is_reached_at_the_extreme():
    x = np.zeros(100_000)
    x[[7, 8]] = 5.0, -1.0
    around = tau_range(x, 0.4)
    assert around.high == 5.0


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(1)
    x, times = rng.exponential(size=300), rng.integers(0, 5, 300)
    weighted, repeated = tau_range(x, 0.05, times.astype(float)), tau_range(np.repeat(x, times), 0.05)
    for name in ("low", "mean", "high", "minimum", "maximum"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name))


def test_widening_counts_weights():
    x = np.array([0.0, 0.0, 1.0, 2.0])
    around = tau_range(x, 0.05, np.array([90.0, 6.0, 3.5, 0.5]))
    assert around.high == 1.0
    assert around.reached[1] == pytest.approx(0.975)


def test_known_quantiles_are_taken():
    x = np.arange(100.0)
    first, second = QuantileWindow(10.0, 0.05, 8.0, 12.0), QuantileWindow(80.0, 0.95, 75.0, 85.0)
    known = PlainEnd(first, 10, -55.0), PlainEnd(second, 19, 190.0)
    around = tau_range(x, 0.05, plain=known)
    assert (around.low, around.high) == (10.0, 80.0)
    assert around.ends[1].beyond == 0.19


def test_what_order_statistics_know_is_what_the_rows_say():
    x = np.random.default_rng(2).gamma(2, size=4000)
    known, alone = tau_range(x, 0.05, plain=compute_order_statistics(x, 0.05).plain), tau_range(x, 0.05)
    for a, b in zip(known.ends, alone.ends, strict=True):
        np.testing.assert_allclose(astuple(a), astuple(b), rtol=1e-10)


@pytest.mark.parametrize("tau", [-1.0, -0.4, 0.0, 0.7, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_error_of_the_target_is_that_of_its_influence(tau, weighted):
    rng = np.random.default_rng(3)
    x = np.where(rng.random(800) < 0.3, 0.0, rng.gamma(2, size=800))
    v = rng.exponential(size=800) if weighted else np.ones(800)
    around = tau_range(x, 0.05, v if weighted else None)
    psi = around.influence(x, tau)
    np.testing.assert_allclose(v @ psi, 0, atol=1e-9)
    np.testing.assert_allclose(
        around.target_error(np.array([tau])), np.sqrt(np.sum((v * psi) ** 2)) / v.sum(), rtol=1e-10
    )


def test_error_of_the_target_is_about_that_over_samples():
    rng = np.random.default_rng(4)
    around = [tau_range(rng.normal(size=2000), 0.05) for _ in range(150)]
    taus = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    spread = np.std([each.target(taus) for each in around], 0)
    ratio = np.mean([each.target_error(taus) for each in around], 0) / spread
    assert np.all((ratio > 0.85) & (ratio < 1.8))  # the larger side, and three tenths more


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tau", [-1.0, -0.4, 0.0, 0.7, 1.0])
def test_the_end_of_a_rare_value_follows_the_mean(tau, weighted):
    x = (np.arange(1000) < 20).astype(float)
    v = np.random.default_rng(5).uniform(0.5, 1.5, 1000) if weighted else np.ones(1000)
    around = tau_range(x, 0.05, v if weighted else None)
    psi = around.influence(x, tau)
    np.testing.assert_allclose(v @ psi, 0, atol=1e-9)
    error = around.target_error(np.array([tau]))
    np.testing.assert_allclose(error, np.sqrt(np.sum((v * psi) ** 2)) / v.sum(), rtol=1e-10)
    at, p = abs(tau), around.mean
    follows = 1 - at + at * (0 if tau < 0 else 4 / (1 + 3 * p) ** 2)
    np.testing.assert_allclose(error, follows * around.mean_error)


@pytest.mark.parametrize("share", [0.02, 0.97])
def test_error_of_the_end_of_a_rare_value_is_that_over_samples(share):
    rng = np.random.default_rng(6)
    around = [tau_range((rng.random(2000) < share).astype(float), 0.05) for _ in range(300)]
    taus = np.array([-1.0, -0.5, 0.5, 1.0])
    spread = np.std([each.target(taus) for each in around], 0)
    stated = np.mean([each.target_error(taus) for each in around], 0)
    np.testing.assert_allclose(stated, spread, rtol=0.12, atol=1e-12)


@pytest.mark.parametrize(("n_far", "in_doubt"), [(30, False), (45, True), (55, True), (70, False)])
def test_a_share_near_alpha_leaves_its_end_in_doubt(n_far, in_doubt):
    around = tau_range((np.arange(1000) < n_far).astype(float), 0.05)
    assert [end.doubt_from for end in around.ends] == [NEVER, 0.0 if in_doubt else NEVER]


def test_an_end_is_in_doubt_where_the_level_might_be_another():
    n = 1000
    sure, close = (np.where(np.arange(n) < k, 5.0 + np.arange(n) / n, 0.0) for k in (150, 53))
    assert tau_range(sure, 0.05).ends[1].doubt_from == NEVER
    around = tau_range(close, 0.05)
    assert around.reached[1] == 0.95
    assert around.ends[1].doubt_from == 0
    halved = tau_range(np.where(np.arange(n) < 47, 5.0 + np.arange(n) / n, 0.0), 0.05)
    assert halved.reached[1] == 0.975
    assert halved.ends[1].doubt_from == 0
    np.testing.assert_array_equal(halved.in_doubt(np.array([-1.0, 0.0, 0.1])), [False, False, True])


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_rows_of_a_heap_move_an_end_that_they_just_reach(sign, weighted):
    # 5.2 % or 4.8 % of rows have the lowest value: q(.05) is it or the next, and it is their number that decides
    counts = {52: 0.0, 48: 1.0}
    for n_lowest, end in counts.items():
        x = sign * -np.repeat([0.0, 1.0, 2.0, 3.0], [n_lowest, 150, 300, 550 - n_lowest])
        around = tau_range(x, 0.05, np.full(len(x), 2.0) if weighted else None)
        moved = around.ends[sign > 0]
        assert (around.low, around.high)[sign > 0] == sign * -end
        assert moved.with_heap == (end == 0)
        assert moved.beyond == pytest.approx(n_lowest / len(x))
        psi = around.influence(x, 1.0 * sign)
        assert psi.mean() == pytest.approx(0, abs=1e-12)
        assert moved.error == pytest.approx(psi.std() / np.sqrt(len(x)))
        assert around.target_error(np.array([sign])) == pytest.approx(moved.error)


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize(
    ("lowest", "doubt"), [((52,), 1), ((48,), 1), ((20,), NEVER), ((90,), NEVER), ((8, 40), NEVER)]
)
def test_an_end_is_in_doubt_where_it_might_be_the_extreme(sign, lowest, doubt):
    # of 1,000 rows 30 to 70 or so may make up the lowest twentieth
    counts = [*lowest, 150, 1000 - 150 - sum(lowest)]
    x = sign * -np.repeat(np.arange(float(len(counts))), counts)
    n, (mean, span) = len(x), (x.mean(), 1.0)
    around = tau_range(x, 0.05)
    assert around.ends[sign > 0].doubt_from == doubt
    np.testing.assert_array_equal(around.in_doubt(np.array([sign, 0.9 * sign, 0.0])), [doubt == 1, False, False])
    values, first = np.unique(x, return_counts=True)
    quantile_at = partial(np.quantile, x, method="inverted_cdf")
    beyond, every = beyond_in_values(values, first, first, mean, span), sum_values(values, first, first, mean, span)
    pixels = histogram_ranges(Histograms(values, first[None].astype(np.int64), n), 0.05)
    np.testing.assert_array_equal(pixels.in_doubt(np.array([sign]))[0], around.in_doubt(np.array([sign])))
    np.testing.assert_allclose(pixels.end_error[0, int(sign > 0)], around.ends[sign > 0].error)
    summed = complete_range(around, 0.05, n, quantile_at, beyond, every, span)
    for end, known in zip(summed.ends, around.ends, strict=True):
        assert asdict(end) == pytest.approx(asdict(known))


@pytest.mark.slow
@pytest.mark.parametrize(("tau", "n"), [(-0.5, 300), (-0.5, 3000), (-0.8, 3000)])
def test_the_end_of_counts_lies_where_its_error_says(tau, n):
    """Of counts of mean 3 one in twenty is 0, so that q(.05) is 0 in half of all samples and 1 in the others."""
    rng = np.random.default_rng(7)
    taus = np.array([tau])
    whole = tau_range(rng.poisson(3.0, 1_000_000).astype(float), 0.05)
    held = []
    for _ in range(400):
        around = tau_range(rng.poisson(3.0, n).astype(float), 0.05)
        held.append(abs(around.target(taus) - whole.target(taus)) <= 1.96 * around.target_error(taus))
    assert np.mean(held) >= 0.94


@pytest.mark.parametrize("values", [np.ones(10), np.array([])])
def test_constant_column_is_refused(values):
    with pytest.raises(InputError, match="two different values"):
        tau_range(values, 0.05)


def test_column_constant_where_weights_are_positive_is_refused():
    with pytest.raises(InputError, match="two different values"):
        tau_range(np.array([1.0, 1.0, 2.0]), 0.05, np.array([1.0, 1.0, 0.0]))


def test_an_end_of_a_plain_column_is_taken_to_move_as_far_as_it_does():
    ends = [tau_range(np.random.default_rng(seed).normal(size=600), 0.05) for seed in range(400)]
    taus = np.array([-1.0, 1.0])
    moved = np.var([each.target(taus) for each in ends], axis=0)
    said = np.mean([each.target_error(taus) ** 2 for each in ends], axis=0)
    assert (said / moved > 0.9).all(), said / moved
    assert (said / moved < 1.4).all(), said / moved
