"""Metrics under joint weights: against the one-column engine, and row by row."""

import numpy as np
import pytest
from scipy.stats import t as student

from tauscope.stress.curves import stress_curves
from tauscope.stress.intervals import student_interval
from tauscope.stress.joint.estimates import joint_estimates, metric_values
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
@pytest.mark.parametrize("weighted", [False, True])
def test_one_column_agrees_with_its_curve(task, weighted):
    rng = np.random.default_rng(0)
    x, outcomes = rng.exponential(size=N), make_outcomes(task)
    v = rng.uniform(0.3, 2, N) if weighted else None
    curves = stress_curves([x], outcomes, taus=np.array([-0.8, 0.6]), sample_weight=v)
    quantities, _ = define_quantities(outcomes)
    for t in range(2):
        target = curves.target[0, t : t + 1]
        projection = project(x[:, None], target, sample_weight=v)
        estimates = joint_estimates(quantities, curves.metrics, x[:, None], target, projection.weights)
        values = metric_values(quantities, curves.metrics, projection.weights)
        np.testing.assert_allclose(values, curves.value[0, :, t], rtol=1e-9)
        for i, (metric, estimate) in enumerate(zip(curves.metrics, estimates, strict=True)):
            assert estimate.value == pytest.approx(curves.value[0, i, t], rel=1e-9)
            assert estimate.error == pytest.approx(curves.error[0, i, t], rel=1e-6)
            lower, upper = student_interval(metric, estimate, 0.95)
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
    lower, upper = student_interval(available(outcomes)[0], estimate, 0.9)
    half_width = student.ppf(0.95, estimate.df) * error
    assert (lower, upper) == pytest.approx((mean - half_width, mean + half_width))


def test_what_the_constraints_fix_has_no_error():
    outcomes = make_outcomes("regression")
    phi = np.column_stack([outcomes.predicted, np.random.default_rng(3).normal(size=N)])
    target = np.array([0.3, 0.1])
    w = project(phi, target).weights
    (estimate,) = joint_estimates(define_quantities(outcomes)[0], available(outcomes)[:1], phi, target, w)
    assert estimate.value == pytest.approx(0.3)
    assert estimate.error == pytest.approx(0, abs=1e-9)


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
