"""Time of metrics of our own against a loop over scikit-learn's scorers, on the rows of the Adult test set."""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score, zero_one_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts
from report import Row

DATA = Path(__file__).parents[1] / "notebooks" / "data"
FEATURE = "age"
N_ROWS, N_FEATURES = 100_000, 14
CASES = {
    "labels": (["error_rate", "balanced_accuracy"], [zero_one_loss, balanced_accuracy_score]),
    "ranks": (["roc_auc"], ["roc_auc_of_scikit_learn"]),
}


def measure(rounds: int | None = None) -> list[Row]:
    """Time the curve of one feature over 21 τ, with intervals, both ways in turn."""
    study = _study()
    out: list[Row] = []
    for name, (own, functions) in CASES.items():
        theirs = [_scorer(study) if isinstance(each, str) else each for each in functions]
        runs: dict[str, list[float]] = {"own": [], "theirs": []}
        for _ in range(rounds or 3):
            for which, metrics in (("own", own), ("theirs", theirs)):
                runs[which].append(_time(lambda metrics=metrics: study.stress_curves(FEATURE, metrics=metrics)))
        out.append(
            Row(
                f"metrics, {name}: {', '.join(own)}",
                "s",
                median(runs["own"]),
                median(runs["theirs"]),
                ratio_at_least=20.0 if name == "labels" else 5.0,
                note=f"Adult, {study.n_rows:,} rows, one feature, 21 τ; theirs: functions of scikit-learn, jackknife",
            )
        )
    return out


def measure_ranks(rounds: int | None = None) -> list[Row]:
    """Time ROC AUC along all features of many rows, with intervals, against scikit-learn's at known weights."""
    study = _many_rows()
    score, truth = np.asarray(study.score), np.asarray(study._true_values)
    runs: dict[str, list[float]] = {"own": [], "theirs": []}
    for _ in range(rounds or 2):
        start = perf_counter()
        curves = study.stress_curves(metrics="roc_auc", progress=False)._curves
        runs["own"].append(perf_counter() - start)
        values = study.X["x0"].to_numpy()
        start = perf_counter()
        for slope in curves.multiplier[0]:
            roc_auc_score(truth, score, sample_weight=np.exp(slope * (values - values.mean())))
        runs["theirs"].append((perf_counter() - start) * N_FEATURES)
    return [
        Row(
            f"metrics, ranks: roc_auc along {N_FEATURES} features",
            "s",
            median(runs["own"]),
            median(runs["theirs"]),
            ratio_at_least=1.5,
            note=f"{N_ROWS:,} rows, {N_FEATURES} features, 21 τ; theirs: roc_auc_score at the weights of each τ, timed "
            "along one feature, no intervals",
        )
    ]


def _many_rows() -> ts.Study:
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(N_ROWS, N_FEATURES)), columns=[f"x{j}" for j in range(N_FEATURES)])
    score = 1 / (1 + np.exp(-X.to_numpy() @ np.linspace(-1, 1, N_FEATURES)))
    return ts.Study.from_predictions(X, (random.random(N_ROWS) < score) * 1, (score > 0.5) * 1, y_score=score)


def _scorer(study: ts.Study) -> Callable[..., float]:
    score = np.asarray(study.score)

    def roc_auc_of_scikit_learn(y_true: np.ndarray, y_pred: np.ndarray, sample_weight: np.ndarray | None) -> float:
        del y_pred
        return float(roc_auc_score(y_true, score, sample_weight=sample_weight))

    return roc_auc_of_scikit_learn


def _study() -> ts.Study:
    frame = pd.read_csv(DATA / "adult_test.csv.gz", skipinitialspace=True).dropna()
    target = frame.columns[-1]
    y = frame[target].str.strip(". ")
    X = frame.drop(columns=target)
    columns = make_column_transformer(
        (StandardScaler(), make_column_selector(dtype_include=np.number)),
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude=np.number)),
    )
    return ts.Study(make_pipeline(columns, LogisticRegression(max_iter=500)).fit(X, y), X, y)


def _time(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start
