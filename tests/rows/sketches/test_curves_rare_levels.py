"""The end of τ of a rare one of two values: from chunks what it is from the rows."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import assert_same_curves, sketch_of

pytestmark = pytest.mark.slow
N, TAUS = 3000, (-1, -0.5, 0, 0.5, 1)


@pytest.fixture(scope="module", params=[None, "w"], ids=["plain", "weighted"])
def both(request):
    """A study of rows, and chunks of them."""
    rng = np.random.default_rng(4)
    owner = (rng.random(N) < 0.02).astype(float)
    owner[rng.random(N) < 0.1] = np.nan
    country = np.where(rng.random(N) < 0.97, "here", "there").astype(object)
    country[rng.random(N) < 0.01] = None
    X = pd.DataFrame({"owner": owner, "country": country, "age": rng.normal(40, 10, N), "p": rng.random(N)})
    v = None if request.param is None else rng.integers(0, 4, N).astype(float)
    study = ts.Study.from_predictions(X.drop(columns="p"), None, X["p"], task="regression", sample_weight=v)
    frame = X if v is None else X.assign(w=v)
    return study, [frame.iloc[i : i + 700] for i in range(0, N, 700)], request.param


def odds(share):
    return share / (1 - share)


def test_curves_of_chunks_are_those_of_the_rows(both):
    study, chunks, weight = both
    want = study.stress_curves(taus=TAUS)
    got = sketch_of(None, chunks, prediction="p", task="regression", sample_weight=weight).stress_curves(taus=TAUS)
    assert_same_curves(got, want)
    names = list(want.feature_names)
    for name in ("owner", "country = there", "country = missing"):
        row = names.index(name)
        assert odds(want._curves.target[row, -1]) == pytest.approx(4 * odds(want._curves.mean[row]))
        assert want.tau_notes[row].high.endswith("odds × 4")
    here = names.index("country = here")
    assert odds(want._curves.target[here, 0]) == pytest.approx(odds(want._curves.mean[here]) / 4)


@pytest.mark.parametrize("stress", [ts.Mean("owner", tau=1), ts.Share("country", "there", tau=0.5)])
def test_a_stress_of_chunks_is_that_of_the_rows(both, stress):
    study, chunks, weight = both
    got = ts.ChunkedStudy(None, chunks, prediction="p", task="regression", sample_weight=weight).reweight(stress)
    want = study.reweight(stress)
    assert got.achieved["required"].tolist() == pytest.approx(want.achieved["required"].tolist())
    assert got.notes == want.notes
    for name in ("value", "lower", "upper"):
        np.testing.assert_allclose(got.metrics[name], want.metrics[name], rtol=1e-8)
