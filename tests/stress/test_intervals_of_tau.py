"""Intervals along τ against the exact ones where there are any, and against the oracle on rows elsewhere."""

import numpy as np
import pytest
from scipy.stats import beta, t as student

from stress.interval_oracle import answer
from stress.test_curves import make_column, make_outcomes
from tauscope.stress.curves import stress_curves
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import REASONS

TAUS = np.array([-1.0, -0.6, 0.0, 0.3, 1.0])
COLUMNS = ("normal", "exponential", "lognormal", "ties", "integers", "zero-inflated", "indicator")


def exact(hits, n, confidence=0.95):
    tail = 0.5 - confidence / 2
    return (
        beta.ppf(tail, hits, n - hits + 1) if hits else 0.0,
        beta.ppf(1 - tail, hits + 1, n - hits) if hits < n else 1.0,
    )


def row(curves, name):
    return [metric.name for metric in curves.metrics].index(name)


def rare(n=1000, positives=3, found=3, alarms=4):
    y, f = np.zeros(n, np.int64), np.zeros(n, np.int64)
    y[:positives], f[:found] = 1, 1
    f[positives : positives + alarms] = 1
    return Outcomes("binary", f, y, None, ("0", "1"))


def test_three_of_three_positives_among_a_thousand_rows():
    x = np.random.default_rng(0).normal(size=(2, 1000))
    curves = stress_curves(list(x), rare(), taus=np.array([-0.2, 0.0, 0.2]), metrics=["true_positive_rate"])
    np.testing.assert_array_equal(curves.value, 1.0)
    np.testing.assert_allclose(curves.lower[:, 0, 1], 0.292402, atol=1e-6)
    np.testing.assert_array_equal(curves.upper, 1.0)
    assert np.all(curves.lower < 0.2925)
    assert {REASONS[code].name for code in curves.reason.ravel()} == {"few_non_events"}


def test_no_false_discovery_of_four():
    y, f = np.zeros(1000, np.int64), np.zeros(1000, np.int64)
    y[:40], f[:4] = 1, 1
    x = np.random.default_rng(1).normal(size=1000)
    outcomes = Outcomes("binary", f, y, None, ("0", "1"))
    curves = stress_curves([x], outcomes, taus=np.array([-0.3, 0.0, 0.3]), metrics=["false_discovery_rate"])
    np.testing.assert_array_equal(curves.value, 0.0)
    np.testing.assert_allclose(curves.upper[0, 0, 1], 0.602365, atol=1e-6)
    assert np.all(curves.upper > 0.6)
    assert np.all(curves.reason == [code for code, r in enumerate(REASONS) if r.name == "few_events"])


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_unstressed_rates_have_the_exact_binomial_interval_whatever_the_column(confidence):
    rng = np.random.default_rng(2)
    n = 700
    columns = [make_column(kind, n, rng) for kind in COLUMNS]
    outcomes = make_outcomes("binary", n, rng)
    curves = stress_curves(columns, outcomes, taus=TAUS, confidence=confidence)
    f, y = outcomes.predicted == 1, outcomes.truth == 1
    for name, hit, among in (
        ("portion_1", f, np.ones(n, bool)),
        ("error_rate", f != y, np.ones(n, bool)),
        ("true_positive_rate", f, y),
        ("false_positive_rate", f, ~y),
        ("false_discovery_rate", ~y, f),
    ):
        ends = exact(np.sum(hit & among), among.sum(), confidence)
        i = row(curves, name)
        np.testing.assert_allclose(curves.lower[:, i, 2], ends[0], rtol=1e-8)
        np.testing.assert_allclose(curves.upper[:, i, 2], ends[1], rtol=1e-8)


def test_unstressed_means_have_the_plain_t_interval_whatever_the_column():
    rng = np.random.default_rng(3)
    n = 300
    outcomes = make_outcomes("regression", n, rng)
    curves = stress_curves([make_column(kind, n, rng) for kind in COLUMNS], outcomes, taus=TAUS)
    half = student.ppf(0.975, n) * outcomes.predicted.std(ddof=1) / np.sqrt(n)
    i = row(curves, "mean")
    np.testing.assert_allclose(curves.lower[:, i, 2], outcomes.predicted.mean() - half, rtol=1e-10)
    np.testing.assert_allclose(curves.upper[:, i, 2], outcomes.predicted.mean() + half, rtol=1e-10)
    for name in ("variance", "rmse"):
        for ends in (curves.lower, curves.upper):
            np.testing.assert_allclose(ends[:, row(curves, name), 2], ends[0, row(curves, name), 2], rtol=1e-9)


@pytest.mark.parametrize("task", ["binary", "regression"])
@pytest.mark.parametrize("kind", ["normal", "exponential", "ties", "zero-inflated", "missing"])
def test_no_jump_at_nothing(task, kind):
    rng = np.random.default_rng(4)
    n = 2000
    x = make_column(kind, n, rng)
    curves = stress_curves([x], make_outcomes(task, n, rng, x), taus=np.array([-1e-4, 0.0, 1e-4]))
    width = curves.upper[0] - curves.lower[0]
    np.testing.assert_allclose(width[:, [0, 2]], width[:, [1, 1]], rtol=0.04 if kind == "zero-inflated" else 0.012)


