import numpy as np
import pytest

from tauscope.results.rules.columns import Condition, RuleColumn
from tauscope.views.rules.answer import MISSING, MOST_CUTS, find_cells


def within(condition, values):
    return np.where(
        np.isnan(values), condition.missing, (values > condition.lower) & (values <= condition.upper)
    ).astype(bool)


@pytest.mark.parametrize(
    ("lower", "upper"),
    [(-np.inf, 0.31), (0.1, np.inf), (-0.2, 0.25), (-9.0, 9.0), (-np.inf, np.inf), (np.inf, -np.inf)],
)
@pytest.mark.parametrize("n", [1, 7, 900])
def test_cells_tell_the_same_rows_apart(lower, upper, n):
    values = np.random.default_rng(0).normal(size=n)
    values[::5] = np.nan if n > 1 else 0.3
    condition = Condition(RuleColumn("x", "number"), lower, upper, True, True, 0.2, -3.0, 3.0)
    cells = find_cells(condition, values)
    inside = np.array([*cells.inside, *[False] * (MISSING - len(cells.inside)), True])
    np.testing.assert_array_equal(inside[cells.of_rows], within(condition, values))
    assert len(cells.inside) == len(cells.cuts) + 1 <= MOST_CUTS + 3
    assert cells.cuts == sorted(set(cells.cuts))
    assert {end for end in (lower, upper) if np.isfinite(end)} <= set(cells.cuts)


def test_every_value_has_a_cell_where_they_are_few():
    condition = Condition(RuleColumn("x", "number", integer=True), 2.0, 5.0, False, False, 4.0, 1.0, 8.0)
    cells = find_cells(condition, np.array([1.0, 2, 3, 5, 8, 8]))
    assert cells.cuts == [1.0, 2.0, 3.0, 5.0]
    assert cells.of_rows.tolist() == [0, 1, 2, 3, 4, 4]
    assert cells.inside == [False, False, True, True, False]


@pytest.mark.parametrize("n", [4, 300])
def test_levels(n):
    column = RuleColumn("x", "levels", tuple(map(str, range(n))))
    condition = Condition(column, 0.5, 2.5, False, True, 1.0)
    cells = find_cells(condition, np.array([0.0, 1, 2, 3, np.nan]))
    assert cells.cuts == []
    inside = np.array(cells.inside)
    assert inside[cells.of_rows[:4]].tolist() == [False, True, True, False]
    assert cells.of_rows[4] == MISSING
    assert len(inside) == (4 if n == 4 else 2)
