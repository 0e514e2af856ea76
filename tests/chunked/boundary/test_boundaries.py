"""Boundaries of rows in chunks: those of the rows in memory, among the same rivals."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from study.boundary.cases import QUIET, logistic, mixed

ROWS, RIVALS = slice(40, 76), slice(200, 500)


@pytest.fixture(scope="module", params=[logistic, mixed], ids=lambda case: case.__name__)
def case(request):
    study = request.param()
    return study._model.model, study.X, study.y


def chunks(X, y):
    return [(X[40:52], y[40:52]), (X[52:52], y[52:52]), (X[52:76], y[52:76])]


@pytest.mark.slow
def test_they_are_those_of_the_rows_in_memory(case):
    model, X, y = case
    found = ts.ChunkedStudy(model, chunks(X, y)).boundaries((X[RIVALS], y[RIVALS]), **QUIET)
    want = ts.Study(model, X[RIVALS], y[RIVALS], progress=False).boundaries(X[ROWS], **QUIET, paths=False)
    assert found.frame["row"].tolist() == list(range(36))
    pd.testing.assert_frame_equal(
        found.frame.drop(columns="row"), want.frame.drop(columns="row"), rtol=1e-9, check_dtype=False
    )
    np.testing.assert_allclose(found.directions, want.directions, rtol=1e-6, atol=1e-9)
    # of the few brackets that a run ends with two halvings are asked for at once, a few rows more in each chunk
    assert want.n_model_rows <= found.n_model_rows < 1.01 * want.n_model_rows
    assert found[30].row == 30
    assert repr(found).splitlines()[1:3] == repr(want).splitlines()[1:3]


@pytest.mark.slow
def test_constraints_paths_and_proofs_go_along():
    model, X, y = logistic()._model.model, logistic().X, logistic().y
    options = QUIET | {"fixed": ["mean radius"], "paths": True, "certify": True}
    found = ts.ChunkedStudy(model, chunks(X, y)).boundaries(X[:40], **options)
    want = ts.Study(model, X[:40], progress=False).boundaries(X[ROWS], **options)
    np.testing.assert_allclose(found.frame["distance_lower"], want.frame["distance_lower"], rtol=1e-9)
    np.testing.assert_allclose(found[20].path["answer"], want[20].path["answer"], rtol=1e-9)
    assert (found.points["mean radius"].to_numpy() == X["mean radius"][ROWS].to_numpy()).all()


@pytest.mark.slow
def test_partitions_give_the_same():
    model, X = logistic()._model.model, logistic().X
    frame = dd.from_pandas(X[ROWS].reset_index(drop=True), npartitions=3)
    found = ts.ChunkedStudy.from_dask(model, frame).boundaries(X[:40], **QUIET)
    want = ts.Study(model, X[:40], progress=False).boundaries(X[ROWS], **QUIET, paths=False)
    np.testing.assert_allclose(found.frame["distance"], want.frame["distance"], rtol=1e-9)


def test_a_level_that_no_rival_has_is_named():
    X = mixed().X
    study = ts.ChunkedStudy(mixed()._model.model, chunks(X, mixed().y))
    with pytest.raises(ts.UnknownName, match="no level of 'workclass'"):
        study.boundaries(X[X["workclass"] == "Private"], **QUIET)


def test_what_cannot_be_says_so():
    model, X, y = logistic()._model.model, logistic().X, logistic().y
    study = ts.ChunkedStudy(model, chunks(X, y))
    for rivals, options, words in (
        (X.iloc[:0], {}, "In the rivals: X must have at least one row"),
        (X[["mean radius"]], {}, "In the rivals"),
        (X[:40], {"n": 2}, "is for one row"),
        (X[:40], {"metric": "cosine"}, "metric must be"),
    ):
        with pytest.raises(ts.InputError, match=words):
            study.boundaries(rivals, **QUIET | options)
    with pytest.raises(ts.InputError, match="got an iterator"):
        ts.ChunkedStudy(model, iter(chunks(X, y))).boundaries(X[:40])
    predictions = ts.ChunkedStudy(None, [(X[:40], y[:40], y[:40])])
    with pytest.raises(ts.InputError, match="Boundaries ask a model"):
        predictions.boundaries(X[:40])
