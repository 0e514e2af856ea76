"""The boundary in a space of a person's own: codes, and a model asked about decoded codes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression

import tauscope as ts
from study.boundary.cases import QUIET, cancer, logistic
from tauscope.errors import InputError, InputTypeError


class Coder:
    """Principal components of a frame, in units of a person's own."""

    def __init__(self, X: pd.DataFrame, k: int) -> None:
        self.columns, self.pca = list(X.columns), PCA(k).fit(X / X.std())
        self.scale = X.std()

    def encode(self, X: pd.DataFrame) -> np.ndarray:
        return self.pca.transform(X / self.scale)

    def decode(self, codes: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(self.pca.inverse_transform(codes), columns=self.columns) * self.scale


def options(coder: Coder) -> dict:
    return {"encode": coder.encode, "decode": coder.decode}


@pytest.mark.parametrize("k", [5, 30])
def test_the_point_decoded_is_decided_otherwise(k):
    study = logistic()
    coder = Coder(study.X, k)
    b = study.boundary(17, **QUIET, **options(coder), attributes=[f"axis {j}" for j in range(k)])
    assert b.status == "found"
    assert b.feature_names[0] == "axis 0"
    codes = study.predict(coder.decode(b.point.to_numpy()[None])).predicted
    assert b._numbers.classes[int(codes[0])] == b.reached != b.predicted
    np.testing.assert_allclose(b.value, coder.encode(study.X)[17])
    assert any("once encoded and decoded" in note for note in b.notes) == (k == 5)


def test_of_a_linear_model_and_a_rotation_the_direction_is_the_coefficients_in_codes():
    X, y = cancer()
    y = np.asarray(y)
    model = LogisticRegression(max_iter=5000, C=0.01).fit(X / X.std(), y)
    study = ts.Study(model, X / X.std(), y, progress=False)
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(30, 30)))[0]
    codes = study.X.to_numpy() @ rotation

    def decode(values):
        return pd.DataFrame(values @ rotation.T, columns=study.X.columns)

    b = study.boundary(17, **QUIET, encode=lambda rows: rows.to_numpy() @ rotation, decode=decode, radius=1.0)
    wanted = model.coef_[0] @ rotation * codes.std(axis=0)
    assert abs(b.direction.to_numpy() @ wanted) / np.linalg.norm(wanted) > 0.995
    assert study.boundary(
        study.X.iloc[[17]], **QUIET, encode=lambda rows: rows.to_numpy() @ rotation, decode=decode
    ).distance == pytest.approx(b.distance, rel=0.02)


@pytest.mark.parametrize("kind", ["function", "labels", "regression", "multiclass"])
def test_whatever_the_model_is(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4))
    turned, more = np.linalg.qr(rng.normal(size=(4, 4)))[0], {}
    if kind == "regression":
        study, more = ts.Study(LinearRegression().fit(X, X[:, 0]), X, X[:, 0], progress=False), {"threshold": 0.0}
    elif kind == "multiclass":
        y = np.digitize(X[:, 0], [-0.5, 0.5])
        study = ts.Study(RandomForestClassifier(5, random_state=0).fit(X, y), X, y, progress=False)
    else:
        y = (X[:, 0] > 0).astype(int)
        model = LogisticRegression().fit(X, y)
        study = ts.Study(model.predict_proba if kind == "function" else model.predict, X, y, progress=False)
    b = study.boundary(3, **QUIET, **more, encode=lambda rows: rows @ turned, decode=lambda codes: codes @ turned.T)
    assert b.status == "found"
    assert b.feature_names == ("code 1", "code 2", "code 3", "code 4")
    assert b.notes == () or "decided otherwise once" not in " ".join(b.notes)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"encode": np.asarray}, InputError, "both encode and decode"),
        ({"attributes": ["a"]}, InputError, "both encode and decode"),
        ({"encode": len, "decode": np.asarray}, InputError, "a finite number for each"),
        ({"encode": lambda rows: rows.to_numpy()[:3], "decode": np.asarray}, InputError, "a finite number for each"),
        ({"encode": lambda rows: "code", "decode": np.asarray}, InputTypeError, "must return numbers"),
        ({"encode": 3, "decode": np.asarray}, InputTypeError, "a function"),
    ],
)
def test_what_is_no_space_is_refused(given, error, words):
    with pytest.raises(error, match=words):
        logistic().boundary(17, **QUIET, **given)
