"""A shift that rests on a long tail is called so, by rows in chunks as by those in memory, with gaps or without."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import tauscope as ts

N = 3000
SHIFT = ts.Mean("income", tau=0.3)


class Model:
    classes_ = np.array([0, 1])

    def __init__(self, slope):
        self.slope = slope

    def predict_proba(self, X):
        odds = self.slope * np.nan_to_num(np.log(X["income"].to_numpy(float))) + X["age"].to_numpy(float)
        score = 1 / (1 + np.exp(-odds))
        return np.stack([1 - score, score], axis=1)

    def predict(self, X):
        return (self.predict_proba(X)[:, 1] > 0.5).astype(int)


@pytest.fixture(scope="module", params=[0.0, 0.4], ids=["complete", "gaps"])
def stores(request):
    """Return, of rows in memory and in chunks, the study of a model and that of another one."""
    rng = np.random.default_rng(3)
    income = rng.permutation(np.exp(norm.ppf((np.arange(N) + 0.5) / N)))  # a lognormal one of average luck
    income[: int(request.param * N)] = np.nan
    X = pd.DataFrame({"income": income, "age": rng.normal(size=N), "place": rng.choice(["a", "b"], N, p=[0.9, 0.1])})
    y = (Model(1.0).predict_proba(X)[:, 1] > rng.random(N)).astype(int)
    chunks = [(X[i : i + 700], y[i : i + 700]) for i in range(0, N, 700)]
    models = Model(1.0), Model(-0.5)
    return [ts.Study(model, X, y) for model in models], [ts.ChunkedStudy(model, chunks) for model in models]


def sketched(study):
    return study if isinstance(study, ts.Study) else study.sketch(progress=False)


VERBS = {
    "reweight": lambda study, other: study.reweight(SHIFT).metrics,
    "reweight, by group": lambda study, other: study.reweight(SHIFT).by("place").frame,
    "threshold_curves": lambda study, other: study.threshold_curves(stress=SHIFT, progress=False).frame,
    "calibration": lambda study, other: study.calibration(stress=SHIFT, progress=False).frame,
    "compare": lambda study, other: ts.compare(study, other, SHIFT).frame,
    "towards": lambda study, other: study.towards({"income": 2.7}).metrics,
    "curves": lambda study, other: sketched(study).stress_curves("income", taus=[0.3], progress=False).frame,
    "curves by group": lambda study, other: study.stress_curves("income", taus=[0.3], progress=False).by("place").frame,
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_long_tails_are_told_by_rows_in_chunks_as_in_memory(stores, verb):
    memory, chunks = (VERBS[verb](*studies) for studies in stores)
    names = [name for name in ("reliability", "note") if name in memory]
    pd.testing.assert_frame_equal(memory[names], chunks[names])
    assert memory["note"].str.contains("the shift rests on a long tail").any()
