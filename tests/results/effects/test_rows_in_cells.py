"""Rows in the cells of a map."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.results.effects.rows_in_cells import rows_in_cells


def table() -> pd.DataFrame:
    i = np.arange(60)
    age = 20.0 + (7 * i) % 41
    age[[3, 30]] = np.nan
    return pd.DataFrame({"age": age, "level": np.array(["low", "middle", "high"])[i % 3], "slope": i * 1.0})


def cell_of(axis, value):
    """The place of a value, by hand: its level, or the nearest point; -1 beyond the grid."""
    if pd.isna(value):
        missing = np.flatnonzero(np.isnan(axis.points))
        return int(missing[0]) if len(missing) else -1
    if axis.kind == "levels":
        return axis.labels.index(value)
    if not np.nanmin(axis.points) <= value <= np.nanmax(axis.points):
        return -1
    return int(np.nanargmin(np.abs(axis.points - value)))


@pytest.mark.parametrize(
    ("pair", "grid"), [(("age", "slope"), 6), (("level", "age"), 5), (("age", "slope"), [[25.0, 40.0], [10.0, 30.0]])]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_are_counted_where_they_lie(pair, grid, weighted):
    X = table()
    weight = (X["slope"] > 20).astype(float) if weighted else None
    effect = ts.Study(lambda rows: rows["slope"] > 30, X, X["slope"] > 30, sample_weight=weight).effect(
        list(pair), grid=grid
    )
    found = rows_in_cells(effect)
    wanted = np.zeros([len(axis) for axis in effect._axes], dtype=int)
    for row in X[X["slope"] > 20].itertuples() if weighted else X.itertuples():
        at = tuple(cell_of(axis, getattr(row, axis.name)) for axis in effect._axes)
        if min(at) >= 0:
            wanted[at] += 1
    assert wanted.sum() > 0
    np.testing.assert_array_equal(found, wanted)


def test_rows_in_chunks_are_not_at_hand():
    X = table().dropna()
    study = ts.ChunkedStudy(lambda rows: rows["slope"] > 30, [X[:30], X[30:]])
    assert rows_in_cells(study.effect(["age", "slope"], grid=4)) is None
