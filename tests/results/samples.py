"""Small results to test with: one from real computation, one made by hand number by number."""

from datetime import date
from functools import cache

import numpy as np
import pandas as pd

from tauscope.data.columns import Column
from tauscope.data.features import Feature
from tauscope.results.stress.curves import StressCurves
from tauscope.stress.curves import Curves
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import CODES
from tauscope.study.stress.curves import stress_curves
from tauscope.study.study import Study

HOSTILE = "</script><script>alert(1)</script>"
QUOTED = "\"double\" & 'single' <b>"
UNICODE = "naïve 年齢 – ünï \u2028 end"
DAY = date(2026, 2, 3)


def rows(n: int = 300, seed: int = 0) -> pd.DataFrame:
    """A frame with every kind of column, some values missing, and names that a page must escape."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n).astype(float)
    age[::17] = np.nan
    return pd.DataFrame(
        {
            "age": age,
            HOSTILE: rng.normal(0, 2, n),
            "gain": np.where(rng.random(n) < 0.97, 0.0, rng.exponential(5000, n)),
            QUOTED: rng.choice(["<img src=x>", "plain", "it's"], n),
            UNICODE: rng.random(n) < 0.3,
            "constant": np.ones(n),
        }
    )


@cache
def binary_study(weighted: bool = False) -> Study:
    X = rows()
    rng = np.random.default_rng(1)
    score = 1 / (1 + np.exp(-(X[HOSTILE] + 0.03 * (X["age"].fillna(49) - 49))))
    truth = np.where(rng.random(len(X)) < score, "yes", "no")
    weight = rng.uniform(0.5, 2, len(X)) if weighted else None
    return Study.from_predictions(X, truth, np.where(score > 0.5, "yes", "no"), score, sample_weight=weight)


@cache
def binary_result(weighted: bool = False) -> StressCurves:
    return stress_curves(binary_study(weighted), taus=11)


@cache
def regression_study() -> Study:
    X = rows(seed=2)
    value = 3 * X[HOSTILE] + X["age"].fillna(49)
    noise = np.random.default_rng(3).normal(0, 1, len(X))
    return Study.from_predictions(X, value + noise, value)


def feature(name: str, values, kind: str = "numeric", integer: bool = False) -> Feature:
    values = np.asarray(values, float)
    column = Column(name, "numeric", values, lower=float(np.nanmin(values)), upper=float(np.nanmax(values)))
    return Feature(name, name, None, kind, integer, column)


def metric(name: str = "portion_1", kind: str = "share") -> Metric:
    return Metric(name, name.replace("_", " "), kind, leading=name.startswith("portion_"))


def reasons(*names: list[str]) -> np.ndarray:
    """Codes of reasons, named τ by τ for each feature of one metric; "" for none."""
    return np.array([[[CODES[name or "none"] for name in row]] for row in names], np.int8)


def made_by_hand(
    values: dict[str, object] | None = None, metrics: tuple[Metric, ...] | None = None, **arrays: object
) -> StressCurves:
    """Two features, five τ, one metric; every array of `Curves` can be replaced."""
    values = values or {"a": [0.0, 1, 2, 3, 4], "b": [5.0, 6, 7, 8, 9]}
    features = tuple(feature(name, one) for name, one in values.items())
    metrics = metrics or (metric(),)
    taus = np.array(arrays.pop("taus", [-1.0, -0.5, 0, 0.5, 1]))
    p, n_taus = len(features), len(taus)
    slope = np.linspace(0.1, 0.4, p)[:, None, None]
    value = 0.5 + slope * taus + np.zeros((p, len(metrics), n_taus))
    mean = np.array([np.nanmean(one.values()) for one in features])
    held = {
        "target": mean[:, None] + taus,
        "multiplier": np.tile(taus, (p, 1)),
        "value": value,
        "error": np.full_like(value, 0.025),
        "lower": value - 0.05,
        "upper": value + 0.05,
        "ess": np.full((p, n_taus), 1000.0),
        "pareto_k": np.zeros((p, n_taus)),
        "kl": np.tile(taus**2, (p, 1)),
        "tv": np.tile(np.abs(taus) / 4, (p, 1)),
        "n_carriers": np.zeros((p, n_taus)),
        "carried": np.zeros((p, n_taus)),
        "reached": np.tile([0.05, 0.95], (p, 1)),
        "mean": mean,
        "n_missing": np.zeros(p, np.int64),
    } | {name: np.asarray(array) for name, array in arrays.items()}
    shape = held["value"].shape
    held = {"reason": np.zeros(shape, np.int8), "amount": np.full(shape, 7.0)} | held
    curves = Curves(taus=taus, metrics=metrics, **held)
    return StressCurves(
        features=features,
        _curves=curves,
        skipped=(("flat", "every observed value is 1"),),
        n_rows=5,
        model_name="Rule",
        task="binary",
        _refinable=False,
        computed_on=DAY,
    )
