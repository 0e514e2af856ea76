"""Time of curves by group against the obvious loops: a group, the weights of one τ, or a threshold at a time."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix

import tauscope as ts
from report import Row

N_ROWS = 1_000_000
SHARES = {"a": 0.05, "b": 0.1, "c": 0.2, "d": 0.25, "e": 0.4}
N_CHUNKS = 10
N_DECIDED = 16_000
METRICS = ["error_rate", "portion_1", "mean_score"]
FEATURES = ["x0", "x1", "hours"]


def measure(rounds: int | None = None) -> list[Row]:
    """Time three metrics of five groups over 21 τ of three features, with intervals and gaps, both ways in turn."""
    study, groups = _study(), _groups()
    curves = study.stress_curves(FEATURES, metrics=METRICS, progress=False)
    multiplier = curves._curves.multiplier

    def by_group() -> None:
        for label in SHARES:
            study.where(groups == label).stress_curves(FEATURES, metrics=METRICS, progress=False)

    def by_tau() -> None:
        wrong = (study._true_values != study.predicted) * 1.0
        values = {"error_rate": wrong, "portion_1": study.predicted, "mean_score": study.score}
        inside = [groups == label for label in SHARES]
        for name, slopes in zip(FEATURES, multiplier, strict=True):
            column = study.X[name].to_numpy()
            for slope in slopes:
                weights = np.exp(slope * (column - column.mean()))
                for rows in inside:
                    for each in values.values():
                        np.average(np.asarray(each)[rows], weights=weights[rows])

    ways: dict[str, Callable[[], object]] = {
        "within": lambda: curves.by(groups, within=True),
        "by group": by_group,
        "marginal": lambda: curves.by(groups),
        "by tau": by_tau,
    }
    runs: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds or 3):
        for name, call in ways.items():
            start = perf_counter()
            call()
            runs[name].append(perf_counter() - start)
    times = {name: median(each) for name, each in runs.items()}
    size = f"{N_ROWS:,} rows, {len(SHARES)} groups, {len(FEATURES)} features, 21 τ"
    return [
        Row(
            "groups: each by itself",
            "s",
            times["within"],
            times["by group"],
            note=f"{size}; theirs: stress_curves of study.where(mask), without gaps",
        ),
        Row(
            "groups: the population moved",
            "s",
            times["marginal"],
            times["by tau"],
            ratio_at_least=3.0,
            note=f"{size}; theirs: weights of each τ as known, mask by mask, NumPy averages, no intervals",
        ),
    ]


def measure_chunked(rounds: int | None = None) -> list[Row]:
    """Time metrics of five groups under a stress of rows in ten chunks, with intervals and gaps, and averages alone."""
    whole = _study()
    X = whole.X.assign(group=_groups())
    size = N_ROWS // N_CHUNKS
    given = [
        tuple(part[k : k + size] for part in (X, whole._true_values, whole.predicted, whole.score))
        for k in range(0, N_ROWS, size)
    ]
    moved = ts.ChunkedStudy(None, given, progress=False).reweight(ts.Mean("x0", tau=0.5), metrics=METRICS)
    slope = float(moved.multipliers.iloc[0])

    def averages() -> None:
        sums = np.zeros((len(SHARES), 1 + len(METRICS)))
        for rows, truth, predicted, score in given:
            weights = np.exp(slope * rows["x0"].to_numpy())
            values = np.stack([np.ones(len(rows)), truth != predicted, predicted, score])
            for code, label in enumerate(SHARES):
                inside = (rows["group"] == label).to_numpy()
                sums[code] += values[:, inside] @ weights[inside]

    runs: dict[str, list[float]] = {"own": [], "theirs": []}
    for _ in range(rounds or 3):
        for name, call in (("own", lambda: moved.by("group")), ("theirs", averages)):
            start = perf_counter()
            call()
            runs[name].append(perf_counter() - start)
    return [
        Row(
            "groups of chunks: the population moved",
            "s",
            median(runs["own"]),
            median(runs["theirs"]),
            note=f"{N_ROWS:,} rows in {N_CHUNKS} chunks, {len(SHARES)} groups, one stress, solved before; theirs: "
            "averages at the weights as known, no intervals",
        )
    ]


def measure_thresholds(rounds: int | None = None) -> list[Row]:
    """Time every metric of five groups at some 50 thresholds, with intervals, gaps and best ones, and counts alone."""
    study, groups = _study(N_DECIDED), _groups(N_DECIDED)
    truth, score = np.asarray(study._true_values), np.asarray(study.score)
    thresholds = study.threshold_curves(by=groups).thresholds

    def counts() -> None:
        for label in SHARES:
            inside = groups == label
            for threshold in thresholds:
                confusion_matrix(truth[inside], score[inside] >= threshold)

    runs: dict[str, list[float]] = {"own": [], "theirs": []}
    for _ in range(rounds or 3):
        for name, call in (("own", lambda: study.threshold_curves(by=groups)), ("theirs", counts)):
            start = perf_counter()
            call()
            runs[name].append(perf_counter() - start)
    return [
        Row(
            "groups: thresholds",
            "s",
            median(runs["own"]),
            median(runs["theirs"]),
            note=f"{N_DECIDED:,} rows, {len(SHARES)} groups, {len(thresholds)} thresholds; theirs: scikit-learn's "
            "confusion_matrix, group by group and threshold by threshold, no intervals",
        )
    ]


def _groups(n_rows: int = N_ROWS) -> np.ndarray:
    return np.random.default_rng(0).choice(list(SHARES), n_rows, p=list(SHARES.values()))


def _study(n_rows: int = N_ROWS) -> ts.Study:
    random, code = np.random.default_rng(1), pd.Categorical(_groups(n_rows)).codes
    X = pd.DataFrame({name: random.normal(size=n_rows) + 0.2 * code for name in FEATURES[:2]})
    X["hours"] = random.integers(0, 60, n_rows).astype(float)
    score = 1 / (1 + np.exp(-np.asarray(X["x0"]) - np.asarray(X["x1"]) / 2))
    truth = (random.random(n_rows) < score) * 1
    return ts.Study.from_predictions(X, truth, (score > 0.5) * 1, y_score=score)
