"""Rows with a code for missing values in several columns: the same answer as in columns where nothing cancels."""

import numpy as np
import pytest

from tauscope.errors import DependentConstraints, InfeasibleTarget
from tauscope.stress.joint.constraints import Variance, as_stress
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.far_rows import name_far_values, turn_to_far_rows
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project


def coded_columns(seed, code, n=300):
    """Give two columns of 0..10 whose codes stand in the same three rows, with opposite signs."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 11, size=(2, n)).astype(float)
    a[:3], b[:3] = code, -code
    return a, b


@pytest.mark.parametrize("target", [(5.25, 4.5), (4.5, 5.75), (6.5, 3.0), (2.0, 2.0), "far"])
@pytest.mark.parametrize("code", [1e9, -999999999.0, 2.0**40])
@pytest.mark.slow
def test_codes_of_opposite_sign_in_the_same_rows_are_solved_as_their_sum_is(code, target):
    if target == "far":
        target = (2.0**20 * np.sign(code), 5 - 2.0**20 * np.sign(code))
    for seed in range(4):
        a, b = coded_columns(seed, code)
        answer = project(np.column_stack([a, b]), np.array(target))
        # a + b is a whole number in each row, and 0 where the codes are: one column far off, and the same weights
        alike = project(np.column_stack([a, a + b]), np.array([target[0], target[0] + target[1]]))
        assert (answer.status, alike.status) == ("solved", "solved")
        np.testing.assert_allclose(answer.weights, alike.weights, rtol=1e-6, atol=1e-12)
        assert answer.kl == pytest.approx(alike.kl, rel=1e-6, abs=1e-12)


def test_codes_in_some_rows_of_four_columns_are_solved_wherever_rows_reach():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        phi = rng.normal(size=(60, 4))
        rows = rng.permutation(60)
        for j in range(4):
            phi[rows[: rng.integers(1, 5)], j] = rng.choice([1e9, -999999999.0, 99999999.0])
        far = np.abs(phi).max(axis=1) > 50
        share = rng.dirichlet(np.ones(60)) * np.where(far, rng.choice([0.0, 1e-6, 1.0]), 1.0)
        answer = project(phi, share / share.sum() @ phi)
        assert answer.status == "solved", answer.message
        assert answer.residual <= 1e-9


def test_a_start_elsewhere_and_weights_do_no_harm():
    a, b = coded_columns(0, 1e9)
    phi, target = np.column_stack([a, b]), np.array([5.25, 4.5])
    base = np.random.default_rng(1).uniform(0.2, 2, size=len(a))
    answer = project(phi, target, sample_weight=base)
    again = project(phi, target, sample_weight=base, start=np.array([0.3, -0.2]))
    assert answer.status == again.status == "solved"
    np.testing.assert_allclose(again.weights, answer.weights, rtol=1e-6, atol=1e-12)


def test_targets_beyond_the_rows_are_still_refused():
    a, b = coded_columns(0, 1e9)
    with pytest.raises(InfeasibleTarget, match="lie between"):
        project(np.column_stack([a, b]), np.array([5.0, 11.0]))


def test_far_rows_lie_along_axes():
    a, b = coded_columns(0, 1e9)
    phi, target = np.column_stack([a, b, np.arange(300.0)]), np.array([5.0, 5.0, 150.0])
    near = summarise_moments(phi[3:], None)
    summary = near.__class__(near.mean, near.sd, phi.min(0), phi.max(0), near.covariance)
    turned = turn_to_far_rows(phi, target, summary)
    assert turned is not None
    assert (np.abs(turned.rows[:3]) > 1e3).sum(axis=1).tolist() == [1, 1, 1]
    multipliers = np.array([0.2, -0.1, 0.05])
    np.testing.assert_allclose(turned.from_phi(turned.to_phi(multipliers)), multipliers)
    np.testing.assert_allclose(turned.to_phi(turned.from_phi(multipliers)), multipliers)
    np.testing.assert_allclose((phi[3:] - near.mean) @ turned.axes.T, turned.rows[3:], atol=1e-6)


def test_ordinary_rows_and_codes_in_one_column_need_no_turn():
    a = coded_columns(0, 1e9)[0]
    for phi in (np.column_stack([a, a * 0 + np.arange(300)]), np.random.default_rng(0).normal(size=(300, 3))):
        assert turn_to_far_rows(phi, np.zeros(phi.shape[1]), summarise_moments(phi[3:], None)) is None


def test_what_is_not_met_names_the_values_far_off():
    a, b = coded_columns(0, 1e9)
    b[3] = -2e9
    answer = project(np.column_stack([a, b]), np.array([5.0, 5.0]), names=["mean of a", "mean of b"], max_iterations=1)
    assert answer.status == "unconverged"
    words = (
        "Far off all others: 3 rows of the mean of a with 1000000000, 4 rows of the mean of b with up to -2000000000"
    )
    assert f"{words}; replace codes for missing values by NaN. Move the targets" in answer.message
    assert name_far_values(np.random.default_rng(0).normal(size=(300, 1)), ["mean of a"]) == ""
    one = np.r_[np.arange(300.0), 1e12][:, None]
    assert "1 row of the mean of a with 1e+12;" in name_far_values(one, ["mean of a"])


@pytest.mark.parametrize("code", [1e9, -999999999.0, 1e12])
def test_a_variance_or_covariance_of_coded_columns_is_not_called_dependent(code):
    for seed in range(3):
        a, b = coded_columns(seed, code)
        share = np.random.default_rng(seed).dirichlet(np.ones(300))
        mean_a, mean_b = share @ a, share @ b
        second = (a - mean_a) ** 2 if seed else (a - mean_a) * (b - mean_b)
        phi = np.column_stack([a, second] if seed else [a, b, second])
        answer = project(phi, share @ phi)
        assert answer.status == "solved", answer.message
        # among the other rows the weights are a tilt of the same columns, written without the codes
        plain = np.column_stack([np.ones(297), a[3:], b[3:], a[3:] * (a if seed else b)[3:]])
        tilt = np.log(answer.weights[3:])
        fitted = plain @ np.linalg.lstsq(plain, tilt)[0]
        np.testing.assert_allclose(fitted, tilt, atol=1e-6 * np.abs(tilt).max())


def test_columns_that_differ_in_no_row_are_dependent_with_codes_as_well():
    a = coded_columns(0, 1e9)[0]
    with pytest.raises(DependentConstraints, match="3 rows of the mean of a with 1000000000, 3 rows of the twice"):
        project(np.column_stack([a, 2 * a]), np.array([5.0, 10.0]), names=["mean of a", "twice"])


def test_a_variance_that_the_code_decides_is_refused_with_its_range():
    a = coded_columns(0, 1e9)[0]
    moments = resolve(as_stress(Variance("a", scale=0.8)), {"a": a}.__getitem__, len(a))
    with pytest.raises(InfeasibleTarget, match=r"variance of a can lie between 9\.9e\+15 and 9\.90001e\+15") as caught:
        project(moments.phi, moments.target, names=moments.names)
    assert "3 rows of the mean of a (held) with 1000000000; replace codes for missing values by NaN." in str(
        caught.value
    )
