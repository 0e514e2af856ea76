"""The widget of an effect of rows in chunks: the curve, and words for what it has not."""

import numpy as np
import pytest

import tauscope as ts
from results.effects import samples
from tauscope.views.packing import unpack


@pytest.fixture(params=["age", "grade", ["age", "fare"]], ids=str)
def found(request):
    model, X, _ = samples.fitted()
    return ts.ChunkedStudy(model, [X[:100], X[100:]]).effect(request.param, grid=5)


@pytest.mark.slow
def test_the_curve_is_shown_and_the_rest_is_said(found):
    view = found.widget()
    (part,) = view.message["parts"]
    assert (part["rows"], part["n_sample"], part["breakdowns"]) == ("none", 0, [None])
    assert (view.message["live"], view.message["columns_complete"], view.message["weighted"]) == (False, False, False)
    assert view.message["n_rows"] == 240
    assert "240 rows in chunks" in view.message["model"]
    assert view.message["unstressable"] == "The rows came in chunks and were not kept: no stress can be shown on them."
    assert view.message["by"] == []
    with pytest.raises(ts.InputError, match="curves by group in a view"):
        found.widget(by="sex")
    assert view.answer["error"].startswith("For bounds individual curves are needed; these rows came in chunks")
    values = np.frombuffer(unpack(view.floats), "<f4")[: found._computed.effect.size]
    np.testing.assert_allclose(values, found._computed.effect.ravel(), rtol=1e-6)
    for axis in part["axes"]:
        assert sum(axis["shares"]) <= 1 + 1e-9
    view.close()


def test_weighted_rows():
    model, X, _ = samples.fitted()
    weight = np.where(np.arange(len(X)) < 120, 2.0, 1.0)
    view = ts.ChunkedStudy(model, [X.assign(w=weight)], sample_weight="w").effect("age", grid=5).widget()
    assert not view.message["weighted"]
    view.stress = {"taus": {"age": 0.5}, "hold": "none"}
    assert view.message["unstressable"]
    view.close()