def test_a_known_function_of_the_column_follows_it():
    # of f = x the mean is the target itself: all its error is the target's
    rng = np.random.default_rng(5)
    x = rng.exponential(size=1500)
    curves = stress_curves([x], Outcomes("regression", x), taus=TAUS, metrics=["mean"])
    found = [answer(x, tau, "mean", values=x).target_error for tau in TAUS]
    np.testing.assert_allclose(curves.error[0, 0], found, rtol=1e-3)
    units = stress_curves([x], Outcomes("regression", x), taus=TAUS, targets=curves.target, metrics=["mean"])
    np.testing.assert_allclose(units.upper - units.lower, 0, atol=1e-6)


def cells_of(outcomes):
    f, y = outcomes.predicted, outcomes.truth
    if outcomes.task == "regression":
        return {
            "mean": ("mean", {"values": f}),
            "variance": ("variance", {"values": f}),
            "rmse": ("rmse", {"values": f - y}),
        }
    every = np.ones(len(f))
    return {
        "portion_1": ("rate", {"top": f * 1.0, "bottom": every}),
        "error_rate": ("rate", {"top": (f != y) * 1.0, "bottom": every}),
        "true_positive_rate": ("rate", {"top": (f & y) * 1.0, "bottom": y * 1.0}),
        "false_positive_rate": ("rate", {"top": (f & ~y & 1) * 1.0, "bottom": 1.0 - y}),
        "false_discovery_rate": ("rate", {"top": (f & ~y & 1) * 1.0, "bottom": f * 1.0}),
        "mean_score": ("score", {"values": outcomes.score}),
    }


def compare(x, outcomes, taus, alpha=0.05, targets=None, rtol=2e-3):
    curves = stress_curves([x], outcomes, taus=taus, quantile=alpha, targets=targets)
    cells = cells_of(outcomes)
    for t, tau in enumerate(taus):
        for i, metric in enumerate(curves.metrics):
            kind, arrays = cells[metric.name]
            goal = None if targets is None else targets[0, t]
            cell = answer(x, tau, kind, **arrays, alpha=alpha, target=goal)
            where = f"{metric.name} at {tau}"
            np.testing.assert_allclose(curves.target[0, t], cell.target, rtol=1e-10, err_msg=where)
            got = [a[0, i, t] for a in (curves.value, curves.lower, curves.upper)]
            np.testing.assert_allclose(got, [cell.value, cell.lower, cell.upper], rtol=rtol, atol=1e-7, err_msg=where)
            assert REASONS[curves.reason[0, i, t]].name == cell.reason, (where, curves.amount[0, i, t])


@pytest.mark.slow
@pytest.mark.parametrize("task", ["binary", "regression"])
@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("n", [60, 400, 1500])
def test_agrees_with_the_oracle_on_rows(task, kind, n):
    rng = np.random.default_rng(n)
    x = make_column(kind, n, rng)
    compare(x, make_outcomes(task, n, rng, x), TAUS)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["binary", "regression"])
@pytest.mark.parametrize("kind", ["normal", "exponential", "spike at the minimum"])
def test_agrees_with_the_oracle_in_bins(task, kind):
    rng = np.random.default_rng(6)
    x = make_column(kind, 5000, rng)
    compare(x, make_outcomes(task, 5000, rng, x), TAUS, rtol=1e-2)


@pytest.mark.parametrize("alpha", [0.01, 0.2])
@pytest.mark.slow
def test_targets_in_units_are_taken_as_they_are(alpha):
    rng = np.random.default_rng(7)
    x = rng.gamma(2, size=500)
    outcomes = make_outcomes("binary", 500, rng, x)
    compare(x, outcomes, TAUS, alpha)
    compare(x, outcomes, TAUS, targets=np.array([[0.5, 1.5, x.mean(), 2.5, 4.0]]))


def test_targets_out_of_range_are_undefined():
    x = np.arange(100.0)
    outcomes = make_outcomes("binary", 100, np.random.default_rng(8))
    curves = stress_curves([x], outcomes, taus=np.array([0.5]), targets=np.array([[120.0]]))
    assert {REASONS[code].name for code in curves.reason.ravel()} == {"undefined"}
    assert np.isnan(curves.upper).all()
    np.testing.assert_array_equal(curves.amount, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(("share", "n"), [(0.03, 1000), (0.02, 3000)])
def test_intervals_of_a_rare_level_cover_the_population_of_the_same_odds(share, n):
    rng = np.random.default_rng(8)
    taus = np.array([0.0, 0.5, 1.0])
    aims = share + taus * (4 * share / (1 + 3 * share) - share)
    truth, hits, n_samples = 0.5 * aims + 0.1 * (1 - aims), np.zeros(3), 300
    for _ in range(n_samples):
        x = (rng.random(n) < share).astype(float)
        wrong = (rng.random(n) < np.where(x, 0.5, 0.1)).astype(np.int64)
        outcomes = Outcomes("binary", wrong, np.zeros(n, np.int64), None, ("0", "1"))
        curves = stress_curves([x], outcomes, taus=taus, metrics=["error_rate"])
        hits += (curves.lower[0, 0] <= truth) & (truth <= curves.upper[0, 0])
    assert np.all((hits / n_samples > 0.92) & (hits / n_samples < 0.99))
