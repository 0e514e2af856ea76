"""Sides in the numbers as they came hold the rows that cells of rounded ones hold."""

import numpy as np
import pytest

from tauscope.rules.grid import Grid, simplest_between, unrounded
from tauscope.rules.growth import GridBox

LARGEST = float(np.finfo(np.float32).max)
N = 60


def columns(rng):
    """Draw numbers as people have them; most are none of float32's."""
    step = rng.integers(-30, 30, N)
    return {
        "tenths": np.round(step / 10, 1),
        "hundredths": np.round(23 + step / 100, 2),
        "single": np.round(step / 10, 1).astype(np.float32).astype(np.float64),
        "whole": step.astype(np.float64),
        "whole beyond 2²⁴": 2.0**24 + step,
        "halves below −2²⁴": -(2.0**24) - step / 2,
        "tenths about 10⁷": np.round(1e7 + step / 10, 1),
        "neighbours": 1 + step * 2.0**-26,
        "small": step * 1e-30,
        "least": step * 1e-45,
        "large": step * 1e30,
        "every size": rng.normal(size=N) * 10.0 ** rng.integers(-40, 38, N),
    }


def thresholds(rng, values):
    """Draw midpoints as a forest would, and rows' own values: float32 at or below them."""
    pairs = rng.choice(values, (12, 2)).astype(np.float32).astype(np.float64)
    cuts = np.concatenate([pairs.mean(axis=1), pairs[:4, 0]])
    single = cuts.astype(np.float32)
    down = np.nextafter(single, np.float32(-np.inf))
    return np.unique(np.where(single > cuts, down, single).astype(np.float64))


@pytest.mark.parametrize("single_precision", [True, False])
@pytest.mark.parametrize("name", columns(np.random.default_rng(0)))
@pytest.mark.slow
def test_sides_hold_the_rows_of_their_cells_and_no_more(name, single_precision):
    rng = np.random.default_rng(0)
    for _ in range(2):
        values = columns(rng)[name]
        cuts = thresholds(rng, values)
        grid = Grid((cuts,), single_precision)
        cells = grid.cells(values[:, None])
        about = unrounded(cuts)
        others = np.concatenate([cuts, about, np.nextafter(about, np.inf), np.nextafter(about, -np.inf)])[:, None]
        for first in range(len(cuts) + 1):
            for last in range(first, len(cuts) + 1):
                box = GridBox(np.array([first]), np.array([last]))
                sides = grid.sides(box, values[:, None], cells)
                assert (sides.inside(values[:, None]) == box.inside(cells)).all()
                # of numbers that are no rows none comes in from another cell
                assert not (sides.inside(others) & ~box.inside(grid.cells(others))).any()


def test_a_value_that_is_rounded_onto_a_threshold_is_inside():
    values = np.array([[23.1], [23.22], [23.3]])
    cuts = np.array([23.15, 23.22]).astype(np.float32).astype(np.float64)
    assert values[1, 0] > cuts[1]
    grid = Grid((cuts,), single_precision=True)
    sides = grid.sides(GridBox(np.array([0]), np.array([1])), values, grid.cells(values))
    assert sides.upper == [23.22]
    assert sides.inside(values).tolist() == [True, True, False]


def test_the_largest_number_that_is_rounded_to_at_most_a_threshold():
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.integers(-46, 38, 500)
    odd = [0.0, -0.0, 1.0, -1.0, 2.0**24, 2.0**24 + 1, -(2.0**24), 1e-45, -1e-45, 1e-46, LARGEST, -LARGEST]
    cuts = np.concatenate([rng.normal(size=500) * sizes, odd])
    ends = unrounded(cuts)
    with np.errstate(over="ignore"):
        assert (ends.astype(np.float32) <= cuts).all()
        assert (np.nextafter(ends, np.inf).astype(np.float32) > cuts).all()
    assert unrounded(np.array([-np.inf, np.inf])).tolist() == [-np.inf, np.inf]
    assert unrounded(np.array([2.0**24, 2.0**24 + 2])).tolist() == [2**24 + 1, np.nextafter(2**24 + 3, 0)]  # a tie


@pytest.mark.parametrize("size", [1e-305, 1e-70, 1.0, 1e15, 1e17, 1e150])
def test_a_short_number_lies_between_whatever_the_size(size):
    rng = np.random.default_rng(0)
    for low in (size * rng.normal(size=300)).tolist():
        high = low
        for _ in range(rng.integers(1, 9)):
            high = float(np.nextafter(high, np.inf))
        for end in (high, low + abs(low) * 10.0 ** -int(rng.integers(0, 12))):
            assert low <= simplest_between(low, end) < end
