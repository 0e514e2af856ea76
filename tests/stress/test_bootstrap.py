import numpy as np
import pytest
from scipy.stats import norm

from tauscope.stress.bootstrap import bootstrap_t
from tauscope.stress.curves import stress_curves
from tauscope.stress.outcomes import Outcomes

TAUS = np.array([-1.0, 0.0, 0.5])


def made(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x, Outcomes("binary", (x + rng.normal(size=n) > 0).astype(np.int64), class_names=("0", "1"))


@pytest.mark.slow
def test_values_stay_and_intervals_are_near_the_analytic_ones_where_these_hold():
    x, outcomes = made(2000, 0)
    curves = stress_curves([x], outcomes, taus=TAUS)
    for quantile, targets in ((0.05, None), (None, curves.target)):
        curves = stress_curves([x], outcomes, taus=TAUS, targets=targets)
        boot = bootstrap_t([x], outcomes, curves, quantile=quantile, random_state=1)
        np.testing.assert_array_equal(boot.value, curves.value)
        ratio = (boot.upper - boot.lower)[..., 1:] / (curves.upper - curves.lower)[..., 1:]
        # a rate with the target given has the size of its rows at most, however well the column tells it
        assert np.all((np.log(ratio) < 0.25) & (np.log(ratio) > (-0.25 if targets is None else -0.6)))


@pytest.mark.slow
def test_replicates_along_tau_have_their_own_targets():
    # of f = x the mean is the target: only where that is estimated too has it an error
    x = np.random.default_rng(6).exponential(size=400)
    outcomes = Outcomes("regression", x)
    along = stress_curves([x], outcomes, taus=TAUS, metrics=["mean"])
    boot = bootstrap_t([x], outcomes, along, quantile=0.05, n_replicates=80)
    ratio = (boot.upper - boot.lower) / (along.upper - along.lower)
    assert np.all((ratio > 0.5) & (ratio < 2))
    units = stress_curves([x], outcomes, taus=TAUS, targets=along.target, metrics=["mean"])
    boot = bootstrap_t([x], outcomes, units, n_replicates=40)
    np.testing.assert_allclose(boot.upper, boot.lower, atol=1e-5)


@pytest.mark.slow
def test_a_rate_of_one_keeps_its_exact_end():
    n = 200
    y = np.zeros(n, np.int64)
    y[:3] = 1
    outcomes = Outcomes("binary", y, y, None, ("0", "1"))
    x = np.random.default_rng(7).normal(size=n)
    curves = stress_curves([x], outcomes, taus=np.array([0.0]), metrics=["true_positive_rate"])
    boot = bootstrap_t([x], outcomes, curves, quantile=0.05, n_replicates=40)
    np.testing.assert_allclose([boot.lower[0, 0, 0], boot.upper[0, 0, 0]], [0.292402, 1.0], atol=1e-6)


@pytest.mark.slow
def test_same_state_same_interval_and_more_confidence_a_wider_one():
    x, outcomes = made(300, 1)
    curves = stress_curves([x], outcomes, taus=TAUS)
    one, same, other = (bootstrap_t([x], outcomes, curves, n_replicates=60, random_state=s) for s in (3, 3, 4))
    np.testing.assert_array_equal(one.lower, same.lower)
    assert not np.array_equal(one.lower, other.lower)
    wide = bootstrap_t([x], outcomes, curves, n_replicates=60, random_state=3, confidence=0.99)
    assert np.all(wide.upper - wide.lower >= one.upper - one.lower)


@pytest.mark.slow
def test_covers_a_share_of_few_rows():
    hits = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=150)
        outcomes = Outcomes("binary", (x + rng.normal(size=150) > 0).astype(np.int64), class_names=("0", "1"))
        curves = stress_curves([x], outcomes, taus=np.array([0.5]))
        boot = bootstrap_t([x], outcomes, curves, n_replicates=60, random_state=seed)
        truth = norm.cdf(curves.target[0, 0] / np.sqrt(2))
        hits.append(boot.lower[0, 0, 0] <= truth <= boot.upper[0, 0, 0])
    assert np.mean(hits) >= 0.85


@pytest.mark.slow
def test_targets_few_replicates_can_meet_keep_the_analytic_interval():
    x = np.append(np.zeros(80), [-1.0, 5.0])
    outcomes = Outcomes("binary", np.tile([0, 1], 41), class_names=("0", "1"))
    curves = stress_curves([x], outcomes, taus=np.array([0.0, 1.0]))
    boot = bootstrap_t([x], outcomes, curves, n_replicates=40)
    np.testing.assert_array_equal(boot.lower[..., 1], curves.lower[..., 1])
    np.testing.assert_array_equal(boot.upper[..., 1], curves.upper[..., 1])


@pytest.mark.slow
def test_weights_and_missing_values_are_drawn_with_their_rows():
    x, outcomes = made(400, 2)
    x[:40] = np.nan
    v = np.random.default_rng(3).random(400)
    curves = stress_curves([x, np.full(400, np.nan_to_num(x).mean()) + (np.arange(400) == 3)], outcomes, taus=TAUS)
    boot = bootstrap_t([x], outcomes, stress_curves([x], outcomes, taus=TAUS, sample_weight=v), sample_weight=v)
    assert np.all(boot.lower < boot.upper)
    assert curves.value.shape[0] == 2


def test_replicates_can_be_watched_and_cut_short():
    x, outcomes = made(200, 4)
    curves = stress_curves([x], outcomes, taus=TAUS)
    seen = []

    def few(function, replicates):
        for r, rows in enumerate(replicates):
            if r == 3:
                return
            seen.append(r)
            yield function(rows)

    boot = bootstrap_t([x], outcomes, curves, over=few)
    assert seen == [0, 1, 2]
    np.testing.assert_array_equal(boot.lower, curves.lower)
