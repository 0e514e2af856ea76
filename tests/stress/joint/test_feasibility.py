"""Ranges and verdicts against the linear program over all rows."""

import numpy as np
import pytest
from scipy.optimize import linprog

from tauscope.errors import DependentConstraints, InfeasibleTarget
from tauscope.stress.joint.dual import summarise_moments
from tauscope.stress.joint.feasibility import feasible_range
from tauscope.stress.joint.hull import Hull
from tauscope.stress.joint.projection import project


def range_by_program(phi, target, which):
    """Lowest and highest mean of one column over all shares that meet the others."""
    others = [j for j in range(phi.shape[1]) if j != which]
    a = np.vstack([phi[:, others].T, np.ones(len(phi))])
    b = np.append(target[others], 1)
    ends = [linprog(s * phi[:, which], A_eq=a, b_eq=b) for s in (1, -1)]
    if ends[0].status == 2:
        return np.nan, np.nan
    return ends[0].fun, -ends[1].fun


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize("seed", range(4))
def test_the_range_left_to_a_constraint_is_that_of_the_full_program(k, seed):
    rng = np.random.default_rng(seed)
    phi = rng.normal(size=(500, k)) @ rng.normal(size=(k, k))
    target = phi.mean(0) + 0.8 * phi.std(0) * rng.choice([-1, 1], size=k)
    for which in range(k):
        expected = range_by_program(phi, target, which)
        np.testing.assert_allclose(feasible_range(phi, target, which), expected, rtol=1e-6, atol=1e-6)


def test_a_range_given_targets_that_exclude_each_other_does_not_exist():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 3))
    x[:, 1] = x[:, 0] + 0.01 * x[:, 1]
    assert np.isnan(feasible_range(x, np.array([1.0, -1.0, 0.0]), 2)).all()


DEPENDENT = {
    "a sum": lambda x, level: np.column_stack([x, x[:, 0] + 2 * x[:, 1] - 1000]),
    "a column twice": lambda x, level: np.column_stack([x[:, 0], 3 * x[:, 0] + 7, x[:, 1]]),
    "all levels": lambda x, level: np.column_stack([np.eye(3)[level], x[:, :2]]),
    "levels and a sum": lambda x, level: np.column_stack([np.eye(3)[level], x[:, 0], x[:, 0] + 5 * (level == 0)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEPENDENT)
@pytest.mark.parametrize("seed", range(3))
def test_the_range_among_linear_functions_of_each_other(kind, seed):
    rng = np.random.default_rng(seed)
    phi = DEPENDENT[kind](rng.normal(size=(300, 3)), rng.integers(0, 3, 300))
    target = rng.dirichlet(np.full(300, 0.3)) @ phi
    for which in range(phi.shape[1]):
        expected = range_by_program(phi, target, which)
        np.testing.assert_allclose(feasible_range(phi, target, which), expected, rtol=1e-6, atol=1e-6)


def test_a_column_that_follows_has_no_range_where_the_others_exclude_each_other():
    x = np.arange(12.0) % 5
    phi = np.column_stack([x, 2 * x, np.arange(12.0), x + np.arange(12.0)])
    assert np.isnan(feasible_range(phi, np.array([1.0, 3.0, 5.0, 0.0]), 3)).all()  # x twice, as 1 and as 1.5
    assert np.isnan(feasible_range(phi, np.array([4.0, 8.0, 1.0, 0.0]), 3)).all()  # where x is 4, rows start at 4
    assert feasible_range(phi, np.array([4.0, 8.0, 4.0, 0.0]), 3) == pytest.approx((8.0, 8.0))
    constant = np.column_stack([np.full(12, 3.0), x])
    assert np.isnan(feasible_range(constant, np.array([2.0, 0.0]), 1)).all()


def test_a_constant_column_can_only_stay():
    phi = np.column_stack([np.full(9, 4.0), np.arange(9.0)])
    assert feasible_range(phi, np.array([4.0, 3.0]), 0) == (4.0, 4.0)
    assert feasible_range(phi, np.array([4.0, 3.0]), 1) == pytest.approx((0.0, 8.0))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_just_inside_the_range_is_solved_and_just_outside_refused(seed):
    rng = np.random.default_rng(seed)
    phi = np.column_stack([rng.normal(size=800), rng.exponential(size=800), rng.integers(0, 4, 800)])
    phi[:, 1] += phi[:, 0]
    target = np.add(phi.mean(0), [0.3, 0.5, 0.4])
    low, high = feasible_range(phi, target, 1)
    for end, sign in ((low, 1), (high, -1)):
        target[1] = end + sign * 1e-4
        assert project(phi, target).status == "solved"
        target[1] = end - sign * 1e-4
        with pytest.raises(InfeasibleTarget):
            project(phi, target)


def test_positions_in_a_square():
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.5]], dtype=float)
    summary = summarise_moments(corners, None)

    def place(*point):
        return Hull(corners, np.array(point), summary).locate().place

    assert place(0.3, 0.7) == "inside"
    assert place(1e-6, 0.5) == "inside"
    assert place(0.0, 0.5) == "surface"
    assert place(0.0, 0.0) == "surface"
    assert place(-1e-6, 0.5) == "outside"
    assert place(2.0, 2.0) == "outside"


def test_the_message_names_each_constraint_and_what_is_left_to_it():
    rng = np.random.default_rng(0)
    age = rng.uniform(20, 80, size=1000)
    years = age - 18 + rng.uniform(-2, 2, size=1000)
    phi = np.column_stack([age, years, rng.normal(size=1000)])
    with pytest.raises(InfeasibleTarget) as caught:
        project(phi, np.array([70.0, 20.0, 0.0]), names=["mean of age", "mean of years", "mean of z"])
    words = str(caught.value)
    low, high = range_by_program(phi, np.array([70.0, 20.0, 0.0]), 0)
    assert f"the mean of age can lie between {low:.6g} and {high:.6g}, not 70" in words
    assert "the mean of years can lie between" in words
    assert "mean of z" not in words  # age and years exclude each other whatever z does


def test_many_targets_that_exclude_each_other_are_said_to():
    rng = np.random.default_rng(0)
    x = rng.normal(size=1000)
    noise = 0.01 * rng.normal(size=(1000, 4))
    phi = x[:, None] + noise
    with pytest.raises(InfeasibleTarget, match="even without any one of them"):
        project(phi, np.array([1.0, -1.0, 1.0, -1.0]))


def test_a_range_that_is_a_point_is_said_as_one():
    phi = np.array([[0.0, 5.0], [0.0, 6.0], [1.0, 7.0]])
    with pytest.raises(InfeasibleTarget, match="the b can only be 7, not 6"):
        project(phi, np.array([1.0, 6.0]), names=["a", "b"])


def test_dependence_on_several_is_named():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    x[:, 2] = 2 * x[:, 0] - x[:, 1] + 5
    t = np.array([0.1, 0.2, 5.0])
    with pytest.raises(DependentConstraints, match="c already follows from the a and the b"):
        project(x, t, names=["a", "b", "c"])
    with pytest.raises(DependentConstraints, match=r"c cannot become 5.5.*whose targets make it 5"):
        project(x, np.add(t, [0, 0, 0.5]), names=["a", "b", "c"])


def test_millions_of_rows_need_few_of_them():
    rng = np.random.default_rng(0)
    phi = rng.normal(size=(200_000, 4))
    hull = Hull(phi, np.full(4, 1.5), summarise_moments(phi, None))
    assert hull.locate().place == "inside"
    assert len(hull.pool) < 1000
