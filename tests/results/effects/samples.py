"""Studies whose effects are known from elsewhere: scikit-learn on raw columns, closed forms."""

from functools import cache

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts

HOSTILE = "</script><script>alert(1)</script>"


def passengers(n=240, seed=0):
    """Every kind of column, some values missing."""
    random = np.random.default_rng(seed)
    age = np.round(random.gamma(6, 5, n) + 1)
    age[::9] = np.nan
    port = random.choice(np.array(["C", "Q", "S"], dtype=object), n, p=[0.2, 0.1, 0.7])
    port[::40] = None
    X = pd.DataFrame(
        {
            "age": age,
            "fare": np.round(random.exponential(30, n), 2),
            "rooms": random.integers(1, 5, n),
            "member": random.random(n) < 0.4,
            "sex": random.choice(["female", "male"], n),
            "port": port,
            "grade": pd.Categorical(random.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True),
        }
    )
    score = 1.5 * (X["sex"] == "female") + 0.02 * X["fare"] - 0.03 * X["age"].fillna(30) + 0.5 * X["member"]
    y = np.where(random.random(n) < 1 / (1 + np.exp(-score)), "yes", "no")
    return X, y


def pipeline(final=None):
    """A model of raw columns."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    return make_pipeline(
        make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), ["sex", "port", "grade"]),
            (numbers, ["age", "fare", "rooms"]),
            ("passthrough", ["member"]),
        ),
        final or LogisticRegression(),
    )


@cache
def fitted():
    X, y = passengers()
    return pipeline().fit(X, y), X, y


def study(**options):
    """A fresh study, so that model rows start from its own."""
    model, X, y = fitted()
    return ts.Study(model, X, y, **options)


@cache
def boosted():
    X, y = passengers(seed=3)
    return pipeline(HistGradientBoostingClassifier(max_iter=20, random_state=0)).fit(X, y), X, y


@cache
def grades():
    """Three classes by four numbers."""
    random = np.random.default_rng(1)
    X = pd.DataFrame(random.normal(size=(150, 4)), columns=["a", "b", "c", "d"])
    y = np.array(["x", "y", "z"], dtype=object)[np.digitize(X["a"] + 0.4 * X["b"], [-0.5, 0.5])]
    return LogisticRegression().fit(X, y), X, y


@cache
def line():
    """A regression that is linear, so that every effect of `a` has slope 2."""
    random = np.random.default_rng(2)
    X = pd.DataFrame({"a": random.normal(size=200), "b": random.normal(size=200)})
    y = 2 * X["a"] - X["b"]
    return LinearRegression().fit(X, y), X, y
