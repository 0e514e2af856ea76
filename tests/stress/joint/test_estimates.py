"""Metrics under joint weights: against the one-column engine, and row by row."""

import numpy as np
import pytest
from scipy.stats import t as student

from tauscope.stress.curves import stress_curves
from tauscope.stress.intervals import analytic_interval
from tauscope.stress.joint.constraints import Mean, as_stress
from tauscope.stress.joint.estimates import joint_estimates, metric_values
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.metrics import available, define_quantities
from tauscope.stress.outcomes import Outcomes

N = 900


def make_outcomes(task):
    rng = np.random.default_rng(1)
    if task == "regression":
        f = rng.normal(size=N)
        return Outcomes(task, f, f + rng.normal(size=N))
    if task == "multiclass":
        return Outcomes(task, rng.integers(0, 3, N), rng.integers(0, 3, N), None, ("a", "b", "c"))
    p = rng.random(N)
    return Outcomes(task, (p > 0.5).astype(np.int64), rng.integers(0, 2, N), p, ("no", "yes"))


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_many_metrics_have_the_estimates_of_each_alone(task):
    rng = np.random.default_rng(0)
    phi, weights = rng.normal(size=(N, 1)), rng.uniform(0.5, 2, N)
    quantities, metrics = define_quantities(make_outcomes(task), names=None)
    target = np.average(phi, axis=0, weights=weights)
    together = joint_estimates(quantities, metrics, phi, target, weights)
    values = metric_values(quantities, metrics, weights)
    for i, metric in enumerate(metrics):
        alone = joint_estimates(quantities, [metric], phi, target, weights)
        np.testing.assert_allclose(together[i], alone[0], rtol=1e-12)
        assert values[i] == metric_values(quantities, [metric], weights)[0]


@pytest.mark.slow
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("column", ["smooth", "whole", "share"])
def test_one_column_agrees_with_its_curve(task, weighted, column):
    rng = np.random.default_rng(0)
    x, outcomes = rng.exponential(size=N), make_outcomes(task)
    x = {"smooth": x, "whole": np.floor(4 * x), "share": (x > 1) * 1.0}[column]
    v = rng.uniform(0.3, 2, N) if weighted else None
    taus = np.array([-1, -0.8, 0, 0.6, 1])
    curves = stress_curves([x], outcomes, taus=taus, sample_weight=v)
    quantities, _ = define_quantities(outcomes)
    for t, tau in enumerate(taus.tolist()):
        moments = resolve(as_stress(Mean("x", tau=tau)), lambda name: x, N, sample_weight=v)
        projection = project(moments.phi, moments.target, sample_weight=v)
        estimates = joint_estimates(
            quantities,
            curves.metrics,
            moments.phi,
            moments.target,
            projection.weights,
            moments.target_covariance,
            unstressed=moments.unstressed,
        )
        assert moments.unstressed == (tau == 0)
        values = metric_values(quantities, curves.metrics, projection.weights)
        np.testing.assert_allclose(values, curves.value[0, :, t], rtol=1e-9)
        for i, (metric, estimate) in enumerate(zip(curves.metrics, estimates, strict=True)):
            assert estimate.value == pytest.approx(curves.value[0, i, t], rel=1e-9)
            assert estimate.error == pytest.approx(curves.error[0, i, t], rel=1e-6)
            lower, upper = analytic_interval(metric, estimate, 0.95, N)
            assert lower == pytest.approx(curves.lower[0, i, t], rel=1e-6)
            assert upper == pytest.approx(curves.upper[0, i, t], rel=1e-6)


def test_the_error_written_out_row_by_row():
    rng = np.random.default_rng(2)
    outcomes = make_outcomes("regression")
    phi = rng.normal(size=(N, 3))
    target = np.array([0.4, -0.3, 0.1])
    w = project(phi, target).weights / N
    (estimate,) = joint_estimates(define_quantities(outcomes)[0], available(outcomes)[:1], phi, target, w)
    f = outcomes.predicted
    mean = w @ f
    z = phi - target
    hessian = (z.T * w) @ z
    slope = np.linalg.solve(hessian, (z.T * w) @ (f - mean))
    residual = f - mean - z @ slope
    leverage = w * (1 + np.sum(z @ np.linalg.inv(hessian) * z, axis=1))
    plain = np.sum((w * residual) ** 2)
    error = np.sqrt(plain) / (1 - np.sum((w * residual) ** 2 * leverage) / plain)
    assert estimate.value == pytest.approx(mean)
    assert estimate.error == pytest.approx(error)
    assert estimate.ess == pytest.approx(1 / np.sum(w**2))
    assert estimate.df == pytest.approx(np.sum(w**2) ** 2 / np.sum(w**4))
    lower, upper = analytic_interval(available(outcomes)[0], estimate, 0.9, N)
    half_width = student.ppf(0.95, estimate.df) * error
    assert (lower, upper) == pytest.approx((mean - half_width, mean + half_width))


def test_what_the_constraints_fix_is_determined():
    outcomes = make_outcomes("regression")
    phi = np.column_stack([outcomes.predicted, np.random.default_rng(3).normal(size=N)])
    target = np.array([0.3, 0.1])
    w = project(phi, target).weights
    mean, spread = joint_estimates(define_quantities(outcomes)[0], available(outcomes)[:2], phi, target, w)
    assert mean.value == pytest.approx(0.3)
    assert mean.error == 0
    assert mean.determined
    assert analytic_interval(available(outcomes)[0], mean, 0.95, N) == pytest.approx((0.3, 0.3))
    assert spread.error > 0
    assert not spread.determined


