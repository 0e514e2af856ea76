"""How a study's rows are measured: what is a number, a level, a group, and what a unit is."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from study.boundary.cases import QUIET, above, plane

METRICS = ("auto", "auto", "manhattan")


def study_of(X):
    return ts.Study(lambda rows: above(rows), X, above(X), progress=False)


def test_bits_have_the_distance_of_jaccard():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.integers(0, 2, (120, 6)), columns=list("abcdef"))
    X["f"] = X["f"].astype(bool)
    study = study_of(X)
    row = int(np.flatnonzero(study.predicted == 1)[0])
    b = study.boundary(row, **QUIET, metric="jaccard")
    start, point = b.value.astype(float).to_numpy(), b.point.astype(float).to_numpy()
    assert set(point) <= {0.0, 1.0}
    assert b.distance == pytest.approx(1 - np.minimum(start, point).sum() / np.maximum(start, point).sum())
    assert "at a Jaccard distance of" in b.sentence


def test_ordered_levels_are_gone_through_one_by_one():
    grades = pd.Categorical(np.tile(["low", "mid", "high", "top"], 50), ["low", "mid", "high", "top"], ordered=True)
    X = plane(grade=grades)
    study = ts.Study(lambda rows: rows["grade"].cat.codes.to_numpy() > 1, X, X["grade"].cat.codes > 1, progress=False)
    b = study.boundary(0, **QUIET, monotonic_cst={"grade": 1})
    assert b.spec.metric == "euclidean"
    assert (b.value["grade"], b.point["grade"]) == ("low", "high")
    assert study.boundary(0, **QUIET, bounds={"grade": ("low", "mid")}).status == "none_within_constraints"


def test_groups_of_bits_are_found_or_given_or_none():
    X = plane(u=np.tile([1, 0, 0, 1], 50), v=np.tile([0, 1, 1, 0], 50), w=np.tile([0, 0, 1, 1], 50))
    study = study_of(X)
    assert study.boundary(0, **QUIET).spec.one_hot == (("u", "v"),)
    assert study.boundary(0, **QUIET, one_hot=[["u", "v"]]).spec.one_hot == (("u", "v"),)
    assert study.boundary(0, **QUIET, one_hot=None).spec.one_hot == ()
    with pytest.raises(ts.InputError, match="one group of one_hot"):
        study.boundary(0, **QUIET, one_hot=[["u", "v"], ["v", "u"]])


def test_units_ignore_missing_values():
    X = plane(c=np.r_[np.full(20, np.nan), np.arange(180.0)])
    b = study_of(X).boundary(30, **QUIET)
    assert b.numbers.columns[2].scale == pytest.approx(np.std(np.arange(180)))
    assert study_of(X).boundary(30, **QUIET, metric="gower").numbers.columns[2].scale == 179


def test_rows_are_measured_once_for_the_same_options():
    study = study_of(plane())
    spaces = [study.boundary(row, **QUIET, metric=metric).numbers.space for row, metric in enumerate(METRICS)]
    assert spaces[0] is spaces[1]
    assert [space.metric for space in spaces] == ["euclidean", "euclidean", "manhattan"]
    assert study.with_weights(np.ones(study.n_rows)).boundary(0, **QUIET, metric="manhattan").numbers.space is spaces[2]
    half = study.where(np.arange(study.n_rows) % 2 == 0).boundary(0, **QUIET, metric="manhattan").numbers.space
    assert (half.scale != spaces[2].scale).all()
