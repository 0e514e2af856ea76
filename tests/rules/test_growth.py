"""Grown boxes against all boxes of a small grid, and what must hold of each."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tauscope.rules.growth import GridBox, grow_box


def best_of_all(cells, allowed, weight, start, n_cells):
    """Return the most weight that any box around the start holds, by trying all."""
    best = 0.0
    axes = [
        [(a, b) for a in range(first + 1) for b in range(last, n)]
        for first, last, n in zip(start.first, start.last, n_cells, strict=True)
    ]
    for ends in product(*axes):
        first, last = np.array(ends).T
        inside = GridBox(first, last).inside(cells) & (weight > 0)
        if (inside & ~allowed).any():
            continue
        best = max(best, float(weight[inside].sum()))
    return best


def draw(seed, k, n=30, size=6):
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, size, (n, k))
    allowed = rng.random(n) < 0.7
    allowed[(cells == cells[0]).all(axis=1)] = True
    return cells, allowed, rng.integers(0, 3, n).astype(float), GridBox(cells[0], cells[0]), np.full(k, size)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3))
def test_no_forbidden_row_comes_in_and_no_side_can_move_further(seed, k):
    cells, allowed, weight, start, n_cells = draw(seed, k)
    box = grow_box(cells, allowed, weight, start, n_cells)
    some = weight > 0
    assert not (box.inside(cells) & some & ~allowed).any()
    assert (box.first <= start.first).all()
    assert (box.last >= start.last).all()
    assert (box.first >= 0).all()
    assert (box.last < n_cells).all()
    for axis in range(k):
        for step, ends in ((-1, box.first), (1, box.last)):
            if not 0 <= ends[axis] + step < n_cells[axis]:
                continue
            first, last = box.first.copy(), box.last.copy()
            (first if step < 0 else last)[axis] += step
            assert (GridBox(first, last).inside(cells) & some & ~allowed).any()


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 3])
def test_it_holds_nearly_as_much_as_the_best_box(k):
    held, most = 0.0, 0.0
    for seed in range(25):
        drawn = draw(seed, k)
        box = grow_box(*drawn)
        cells, _, weight, _, _ = drawn
        held += float(weight[box.inside(cells)].sum())
        most += best_of_all(*drawn)
    assert held <= most
    assert held >= {1: 1.0, 2: 0.97, 3: 0.93}[k] * most


@pytest.mark.slow
def test_more_orders_never_hold_less_and_one_seed_gives_one_box():
    gains = []
    for seed in range(20):
        cells, allowed, weight, start, n_cells = draw(seed, 4, n=120, size=12)
        few = grow_box(cells, allowed, weight, start, n_cells, n_orders=0)
        many = grow_box(cells, allowed, weight, start, n_cells, n_orders=24, seed=3)
        again = grow_box(cells, allowed, weight, start, n_cells, n_orders=24, seed=3)
        assert (many.first == again.first).all()
        assert (many.last == again.last).all()
        gains.append(weight[many.inside(cells)].sum() - weight[few.inside(cells)].sum())
    assert min(gains) >= 0
    assert max(gains) > 0


def test_without_forbidden_rows_the_box_is_the_whole_grid():
    cells, _, weight, start, n_cells = draw(0, 3)
    box = grow_box(cells, np.ones(len(cells), bool), weight, start, n_cells)
    assert (box.first == 0).all()
    assert (box.last == n_cells - 1).all()