def test_a_share_that_a_constraint_fixes_is_determined():
    outcomes = make_outcomes("binary")
    error = (outcomes.predicted != outcomes.truth) * 1.0
    w = project(error[:, None], np.array([0.2])).weights
    metric = next(each for each in available(outcomes) if each.name == "error_rate")
    (estimate,) = joint_estimates(define_quantities(outcomes)[0], [metric], error[:, None], np.array([0.2]), w)
    assert analytic_interval(metric, estimate, 0.95, N) == pytest.approx((0.2, 0.2))


def test_nothing_is_determined_by_as_many_rows_as_constraints():
    """Two rows that keep weight are fitted by any line: that says nothing about other rows."""
    x = np.append(np.arange(20.0), [100, 100])
    outcomes = Outcomes("regression", np.append(np.zeros(20), [1.0, 2.0]), np.zeros(22))
    phi = np.column_stack([x, np.append(np.zeros(20), [1.0, 3.0])])
    w = np.append(np.zeros(20), [1.0, 1.0])
    metrics = available(outcomes)[:1]
    (estimate,) = joint_estimates(define_quantities(outcomes)[0], metrics, phi, np.array([100.0, 2.0]), w)
    assert not estimate.determined


def test_a_target_of_the_rows_adds_its_own_error():
    outcomes = make_outcomes("regression")
    phi = np.column_stack([outcomes.predicted, np.random.default_rng(3).normal(size=N)])
    target, covariance = np.array([0.3, 0.1]), np.array([[4e-4, 1e-4], [1e-4, 9e-4]])
    w = project(phi, target).weights
    quantities, metrics = define_quantities(outcomes)[0], available(outcomes)[:2]
    mean, spread = joint_estimates(quantities, metrics, phi, target, w, covariance)
    assert mean.error == pytest.approx(0.02)  # the slope is 1 on the first column, 0 on the other
    assert not mean.determined
    _, given = joint_estimates(quantities, metrics, phi, target, w)
    z = phi - target
    shares = w / w.sum()
    influence = (outcomes.predicted - 0.3) ** 2
    slope = np.linalg.solve((z.T * shares) @ z, (z.T * shares) @ (influence - shares @ influence))
    assert spread.error == pytest.approx(np.sqrt(given.error**2 + slope @ covariance @ slope), rel=1e-9)


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_without_a_stress_the_interval_is_the_plain_one(task):
    outcomes = make_outcomes(task)
    phi = np.random.default_rng(5).normal(size=(N, 2))
    quantities, metrics = define_quantities(outcomes)[0], available(outcomes)
    estimates = joint_estimates(quantities, metrics, phi, phi.mean(0), np.ones(N), np.eye(2), unstressed=True)
    by_name = {metric.name: estimate for metric, estimate in zip(metrics, estimates, strict=True)}
    if task == "regression":
        assert by_name["mean"].error == pytest.approx(outcomes.predicted.std(ddof=1) / np.sqrt(N))
        return
    wrong = outcomes.predicted != outcomes.truth
    assert by_name["error_rate"].error == pytest.approx(np.sqrt(wrong.mean() * (1 - wrong.mean()) / N))
    positive = outcomes.truth == 1
    found = by_name["true_positive_rate"]
    assert found.denominator == pytest.approx(positive.sum())
    assert found.events == pytest.approx((positive & (outcomes.predicted == 1)).sum())
    assert found.non_events == pytest.approx((positive & (outcomes.predicted == 0)).sum())


def test_on_a_face_the_constraints_left_without_spread_do_no_harm():
    outcomes = make_outcomes("binary")
    rng = np.random.default_rng(4)
    level = (rng.random(N) < 0.4).astype(float)
    phi = np.column_stack([level, rng.normal(size=N)])
    target = np.array([1.0, 0.3])
    w = project(phi, target).weights
    inside = level == 1
    all_rows = joint_estimates(define_quantities(outcomes)[0], available(outcomes), phi, target, w)
    some = outcomes.take(np.flatnonzero(inside))
    among = joint_estimates(define_quantities(some)[0], available(some), phi[inside, 1:], target[1:], w[inside])
    for a, b in zip(all_rows, among, strict=True):
        np.testing.assert_allclose([a.value, a.error, a.ess], [b.value, b.error, b.ess], rtol=1e-8)


def test_an_metric_without_rows_is_not_defined():
    outcomes = Outcomes("binary", np.zeros(N, np.int64), np.arange(N) % 2, None, ("no", "yes"))
    x = np.random.default_rng(0).normal(size=(N, 1))
    w = project(x, np.array([0.3])).weights
    metrics = available(outcomes)
    estimates = dict(
        zip(
            [metric.name for metric in metrics],
            joint_estimates(define_quantities(outcomes)[0], metrics, x, np.array([0.3]), w),
            strict=True,
        )
    )
    assert np.isnan(estimates["false_discovery_rate"].value)
    assert np.isfinite(estimates["error_rate"].value)


def test_no_error_where_next_to_no_weight_is_left_below_a_ratio():
    predicted = np.array([0, 1, 0, 1, 1], dtype=np.int64)
    outcomes = Outcomes("binary", predicted, np.array([0, 0, 0, 0, 1]), predicted * 0.8 + 0.1, ("no", "yes"))
    w = np.array([1.0, 1.0, 1.0, 1.0, 1e-200])
    phi = np.arange(5.0)[:, None]
    quantities, metrics = define_quantities(outcomes)[0], available(outcomes)
    estimates = joint_estimates(quantities, metrics, phi, w @ phi / w.sum(), w)
    errors = {metric.name: estimate.error for metric, estimate in zip(metrics, estimates, strict=True)}
    assert errors["true_positive_rate"] == np.inf
    assert np.isfinite(errors["false_positive_rate"])
