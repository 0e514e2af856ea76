"""Studies that the tests of boundaries share: numbers, mixed columns, several classes, a regression."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts
from real_data import adult

QUIET: dict[str, Any] = {"progress": False, "random_state": 0, "n_samples": 300}
NUMBERS = ["age", "education-num", "hours-per-week", "capital-gain"]
LEVELS = ["workclass", "marital-status", "sex"]


@cache
def cancer() -> tuple[pd.DataFrame, np.ndarray]:
    """Breast cancer: 30 numbers, "malignant" or "benign"."""
    data = load_breast_cancer(as_frame=True)
    return data.data, data.target_names[data.target]


@cache
def logistic() -> ts.Study:
    X, y = cancer()
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return ts.Study(model.fit(X, y), X, y, progress=False)


@cache
def forest() -> ts.Study:
    X, y = cancer()
    return ts.Study(RandomForestClassifier(10, random_state=0).fit(X, y), X, y, progress=False)


@cache
def people() -> pd.DataFrame:
    """Six hundred rows of Adult: four whole numbers, three texts, some ages and places of work missing."""
    frame = adult("test").iloc[:600].replace("?", np.nan)
    frame["age"] = frame["age"].astype(float)
    frame.loc[frame.index[::50], "age"] = np.nan
    return frame[[*NUMBERS, *LEVELS, "income"]]


@cache
def mixed() -> ts.Study:
    frame = people()
    X, y = frame[[*NUMBERS, *LEVELS]], frame["income"]
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), LEVELS), (make_pipeline(SimpleImputer(), StandardScaler()), NUMBERS)
    )
    model = make_pipeline(columns, RandomForestClassifier(10, min_samples_leaf=3, random_state=0))
    return ts.Study(model.fit(X, y), X, y, progress=False)


@cache
def flowers() -> ts.Study:
    data = load_iris(as_frame=True)
    y = data.target_names[data.target]
    return ts.Study(LogisticRegression(max_iter=500).fit(data.data, y), data.data, y, progress=False)


@cache
def progression() -> ts.Study:
    data = load_diabetes(as_frame=True)
    return ts.Study(LinearRegression().fit(data.data, data.target), data.data, data.target, progress=False)


def plane(n: int = 200, **columns: Any) -> pd.DataFrame:
    """Two normal columns, and others given."""
    random = np.random.default_rng(0)
    return pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n)} | columns)


def above(X: pd.DataFrame) -> np.ndarray:
    """A rule: whether a + b > 0.3."""
    return (X["a"] + X["b"] > 0.3).to_numpy()
