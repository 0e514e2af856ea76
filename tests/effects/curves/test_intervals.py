import numpy as np
import pytest
from scipy import special, stats

from tauscope.effects.curves.dependence import StreamingMeans
from tauscope.effects.curves.intervals import Interval, Resampler, mean_bounds, percentile_bounds
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError


@pytest.mark.slow
def test_resampled_parts_are_one_draw():
    resampler = Resampler(100, 4000, 0)
    counts = np.concatenate([resampler.counts(30), resampler.counts(60), resampler.counts(10)], axis=1)
    assert (counts.sum(axis=1) == 100).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(100), abs=0.1)
    covariance = np.cov(counts[:, [0, 1, 95]].T)
    assert np.diag(covariance) == pytest.approx(np.full(3, 0.99), abs=0.1)
    assert covariance[0, 2] == pytest.approx(-0.01, abs=0.05)


def test_a_large_offset_costs_no_digits():
    values = np.random.default_rng(0).normal(size=(1, 50, 1))
    ends = []
    for offset in (0.0, 1e8):
        means = StreamingMeans(Interval(), 50, None)
        means.add(values[:, :25] + offset, np.ones(25))
        means.add(values[:, 25:] + offset, np.ones(25))
        mean, low, high = means.result()
        ends.append((mean - offset, high - low))
    assert ends[0][0] == pytest.approx(ends[1][0], abs=1e-7)
    assert ends[0][1] == pytest.approx(ends[1][1], rel=1e-6)


def test_no_weight_no_mean():
    for interval, seed in ((Interval(), None), (Interval("bootstrap", replicates=3), 0)):
        means = StreamingMeans(interval, 4, seed)
        with pytest.raises(RuntimeError):
            means.result()
        means.add(np.ones((1, 4, 2)), np.zeros(4))
        assert all(np.isnan(a).all() for a in means.result())


def test_weighted_variance_matches_simulation():
    random = np.random.default_rng(0)
    weights = random.exponential(size=200)
    half_widths, means = [], []
    for _ in range(800):
        running = StreamingMeans(Interval(confidence=0.6827), 200, None)
        running.add(random.normal(size=(1, 200, 1)), weights)
        mean, low, high = running.result()
        half_widths.append((high - low).item() / 2)
        means.append(mean.item())
    assert np.mean(half_widths) == pytest.approx(np.std(means), rel=0.08)


def test_percentiles_leave_empty_replicates_out():
    drawn = np.array([[np.nan, 1.0], [np.nan, 3.0], [np.nan, np.nan]])
    low, high = percentile_bounds(drawn, 0.999999)
    assert np.isnan([low[0], high[0]]).all()
    assert (low[1], high[1]) == pytest.approx((1, 3), abs=1e-5)
    assert np.isnan(percentile_bounds(np.empty((0, 2)), 0.9)).all()


@pytest.mark.slow
def test_percentiles_hold_their_share_of_new_replicates():
    random = np.random.default_rng(0)
    low, high = percentile_bounds(random.uniform(size=(39, 20_000)), 0.95)
    assert low.mean() == pytest.approx(1 / 40, rel=0.03)
    assert high.mean() == pytest.approx(39 / 40, rel=0.01)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1.0}, r"confidence must lie in \(0, 1\), got 1.0"),
        ({"kind": "normal"}, "interval kind"),
        ({"replicates": 1}, "replicates"),
    ],
)
def test_bad_intervals_are_said(options, message):
    with pytest.raises(InputError, match=message):
        Interval(**options)


def grouped(weights):
    random = np.random.default_rng(2)
    row, group = random.integers(0, 30, 80), random.integers(0, 4, 80)
    _, first = np.unique(row * 4 + group, return_index=True)
    values = random.normal(size=(2, len(first)))
    return RaggedGroups(row[first], group[first], values, 5, len(weights))


