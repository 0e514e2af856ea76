"""Curves of groups: the reweighting of every τ taken by group, subsets moved by themselves, and sums over rows."""

import numpy as np
import pytest

from blocks import group_estimates
from tauscope.stress.curves import stress_curves
from tauscope.stress.groups.group_curves import group_curves
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes

NAMES = ("error_rate", "portion_1", "mean_score", "f1", "log_loss")
TAUS = np.array([-1, -0.4, 0.0, 0.3, 1.0])
EVERY = ("value", "lower", "upper", "reason", "amount")


def rows(seed=0, n=900, distinct=False):
    random = np.random.default_rng(seed)
    codes = random.choice(3, n, p=[0.2, 0.3, 0.5])
    x = random.normal(size=n) + codes / 2
    x = np.round(4 * x) / 4 if distinct else x
    score = 1 / (1 + np.exp(-x))
    truth = (random.random(n) < 1 / (1 + np.exp(-x + 0.5 * (codes == 0)))) * 1
    return x, codes, Outcomes("binary", (score > 0.5) * 1, truth, score, ("0", "1"))


def by_rows(x, outcomes, codes, target, weights, target_variance):
    _, every = define_quantities(outcomes, names=NAMES)
    column, variance = (x - target)[:, None], np.array([[target_variance]])
    return group_estimates(outcomes, choose(every, NAMES), column, np.zeros(1), weights, variance, codes)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "distinct"), [(900, False), (5000, True)])
def test_each_tau_is_a_reweighting_taken_by_group(n, distinct, weighted):
    x, codes, outcomes = rows(n=n, distinct=distinct)
    v = np.random.default_rng(1).integers(0, 3, n) / 1.2 if weighted else np.ones(n)
    alone = stress_curves([x], outcomes, taus=TAUS, metrics=NAMES, sample_weight=v if weighted else None)
    found = group_curves([x], outcomes, codes, taus=TAUS, metrics=NAMES, sample_weight=v if weighted else None)
    for t in range(len(TAUS)):
        weights = v * np.exp(alone.multiplier[0, t] * x)
        given = by_rows(x, outcomes, codes, alone.target[0, t], weights, 0.0)
        np.testing.assert_allclose(found.target[0, :, t], alone.target[0, t])
        for code, estimates in enumerate(given.estimates):
            values = [float(each.value) for each in estimates]
            np.testing.assert_allclose(found.value[0, code, :, t], values, rtol=0, atol=1e-9)
            own = weights[codes == code]
            assert found.ess[0, code, t] == pytest.approx(own.sum() ** 2 / (own @ own), rel=1e-6)
            assert found.share[0, code, t] == pytest.approx(own.sum() / weights.sum(), rel=1e-9)
        apart = np.ptp(found.value[0, :, :, t], axis=0)
        np.testing.assert_allclose(found.gaps.gap[0, :, t], apart, atol=1e-12)


def test_one_group_of_all_rows_has_the_curves_of_all_rows():
    x, codes, outcomes = rows(n=5000)
    x[::7] = np.nan
    alone = stress_curves([x], outcomes, taus=TAUS, metrics=NAMES)
    found = group_curves([x], outcomes, 0 * codes, taus=TAUS, metrics=NAMES)
    for name in EVERY:
        np.testing.assert_allclose(getattr(found, name)[:, 0], getattr(alone, name), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.ess[:, 0], alone.ess, rtol=1e-9)
    assert np.isnan(found.gaps.gap).all()


def test_within_groups_each_has_the_curves_of_its_own_rows():
    x, codes, outcomes = rows(n=5000)
    found = group_curves([x, x**2], outcomes, codes, taus=TAUS, shift="within", metrics=NAMES)
    for code in range(3):
        inside = codes == code
        alone = stress_curves([x[inside], x[inside] ** 2], outcomes.take(inside), taus=TAUS, metrics=NAMES)
        for name in EVERY:
            near = 1e-5 if name in ("lower", "upper") else 1e-9  # squares of other units, from fewer digits
            np.testing.assert_allclose(getattr(found, name)[:, code], getattr(alone, name), rtol=near, atol=near)
        np.testing.assert_allclose(found.target[:, code], alone.target)
        np.testing.assert_allclose(found.share[:, code], inside.mean())


