"""Many rows in one run: each answer that of the row alone."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from study.boundary.cases import QUIET, flowers, forest, logistic, mixed
from tauscope.errors import InputError, InputTypeError

COLUMNS = [
    "row", "predicted", "reached", "status", "distance", "distance_lower", "certificate", "rival_row", "n_changed",
    "crossing_ratio", "cosine", "balance", "faithfulness", "balanced_accuracy", "derivative", "reliability", "reason",
]  # fmt: skip


@pytest.mark.parametrize("study", [forest, mixed, flowers], ids=lambda case: case.__name__)
@pytest.mark.slow
def test_each_is_the_boundary_of_its_row(study):
    rows = [3, 17, 60]
    together = study().boundaries(rows, **QUIET)
    for row, b in zip(rows, together, strict=True):
        alone = study().boundary(row, **QUIET)
        assert (b.row, b.status, b.reached, b.rival_row) == (row, alone.status, alone.reached, alone.rival_row)
        assert b.distance == pytest.approx(alone.distance, rel=1e-9)
        pd.testing.assert_series_equal(b.diagnostics, alone.diagnostics, rtol=1e-6, atol=1e-9)


def test_the_tables_have_a_line_a_row():
    bs = logistic().boundaries(range(5, 12), **QUIET)
    assert list(bs.frame.columns) == COLUMNS
    assert bs.frame["row"].tolist() == list(range(5, 12))
    assert bs.directions.shape == bs.points.shape == (7, 30)
    assert bs.points.index.tolist() == list(range(5, 12))
    assert len(bs) == 7
    assert bs[-1].row == 11
    with pytest.raises(IndexError):
        bs[7]
    predicted = logistic()._model.model.predict(bs.points)
    assert (predicted == bs.frame["reached"]).all()
    assert "found for 7 of 7, the median" in repr(bs)


@pytest.mark.slow
def test_rows_come_as_positions_masks_slices_frames_or_all():
    study = flowers()
    options = QUIET | {"refine": "none", "n_samples": 50, "paths": False}
    mask = np.zeros(150, dtype=bool)
    mask[[4, 9]] = True
    for rows in ([4, 9], np.array([4, 9]), mask, pd.Series(mask), slice(4, 10, 5), range(4, 10, 5)):
        assert study.boundaries(rows, **options).frame["row"].tolist() == [4, 9]
    new = study.boundaries(study.X.iloc[[4, 9]], **options)
    assert new.frame["row"].tolist() == [-1, -1]
    assert new.frame["distance"].tolist() == study.boundaries([4, 9], **options).frame["distance"].tolist()
    assert len(study.boundaries(**options)) == 150


@pytest.mark.slow
def test_without_paths_the_model_is_asked_less():
    short = logistic().boundaries([1, 2], **QUIET, paths=False)
    long = logistic().boundaries([1, 2], **QUIET)
    assert long.n_model_rows - short.n_model_rows >= 200
    assert short[0].path.empty
    assert np.isnan(short[0].crossing)
    assert short.frame["distance"].tolist() == long.frame["distance"].tolist()


def test_rows_that_are_not_found_say_why():
    study = logistic()
    bs = study.boundaries([0, 1], **QUIET, fixed=list(study.feature_names))
    assert bs.frame["status"].tolist() == ["nothing_to_move"] * 2
    assert bs.frame["reason"].str.contains("nothing to move").all()
    assert bs.frame["reached"].isna().all()
    assert bs.frame["rival_row"].tolist() == [-1, -1]
    assert bs.frame["n_changed"].tolist() == [0, 0]
    assert np.isnan(bs.median_distance())
    assert bs.points.isna().all(axis=None)


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([], InputError, "one at least"),
        (np.zeros(569, dtype=bool), InputError, "one at least"),
        ([True, False], InputError, "one bool a row"),
        ([1.5], InputTypeError, "takes positions"),
        ([0, 569], InputError, "got 569"),
        (["a"], InputTypeError, "takes positions"),
    ],
    ids=str,
)
def test_rows_that_are_none(rows, error, words):
    with pytest.raises(error, match=words):
        logistic().boundaries(rows, **QUIET)


def test_an_option_that_is_none_is_refused_as_python_does():
    with pytest.raises(TypeError, match="n_rival"):
        logistic().boundaries([0], n_rival=3)


def test_options_of_one_row_are_refused():
    for options in ({"n": 3}, {"n_regions": 2}):
        with pytest.raises(InputError, match="is for one row"):
            logistic().boundaries([0], **options)


@pytest.mark.slow
def test_certificates_are_on_demand():
    study = logistic()
    bare, proved = study.boundaries([0, 1], **QUIET), study.boundaries([0, 1], **QUIET, certify=True)
    assert set(bare.frame["certificate"]) == {"none"}
    assert set(proved.frame["certificate"]) == {"exact"}
    # of one row and of two a model's scores may differ in their last bits
    single = [study.boundary(i, **QUIET).distance_lower for i in (0, 1)]
    assert proved.frame["distance_lower"].tolist() == pytest.approx(single, rel=1e-12)


def test_bounds_that_exclude_rows_count_them():
    with pytest.raises(InputError, match=r"and 2 more rows are outside"):
        logistic().boundaries([0, 1, 2], **QUIET, bounds={"mean radius": (None, 1.0)})


def test_a_target_that_some_rows_have_is_refused():
    with pytest.raises(InputError, match="1 of the 2 rows are predicted 'setosa'"):
        flowers().boundaries([0, 60], **QUIET, target="setosa")


def test_a_subgroup_is_measured_by_its_own_rows():
    study = logistic()
    part = study.where(study.X["mean radius"] > 12)
    assert isinstance(part, ts.Study)
    b = part.boundary(0, **QUIET)
    assert b._numbers.columns[0].scale == pytest.approx(part.X["mean radius"].std(ddof=0))
