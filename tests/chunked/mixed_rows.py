"""Rows of every kind of column, with models for every task, for what reads rows in chunks."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts

N = 5000
TAUS = 5
NUMBERS = ["age", "income", "gain", "balance"]


def mixed_rows(n: int = N, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "income": np.round(rng.lognormal(10, 0.8, n), 2),
            "gain": np.where(rng.random(n) < 0.9, 0.0, rng.lognormal(6, 1, n)),
            "balance": np.where(rng.random(n) < 0.07, np.nan, rng.normal(size=n)),
            "sex": rng.choice(["F", "M"], n),
            "job": rng.choice(list("abcd"), n, p=[0.6, 0.3, 0.099, 0.001]),
            "member": rng.random(n) < 0.2,
        }
    )


def truth(X: pd.DataFrame, task: str, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    trend = (X["age"].to_numpy() - 50) / 15 + (X["sex"] == "M").to_numpy() * 0.5
    if task == "regression":
        return 100 + 10 * trend + rng.normal(size=len(X))
    noisy = trend + rng.logistic(size=len(X))
    if task == "binary":
        return np.where(noisy > 0, "yes", "no")
    return np.array(["low", "middle", "high"])[np.digitize(noisy, [-1, 1])]


def uneven_weights(n: int = N, seed: int = 5) -> np.ndarray:
    """Draw weights, a tenth of them zero."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.1, 0.0, rng.lognormal(3.0, 0.7, n))


def fitted(task: str, X: pd.DataFrame, y: np.ndarray):
    last = {
        "binary": LogisticRegression(),
        "multiclass": LogisticRegression(),
        "regression": LinearRegression(),
        "margins": RidgeClassifier(),
    }[task]
    return make_pipeline(
        make_column_transformer(
            (make_pipeline(SimpleImputer(), StandardScaler()), NUMBERS),
            (OneHotEncoder(handle_unknown="ignore"), ["sex", "job"]),
            ("passthrough", ["member"]),
        ),
        last,
    ).fit(X, y)


def sketch_of(model, chunks, quantile: float = 0.05, **options):
    return ts.ChunkedStudy(model, chunks, **options).sketch(quantile=quantile)


def assert_same_curves(got, want, tolerance=1e-9) -> None:
    """Every number of two curves agrees, and every word."""
    a, b = got.frame, want.frame
    assert list(a.columns) == list(b.columns)
    for name in a.columns:
        if a[name].dtype.kind == "f":
            np.testing.assert_allclose(a[name], b[name], rtol=tolerance, atol=tolerance, err_msg=name)
        else:
            assert a[name].tolist() == b[name].tolist(), name
    assert got.skipped == want.skipped
    assert dict(got.feature_notes) == dict(want.feature_notes)
    assert (got.n_rows, got.task, got.quantile, got.model_name) == (
        want.n_rows,
        want.task,
        want.quantile,
        want.model_name,
    )
