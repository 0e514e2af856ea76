import numpy as np
import pytest

from effects.models import data
from tauscope.effects import (
    ArrayRows,
    PerturbedRows,
    Window,
    accumulated_effect,
    conditional_dependence,
    coupling,
    numeric_grid,
    partial_dependence,
)
from tauscope.errors import InputError, InputTypeError

X = data(120, 4)
INDEX = np.arange(0, 120, 3)
VALUES = np.random.default_rng(4).normal(size=(len(INDEX), 2))
GRID = numeric_grid(X[:, 0], 6)


def model(rows):
    return np.sin(rows[:, 0]) * rows[:, 1] + rows[:, 2] - rows[:, 3]


def moved():
    copy = X.copy()
    copy[np.ix_(INDEX, [1, 3])] = VALUES
    return copy


def test_they_are_the_rows_written_by_hand():
    rows = PerturbedRows(ArrayRows(X), (1, 3), INDEX, VALUES)
    assert (rows.n_rows, rows.n_columns) == X.shape
    for column in range(4):
        assert np.array_equal(rows.column(column), moved()[:, column])
    index = np.array([3, 3, 4])
    expected = moved()[index]
    expected[:, 0] = 9
    assert np.array_equal(rows.substituted(index, (0,), np.full((3, 1), 9.0)), expected)
    expected[:, 1] = 7
    assert np.array_equal(rows.substituted(index, (0, 1), np.array([[9.0, 7.0]] * 3)), expected)


def test_values_must_fit():
    with pytest.raises(InputError, match=r"values must have shape \(40, 2\)"):
        PerturbedRows(ArrayRows(X), (1, 3), INDEX, VALUES[:, :1])


@pytest.mark.parametrize("weights", [None, np.random.default_rng(2).exponential(size=120)])
def test_coupling_of_conditional_dependence(weights):
    options = {"neighbourhood": Window(0.5), "sample_weight": weights}
    perturbed = PerturbedRows(ArrayRows(X), (1, 3), INDEX, VALUES)
    before = conditional_dependence(model, X, (0,), (GRID,), **options)
    after = conditional_dependence(model, perturbed, (0,), (GRID,), **options)
    found = coupling(before, after)
    w = np.ones(120) if weights is None else weights
    for place, point in enumerate(GRID.values):
        near = np.abs(X[:, 0] - point) <= 0.5
        one, two = X[near].copy(), moved()[near].copy()
        one[:, 0] = two[:, 0] = point
        apart = np.abs(model(two) - model(one))
        assert found.bound[0, place] == pytest.approx(np.average(apart, weights=w[near]))
    assert np.all(np.abs(found.change) <= found.bound + 1e-12)


def test_coupling_is_not_of_accumulated_effects():
    one = accumulated_effect(model, X, 0, GRID)
    with pytest.raises(InputTypeError, match="partial and conditional"):
        coupling(one, one)
    with pytest.raises(InputError, match="same features"):
        coupling(partial_dependence(model, X, (0,), (GRID,)), partial_dependence(model, X, (1,), (GRID,)))
