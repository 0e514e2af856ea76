"""Bounds met on the way down, both ways of walking, and the rows within them."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

from tauscope.rules import walks
from tauscope.rules.cells import find_cells, find_cells_near
from tauscope.rules.layout import ABOVE, BELOW, GIVEN, N_SIDES, RowSets, Splits, TreeBlock
from tauscope.rules.reading import read_forest
from tauscope.rules.walks import Lattice, LatticeWalk, RowWalk


def block(missing=False, n=200, p=4):
    random = np.random.default_rng(0)
    X = np.round(random.normal(size=(n, p)), 1)
    y = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=n)
    if missing:
        X[random.random(X.shape) < 0.2] = np.nan
    read = read_forest(RandomForestRegressor(3, random_state=0).fit(X, y), X)
    rows = read.trees.compared(X)
    splits = Splits.read(read.trees, 0, 3, p)
    return TreeBlock(0, splits, RowSets(splits, np.ascontiguousarray(rows.T), read.counts)), rows, read


@pytest.mark.parametrize("missing", [False, True])
def test_both_walks_meet_the_same_bounds(missing, monkeypatch):
    trees, rows, _ = block(missing)
    gapped = np.isnan(rows).any(axis=0)
    columns = np.arange(4)
    lattice = LatticeWalk(trees.splits, rows[:1], Lattice(columns), gapped)
    used = (np.arange(16) >> columns[:, None] & 1).astype(bool)
    plain = RowWalk(trees.splits, rows[:1], np.zeros(16, dtype=int), used, columns, gapped)
    assert np.array_equal(lattice.bounds, plain.bounds)
    every, some = np.arange(3 * 16), np.array([1, 5, 17, 40])
    tables = [lattice.tightest(level, every) for level in range(trees.splits.n_levels + 1)]
    assert (tables[0] == lattice.no_bound).all()
    for level, table in enumerate(tables):
        assert np.array_equal(plain.tightest(level, every), table)
        assert np.array_equal(plain.tightest(level, some), table[some])
    few, of_two = lattice.among(np.array([1, 5, 9]), np.arange(1, 3)), np.array([17, 21, 25, 33, 37, 41])
    for level, table in enumerate(tables):
        assert np.array_equal(few.tightest(level, np.arange(3, 9)), table[of_two])
    assert np.array_equal(
        few.tightest_at(np.array([2, 0, 5]), np.array([3, 4, 8]))[[0, 2]], [tables[2][17], tables[5][41]]
    )
    monkeypatch.setattr(walks, "KEPT_BYTES", 0)
    for level in (3, 1):  # in any order, and from tables made anew
        assert np.array_equal(lattice.tightest(level, some), tables[level][some])


@pytest.mark.parametrize("missing", [False, True])
def test_where_the_search_starts_does_not_matter(missing):
    trees, rows, _ = block(missing)
    gapped = np.isnan(rows).any(axis=0)
    columns = np.arange(4)
    walk = LatticeWalk(trees.splits, rows[:1], Lattice(columns), gapped)
    used = (np.arange(16) >> columns[:, None] & 1).astype(bool)
    plain = RowWalk(trees.splits, rows[:1], np.zeros(16, dtype=int), used, columns, gapped)
    every = np.arange(3 * 16)
    first = find_cells(trees, plain, every, 5)
    for start in (-1, 2, 7, 99):
        for one in (walk, walk.among(np.arange(16), np.arange(3))):
            cells = find_cells_near(trees, one, every, 5, start)
            assert np.array_equal(cells.sets[cells.cell_of], first.sets[first.cell_of])
            assert np.array_equal(cells.count[cells.cell_of], first.count[first.cell_of])
            assert np.array_equal(cells.codes[cells.cell_of], first.codes[first.cell_of])
            assert np.array_equal(cells.level, first.level)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_packed_sets_are_the_rows_that_keep_a_bound(missing, whole):
    trees, rows, read = block(missing)
    splits, sets = trees.splits, trees.sets
    sets.pack_whole = whole
    for side in (ABOVE, BELOW, GIVEN):
        code = np.zeros_like(splits.code) if side == GIVEN else splits.code if side == ABOVE else splits.from_top
        packed, slot = sets.within(splits.tree, splits.column * N_SIDES + side, code)
        limit = splits.thresholds_of(splits.tree, splits.column, np.full(len(code), side), code)
        for i in range(0, len(code), 7):
            tree, values = splits.tree[i], rows[:, splits.column[i]]
            count = sets.counts((packed[slot[i]] & sets.everyone[tree])[None])[0]
            kept = ~np.isnan(values)
            if side != GIVEN:
                assert limit[i] == splits.threshold[i]
                kept = ~kept | (values <= limit[i] if side == ABOVE else values > limit[i])
            assert count == read.counts[tree][kept].sum()


def test_rows_drawn_equally_often_share_words():
    trees, _, read = block()
    sets = trees.sets
    for tree in range(3):
        own = sets.rows[tree] >= 0
        assert sorted(sets.rows[tree][own]) == np.flatnonzero(read.counts[tree]).tolist()
        assert np.array_equal(sets.count[tree][own], read.counts[tree][sets.rows[tree][own]])
        assert all(len(set(word[word > 0])) <= 1 for word in sets.count[tree].reshape(-1, 64))
    assert sets.counts(sets.everyone).tolist() == [200] * 3
