"""A `FeatureEffect` of rows in chunks: what it holds, what it says it has not, and what a pickle takes along."""

import pickle

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.effects import samples


@pytest.fixture(scope="module")
def chunked():
    model, X, y = samples.fitted()
    return ts.ChunkedStudy(model, [(X[:100], y[:100]), (X[100:], y[100:])])


@pytest.fixture(scope="module")
def found(chunked):
    return chunked.effect("age", grid=6)


def test_it_is_the_effect_of_the_rows(found):
    want = samples.study().effect("age", grid=6, method="brute")
    pd.testing.assert_frame_equal(found.frame, want.frame, rtol=1e-9, check_dtype=False)
    for name in ("title", "response", "responses", "response_kind", "_classes", "interval", "notes", "status", "ess"):
        assert getattr(found, name) == getattr(want, name), name
    assert found._caption == want._caption.replace("240 rows", "240 rows in chunks")
    assert (found._chunked, want._chunked) == (True, False)
    shown, wanted = repr(found).splitlines(), repr(want).splitlines()
    assert shown[0] == wanted[0].replace("240 rows", "240 rows in chunks")
    assert shown[1:2] + shown[3:] == wanted[1:2] + wanted[3:]
    assert "predict_proba called on" in shown[2]


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda effect: effect.bounds(), "bounds"),
        (lambda effect: effect.breakdown(), "a breakdown"),
        (lambda effect: effect.regions(), "regions"),
        (lambda effect: effect.under(ts.Mean("age", tau=0.3)), "a stress"),
        (lambda effect: effect.compare(lambda rows: np.ones(len(rows))), "a comparison of models"),
        (lambda effect: effect.ice, "`ice`"),
        (lambda effect: effect.centred_ice(), "`ice`"),
        (lambda effect: effect.heterogeneity, "heterogeneity"),
    ],
)
def test_what_needs_the_rows_says_so(found, ask, what):
    with pytest.raises(ts.InputError, match=f"^For {what} individual curves are needed; these rows came in chunks"):
        ask(found)


@pytest.mark.slow
def test_another_feature_or_kind_is_asked_of_the_chunks(found, chunked):
    other = found._recompute(("fare",), "ale", lambda done, total: None)
    pd.testing.assert_frame_equal(other.frame, chunked.effect("fare", kind="ale", grid=6).frame)


@pytest.mark.slow
def test_a_pickle_leaves_model_and_chunks_behind(chunked):
    found = chunked.effect("fare", grid=5)
    back = pickle.loads(pickle.dumps(found))
    pd.testing.assert_frame_equal(back.frame, found.frame)
    assert repr(back) == repr(found)
    assert back.chart().to_dict() == found.chart().to_dict()
    assert (back.source.n_rows, back.source.feature_names) == (chunked.n_rows, chunked.feature_names)
    assert (back.source._model_name, back.source._has_model) == (chunked._model_name, False)
    with pytest.raises(ts.InputError, match=r"left behind .* result\.with_source\(study\)"):
        back._recompute(("age",), "pd", lambda done, total: None)
    with pytest.raises(ts.InputError, match="chunks were left behind"):
        back.source.reweight(ts.Mean("fare", tau=0.2))
    again = back.with_source(chunked)._recompute(("age",), "pd", lambda done, total: None)
    pd.testing.assert_frame_equal(again.frame, chunked.effect("age", grid=5).frame)


@pytest.mark.slow
def test_files(found, tmp_path):
    for name in ("effect.csv", "effect.json", "effect.svg", "effect.html"):
        found.save(tmp_path / name)
    assert len(pd.read_csv(tmp_path / "effect.csv")) == len(found.frame)
    assert "240 rows in chunks" in (tmp_path / "effect.html").read_text("utf-8")
