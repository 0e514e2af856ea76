"""Directions pooled over rows: by hand, and weighted as the study is."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from study.boundary.cases import QUIET, above, flowers, logistic, plane, progression
from tauscope.errors import InputError


def by_hand(bs: ts.Boundaries, weight: np.ndarray, sign: np.ndarray) -> np.ndarray:
    directions = bs.directions.to_numpy() * sign[:, None]
    scaled = directions / np.abs(directions).max(axis=1, keepdims=True)
    total = (weight[:, None] * scaled).sum(axis=0)
    return total / np.linalg.norm(total)


@pytest.mark.slow
def test_it_is_the_weighted_mean_of_directions_towards_the_positive_class():
    study, rows = logistic(), [3, 19, 20, 40]
    pooled = study.pooled_boundary(rows, **QUIET)
    bs = study.boundaries(rows, **QUIET)
    sign = np.where(study.predicted[rows] == 1, -1, 1)
    assert set(sign) == {-1, 1}
    np.testing.assert_allclose(pooled.direction, by_hand(bs, np.ones(4), sign), atol=1e-12)
    assert pooled.towards == "malignant"
    parts = [f"{part}{end}" for part in ("present", "absent") for end in ("", "_lower", "_upper")]
    assert list(pooled.frame.columns) == ["feature", "direction", "lower", "upper", *parts, "n"]
    assert pooled.frame["direction"].abs().is_monotonic_decreasing


@pytest.mark.slow
def test_under_a_stress_rows_weigh_by_it():
    study, rows = logistic(), [3, 19, 20, 40]
    stressed = study.under(ts.Mean("mean radius", tau=0.7))
    pooled = stressed.pooled_boundary(rows, **QUIET)
    sign = np.where(study.predicted[rows] == 1, -1, 1)
    expected = by_hand(study.boundaries(rows, **QUIET), stressed.sample_weight[rows], sign)
    np.testing.assert_allclose(pooled.direction, expected, atol=1e-12)
    assert pooled.weighted
    unstressed = study.pooled_boundary(rows, **QUIET)
    assert not np.allclose(pooled.direction, unstressed.direction)
    assert "the weights taken as known" in repr(pooled)
    assert "weights" not in repr(unstressed)
    again = unstressed.under(ts.Mean("mean radius", tau=0.7))
    pd.testing.assert_frame_equal(again.frame, pooled.frame)
    assert again.source is not None
    np.testing.assert_array_equal(again.source.sample_weight, stressed.sample_weight)


@pytest.mark.slow
def test_intervals_are_of_the_confidence_wanted():
    X = plane(word=np.tile([0, 1], 100))
    study = ts.Study(LogisticRegression().fit(X, above(X)), X, above(X), progress=False)
    wide, narrow = (study.pooled_boundary(range(30), **QUIET, confidence=level) for level in (0.99, 0.5))
    width = [one.direction_ends[1] - one.direction_ends[0] for one in (wide, narrow)]
    assert (width[0] >= width[1]).all()
    assert wide._document()["interval"].startswith("99 % interval")
    with pytest.raises(InputError, match="confidence must lie in"):
        study.pooled_boundary(range(3), **QUIET, confidence=1)


def test_new_rows_are_weighed_by_no_stress():
    X = plane()
    study = ts.Study(LogisticRegression().fit(X, above(X)), X, above(X), progress=False)
    pooled = study.pooled_boundary(X.head(12) + 0.01, **QUIET)
    assert pooled.n_new == 12
    with pytest.raises(InputError, match="these are 12 new rows"):
        pooled.under(ts.Mean("a", tau=0.5))


@pytest.mark.slow
def test_present_and_absent_parts_add_up():
    X = plane(word=np.tile([0, 1], 100), other=np.tile([0, 0, 1, 3], 50))
    y = above(X) ^ (X["word"] == 1)
    study = ts.Study(LogisticRegression().fit(X, y), X, y, progress=False)
    rows = np.arange(24)
    pooled = study.pooled_boundary(rows, **QUIET)
    np.testing.assert_allclose(pooled.present + pooled.absent, pooled.direction, atol=1e-12)
    table = pooled.frame.set_index("feature")
    assert table.loc["word", "n"] == 12
    assert table.loc["other", "n"] == 12
    assert table.loc["a", ["absent", "n"]].tolist() == [0.0, 24]


def test_errors_are_the_rows_misclassified():
    study = logistic()
    y = study.y
    predicted = np.array(study.classes, dtype=object)[study.predicted]
    np.testing.assert_array_equal(study.errors, np.flatnonzero(y != predicted))
    pooled = study.pooled_boundary(study.errors, **QUIET)
    assert pooled.n_rows == len(study.errors)
    assert "Pooled boundary of" in repr(pooled)


def test_at_most_so_many_rows_are_drawn_and_said():
    study = logistic()
    pooled = study.pooled_boundary(max_rows=9, **QUIET)
    drawn = pooled.boundaries._numbers.row
    assert (len(np.unique(drawn)), pooled.n_drawn_from, len(pooled._given)) == (9, study.n_rows, study.n_rows)
    assert drawn.max() - drawn.min() > study.n_rows / 3, "from all over"
    assert f"9 of {study.n_rows} rows were drawn, with random_state=0" in pooled.notes
    assert f"of 9 drawn from all {study.n_rows} rows;" in repr(pooled)
    assert pooled._document()["n_drawn_from"] == study.n_rows
    again = study.pooled_boundary(drawn, **QUIET)
    np.testing.assert_allclose(again.direction, pooled.direction, atol=1e-12)
    assert (again.n_drawn_from, pooled.under(ts.Mean("mean radius", tau=0.3)).n_drawn_from) == (0, study.n_rows)
    other = study.pooled_boundary(max_rows=9, **{**QUIET, "random_state": 1})
    assert set(other.boundaries._numbers.row) != set(drawn)


def test_a_few_of_new_rows_errors_or_a_mask_are_drawn():
    study = logistic()
    n = len(study.errors)
    pooled = study.pooled_boundary(study.errors, max_rows=3, **QUIET)
    assert set(pooled.boundaries._numbers.row) < set(study.errors)
    assert f"of 3 drawn from the {n} rows that the model misclassifies;" in repr(pooled)
    whole = study.pooled_boundary(study.errors, max_rows=n, **QUIET)
    assert (whole.n_drawn_from, len(whole.boundaries)) == (0, n)
    mask = study.X["mean radius"] > 20
    pooled = study.pooled_boundary(mask, max_rows=2, **QUIET)
    assert f"of 2 drawn from {mask.sum()} of {study.n_rows} rows;" in repr(pooled)
    new = study.pooled_boundary(study.X.head(8) * 1.01, max_rows=5, **QUIET)
    assert (new.n_new, new.n_drawn_from) == (5, 8)
    assert "of 5 drawn from 8 new rows;" in repr(new)


def test_a_draw_by_chance_says_its_seed_and_can_be_repeated():
    study = logistic()
    pooled = study.pooled_boundary(max_rows=4, n_samples=50, progress=False)
    again = study._pooled_boundary_from(None, pooled.boundaries._spec, max_rows=4, progress=False)
    np.testing.assert_array_equal(again.boundaries._numbers.row, pooled.boundaries._numbers.row)
    np.testing.assert_allclose(again.direction, pooled.direction, atol=1e-12)


def test_no_rows_cannot_be_drawn():
    with pytest.raises(InputError, match="max_rows must be at least 1; got 0"):
        logistic().pooled_boundary(max_rows=0, **QUIET)


@pytest.mark.slow
def test_a_target_is_what_all_directions_lead_to():
    pooled = flowers().pooled_boundary([0, 60], **QUIET, target="virginica")
    assert pooled.towards == "virginica"
    assert flowers().pooled_boundary([0, 60, 110], **QUIET).towards is None
    assert progression().pooled_boundary([0, 1], threshold=150, **QUIET).towards == "above 150"


def test_rows_without_a_boundary_are_left_out_and_said():
    X = pd.concat([plane(100), plane(100) * 0.0 + 0.15])
    X.index = range(200)
    study = ts.Study(lambda rows: above(rows), X, above(X), progress=False)
    with pytest.raises(InputError, match="direction and a weight"):
        study.pooled_boundary([0, 1], **QUIET, fixed=["a", "b"])
    low = [i for i in range(100) if X["a"][i] < -1.5]
    pooled = study.pooled_boundary([*low, 0, 1, 2], **QUIET, bounds={"a": (None, 4)}, max_model_rows=4000)
    assert pooled.n_rows >= 1


def test_what_has_no_errors_says_so():
    with pytest.raises(InputError, match="misclassifies nothing"):
        _ = progression().errors
    with pytest.raises(InputError, match="this study has none"):
        _ = ts.Study(lambda rows: above(rows), plane(), progress=False).errors