def test_groups_by_definition():
    weights = np.random.default_rng(0).exponential(size=30)
    groups = grouped(weights)
    for g in range(4):
        inside = groups.group == g
        w, v = weights[groups.row[inside]], groups.values[:, inside]
        mean = np.average(v, axis=1, weights=w)
        assert groups.means(weights)[:, g] == pytest.approx(mean)
        size = w.sum() ** 2 / (w**2).sum()
        variance = (w**2 * (v - mean[:, None]) ** 2).sum(axis=1) / w.sum() ** 2 * size / (size - 1)
        assert groups.variances(weights)[:, g] == pytest.approx(variance)
    assert np.isnan(groups.means(weights)[:, 4]).all()
    assert groups.counts()[4] == groups.mass(weights)[4] == 0
    assert np.isnan(groups.variances(weights)[:, 4]).all()
    assert (groups.variances(weights, pool=True)[:, 4] == 0).all()
    covariance = groups.covariance(weights)
    assert np.diagonal(covariance, axis1=1, axis2=2)[:, :4] == pytest.approx(groups.variances(weights)[:, :4])
    drawn = groups.resampled_means(np.ones(30), Interval("bootstrap", replicates=4000), 1)
    expected = groups.covariance(np.ones(30))[0, :4, :4]
    assert np.cov(drawn[:, 0, :4].T) == pytest.approx(expected, abs=0.3 * expected.max())


def test_a_group_of_one_row_takes_the_spread_of_the_others():
    values = np.array([[0.0, 2.0, 5.0]])
    groups = RaggedGroups(np.arange(3), np.array([0, 0, 1]), values, 2, 3)
    assert np.isnan(groups.variances(np.ones(3))[0, 1])
    assert groups.variances(np.ones(3), pool=True)[0] == pytest.approx([1, 2])
    alone = RaggedGroups(np.arange(1), np.zeros(1, dtype=int), values[:, :1], 1, 1)
    assert np.isnan(alone.variances(np.ones(1), pool=True)).all()


@pytest.mark.parametrize("shared", [False, True])
def test_sums_of_group_means_by_their_covariance(shared):
    random = np.random.default_rng(5)
    row = np.r_[np.arange(20), np.arange(20)] if shared else np.arange(40)
    group = np.r_[np.zeros(20), np.ones(10), np.full(10, 2)].astype(np.int64)
    groups = RaggedGroups(row, group, random.normal(size=(2, 40)), 4, 40)
    weights, contrast = random.exponential(size=40), random.normal(size=(3, 4))
    expected = np.einsum("gk,qkl,gl->qg", contrast, groups.covariance(weights), contrast)
    assert groups.disjoint is not shared
    assert groups.contrast_variances(weights, contrast) == pytest.approx(expected)


def test_a_mean_of_shares_stays_between_0_and_1():
    mean = np.array([0.02, 0.5, 0.98, 0.3])
    variance, logit = np.array([4e-4, 1e-4, 4e-4, 0.0]), Interval(scale="logit")
    low, high = mean_bounds(mean, variance, 50.0, logit)
    half = stats.t.ppf(0.975, 49) * np.sqrt(variance) / (mean * (1 - mean))
    assert low == pytest.approx(special.expit(special.logit(mean) - half))
    assert high == pytest.approx(special.expit(special.logit(mean) + half))
    assert ((low > 0) & (high < 1)).all()
    assert "(Student t on the logit scale)" in logit.label


def test_a_share_of_none_or_all_gets_the_exact_end():
    low, high = mean_bounds(
        np.array([0.0, 1.0, 0.0, 1.2]), np.zeros(4), np.array([50.0, 50.0, 1.0, 50.0]), Interval(scale="logit")
    )
    limit = 1 - 0.025 ** (1 / 50)
    assert [low[0], high[0], low[1], high[1]] == pytest.approx([0, limit, 1 - limit, 1])
    assert np.isnan([low[2], high[2]]).all()
    assert low[3] == high[3] == 1.2  # no share at all


@pytest.mark.slow
def test_intervals_of_shares_cover():
    random = np.random.default_rng(3)
    hits = []
    for _ in range(2000):
        means = StreamingMeans(Interval(scale="logit"), 60, None)
        means.add(random.beta(0.3, 2.7, size=(1, 60, 1)), np.ones(60))
        _, low, high = means.result()
        hits.append(low.item() <= 0.1 <= high.item())
    assert 0.925 <= np.mean(hits) <= 0.97
