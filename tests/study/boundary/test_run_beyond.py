"""Flips at values that no row has are told, with the bounds that keep them among the rows."""

import ast
import re

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.boundary.space import Limits
from tauscope.data.columns import Column
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.study.boundary.run import beyond_notes

COLUMNS = tuple(BoundaryColumn(name, "number") for name in ("a", "b", "c", "d"))
SOURCES = [
    Column(name, "numeric", lower=lower, upper=upper)
    for name, lower, upper in (("a", 0.0, 1.0), ("b", -5.0, 12_000.0), ("c", 0.0, 1.0), ("d", np.nan, np.nan))
]


def notes(point, start=(0.5, 0.0, 0.5, np.nan), lower=-np.inf, columns=COLUMNS):
    limits = Limits.none(len(point), 4)
    limits.lower[:] = lower
    return beyond_notes(columns, SOURCES, limits, np.tile(start, (len(point), 1)), np.array(point, dtype=np.float64))


def test_what_no_row_reaches_is_named_with_its_bounds():
    assert notes([[-0.2, 13_000.0, 0.5, np.nan]]) == (
        "no row reaches a −0.2, b 13,000: to stay among the rows give bounds={'a': (0, 1), 'b': (-5, 12000)}",
    )
    assert notes([[0.2, 4.0, 0.5, np.nan], [2.0, 4.0, 0.5, np.nan], [np.nan] * 4]) == (
        "1 of 3 points has a value that no row reaches, of a: to stay among the rows give bounds={'a': (0, 1)}",
    )


@pytest.mark.parametrize(
    ("point", "options"),
    [
        ([1.0, 12_000.0, 0.0, np.nan], {}),
        ([1 + 1e-9, 0.0, 0.5, np.nan], {}),  # rounding
        ([-0.2, 0.0, 0.5, np.nan], {"lower": -1.0}),  # a limit was given
        ([-0.2, 0.0, 0.5, np.nan], {"start": (-0.4, 0.0, 0.5, np.nan)}),  # the row itself is farther out
        ([-1.0, 0.0, 0.5, np.nan], {"columns": (BoundaryColumn("a", "levels", ("x", "y")), *COLUMNS[1:])}),
        ([np.nan] * 4, {}),
    ],
)
def test_other_points_are_not(point, options):
    assert notes([point], **options) == ()


def test_the_bounds_named_keep_the_flip_among_the_rows():
    X = pd.DataFrame(np.random.default_rng(0).random((300, 2)), columns=["width", "height"])
    here = ts.Study(lambda rows: (rows.to_numpy().sum(axis=1) > 1.5) * 1, X, task="binary", progress=False)
    row = int((X["width"] - X["height"]).to_numpy().argmax())  # the shortest way goes beyond the widest
    (note,) = [note for note in here.boundary(row, random_state=0, progress=False).notes if "no row reaches" in note]
    bounds = ast.literal_eval(re.sub(".*bounds=", "", note))
    assert bounds == {"width": pytest.approx((X["width"].min(), X["width"].max()), rel=1e-5)}
    kept = here.boundary(row, bounds=bounds, random_state=0, progress=False)
    assert kept.status == "found"
    assert not [note for note in kept.notes if "no row reaches" in note]
