"""Constraints as values: what they accept, how they join, how they read."""

import numpy as np
import pytest

from tauscope.errors import DependentConstraints, InputError, InputTypeError
from tauscope.stress.joint.constraints import Covariance, Mean, Moment, Share, Stress, Variance, as_stress


def spread_of(rows):
    return rows


def test_joining_keeps_the_order_and_flattens():
    a, b, c = Mean("age", tau=0.5), Covariance("age", "hours", 0.0), Mean("hours", tau=0)
    joined = a & b & c
    assert tuple(joined) == (a, b, c)
    assert tuple(a & (b & c)) == (a, b, c)
    assert tuple((a & b) & Stress((c,))) == (a, b, c)
    assert len(joined) == 3
    assert as_stress(joined) is joined
    assert as_stress(a) == Stress((a,))


def test_a_stress_reads_as_the_code_that_makes_it():
    stress = (
        Mean("age", target=45)
        & Variance("age", scale=1.5)
        & Variance("hours", target=9.0)
        & Covariance("age", "hours", 0.0)
        & Share("sex", "Female", 0.5)
        & Share("flag", True, tau=-0.5)
    )
    assert repr(stress) == (
        "ts.Mean('age', target=45) & ts.Variance('age', scale=1.5) & ts.Variance('hours', target=9.0) & "
        "ts.Covariance('age', 'hours', 0.0) & ts.Share('sex', 'Female', 0.5) & ts.Share('flag', True, tau=-0.5)"
    )


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (Moment(spread_of, 1.0), "ts.Moment(spread_of, 1.0)"),
        (Moment(lambda rows: rows, [1, 2.5]), "ts.Moment(…, [1.0, 2.5])"),
        (Moment(np.zeros(3), 0, name="zero"), "ts.Moment(…, 0.0, name='zero')"),
    ],
)
def test_a_moment_reads_as_far_as_code_can(moment, words):
    assert repr(moment) == words


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        (Mean("age", tau=0), "mean of age"),
        (Share("sex", "Female", 0.5), "share of sex = Female"),
        (Variance("age", scale=2), "variance of age"),
        (Covariance("a", "b", 0), "covariance of a and b"),
        (Moment(spread_of, 0), "spread_of"),
        (Moment(lambda rows: rows, 0), "moment"),
        (Moment(spread_of, 0, name="reach"), "reach"),
    ],
)
def test_quantities_in_words(constraint, words):
    assert constraint.quantity == words


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (Mean("age", tau=0.5), Mean("age", target=45), "mean of age is constrained twice"),
        (Share("sex", "F", 0.5), Share("sex", "F", tau=1), "share of sex = F is constrained twice"),
        (Share("sex", "F", 0.5), Mean("sex = F", tau=1), "mean of sex = F is constrained twice"),
        (Variance("age", scale=2), Variance("age", target=4), "variance of age is constrained twice"),
        (Covariance("a", "b", 0), Covariance("b", "a", 1), "covariance of b and a is constrained twice"),
        (Moment(spread_of, 0), Moment(spread_of, 1), "spread_of is constrained twice"),
        (Moment(np.zeros(2), 0, name="m"), Moment(spread_of, 1, name="m"), "The m is constrained twice"),
    ],
)
def test_one_quantity_is_constrained_once(a, b, words):
    with pytest.raises(DependentConstraints, match=words):
        a & b


def test_different_quantities_of_one_column_go_together():
    assert len(Mean("age", tau=1) & Variance("age", scale=2) & Covariance("age", "b", 0)) == 3
    assert len(Share("sex", "F", 0.5) & Share("sex", "M", 0.4)) == 2
    assert len(Moment(lambda r: r, 0) & Moment(lambda r: r, 0)) == 2


@pytest.mark.parametrize("other", [3, "age", None])
def test_only_constraints_can_be_joined(other):
    with pytest.raises(TypeError):
        Mean("age", tau=1) & other
    with pytest.raises(TypeError):
        as_stress(Mean("age", tau=1)) & other
    with pytest.raises(InputTypeError, match="A stress is made of constraints"):
        as_stress(other)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Mean(3.5, tau=0), InputTypeError, "Mean takes the name of a feature; got 3.5"),
        (lambda: Mean("age"), InputError, "exactly one of tau, target .*; got none"),
        (lambda: Mean("age", tau=0, target=3), InputError, "exactly one of tau, target .*; got tau and target"),
        (lambda: Mean("age", tau=1.5), InputError, r"tau must be in \[-1, 1\]; got 1.5"),
        (lambda: Mean("age", tau=True), InputTypeError, "tau must be a number; got True"),
        (lambda: Mean("age", target="old"), InputTypeError, "target must be a number; got 'old'"),
        (lambda: Mean("age", target=np.nan), InputError, "target must be finite; got nan"),
        (lambda: Share(3.5, "F", 0.5), InputTypeError, "Share takes the name"),
        (lambda: Share("sex", "F"), InputError, "exactly one of tau.* got none"),
        (lambda: Share("sex", "F", 1.2), InputError, r"target must be in \[0, 1\]; got 1.2"),
        (lambda: Share("sex", "F", tau=-2), InputError, r"tau must be in \[-1, 1\]; got -2"),
        (lambda: Variance(None, scale=1), InputTypeError, "Variance takes the name"),
        (lambda: Variance("age"), InputError, "exactly one of target and scale; got none"),
        (lambda: Variance("age", scale=0), InputError, "scale must be above 0; got 0"),
        (lambda: Variance("age", target=-1), InputError, "target must be above 0; got -1"),
        (lambda: Covariance("age", "age", 1), InputError, "needs two features; got 'age' twice"),
        (lambda: Covariance("age", 2.5, 1), InputTypeError, "Covariance takes the name"),
        (lambda: Covariance("age", "b", None), InputError, "exactly one of target; got none"),
        (lambda: Covariance("age", "b", np.inf), InputError, "target must be finite; got inf"),
        (lambda: Moment("age", 3), InputTypeError, "a function of the rows or an array; got 'age'"),
        (lambda: Moment(spread_of, "much"), InputTypeError, "one for each column; got 'much'"),
        (lambda: Moment(spread_of, [1, np.nan]), InputError, "target must be finite; got nan"),
    ],
)
def test_bad_constraints_are_refused_in_words(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_constraints_are_frozen():
    with pytest.raises(AttributeError):
        Mean("age", tau=0).tau = 1  # type: ignore[misc]