def test_both_kinds_of_shift_agree_without_a_stress():
    x, codes, outcomes = rows()
    one, other = (
        group_curves([x], outcomes, codes, taus=TAUS, shift=kind, metrics=NAMES) for kind in ("marginal", "within")
    )
    np.testing.assert_allclose(one.value[..., 2], other.value[..., 2], atol=1e-12)
    np.testing.assert_allclose(one.gaps.gap_upper[..., 2], other.gaps.gap_upper[..., 2], atol=1e-9)
    assert np.abs(one.value[..., 4] - other.value[..., 4]).max() > 0.05


def test_groups_add_up_to_all_rows():
    x, codes, outcomes = rows(n=5000)
    x[codes == 1] = np.where(np.arange((codes == 1).sum()) % 3, x[codes == 1], np.nan)
    alone = stress_curves([x], outcomes, taus=TAUS, metrics=["error_rate", "portion_1"])
    found = group_curves([x], outcomes, codes, taus=TAUS, metrics=["error_rate", "portion_1"])
    together = np.einsum("pgt,pgit->pit", found.share, found.value)
    np.testing.assert_allclose(together, alone.value, atol=1e-9)
    np.testing.assert_allclose(found.share.sum(1), 1, rtol=1e-12)


def test_a_group_far_from_where_all_rows_go_is_summed_over_its_rows():
    """Its share of the weight is so small that the sketch of all rows would not be accurate for it."""
    x, codes, outcomes = rows(n=5000)
    x[codes == 0] -= 12
    alone = stress_curves([x], outcomes, taus=TAUS, metrics=["mean_score"])
    found = group_curves([x], outcomes, codes, taus=TAUS, metrics=["mean_score"])
    weights = np.exp(alone.multiplier[0, 4] * (x - x.max()))[codes == 0]
    assert found.value[0, 0, 0, 4] == pytest.approx(np.average(outcomes.score[codes == 0], weights=weights), rel=1e-6)


def test_what_cannot_be_moved_and_what_keeps_no_weight_has_no_number():
    x, codes, outcomes = rows()
    x[codes == 0] = 1.5
    found = group_curves([x], outcomes, codes, taus=TAUS, shift="within", metrics=NAMES)
    assert np.isnan(found.value[0, 0]).all()
    assert np.isfinite(found.value[0, 1:]).all()
    two = np.where(codes == 2, 1.0, 0.0)
    ends = group_curves([two], outcomes, codes, taus=np.array([-1.0, 0, 1.0]), quantile=0.45, metrics=NAMES)
    assert np.isfinite(ends.value[..., 1]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [("marginal", 0.99), ("within", 1.0)])
def test_gaps_along_tau_hold_that_of_the_population(kind, most):
    """Of 300 samples of 600 rows: a standard error of .013.

    Away from τ = 0 intervals cover more than said, of single groups too, where the metric follows the feature closely:
    the end of τ is taken to move faster than it does (`tauscope.stress.column.tau_end`), and what rows add to it and to
    the metric partly cancels.
    """

    def ask(seed, n):
        x, codes, outcomes = rows(seed, n)
        options = {"taus": np.array([-0.6, 0.0, 0.6]), "shift": kind, "metrics": ["portion_1", "mean_score"]}
        return group_curves([x], outcomes, np.minimum(codes, 1), **options)

    truth, hits, alone = ask(999, 300_000), [], []
    for seed in range(300):
        found = ask(seed, 600)
        gaps = found.gaps
        hits.append((gaps.gap_lower <= truth.gaps.gap) & (truth.gaps.gap <= gaps.gap_upper))
        alone.append((found.lower <= truth.value) & (truth.value <= found.upper))
    covered = np.mean(hits, axis=0)
    assert (np.mean(alone, axis=0) > 0.92).all(), np.mean(alone, axis=0)
    assert ((covered > 0.92) & (covered <= most)).all(), covered
    assert (np.abs(covered[..., 1] - 0.95) < 0.03).all(), covered
