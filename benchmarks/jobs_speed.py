"""Two workers against one, verb by verb, in turn in one process; the numbers of both are compared bit by bit."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

import tauscope as ts
from inputs import classification
from report import Row

AT_LEAST = 1.6
N_JOBS = 2
ROUNDS = 2


def measure(rounds: int | None = None) -> list[Row]:
    """Time each verb with one worker and with two; the first call of two starts them and is not counted."""
    rows = [_row(name, call, rounds or ROUNDS) for name, call in _cases().items()]
    _stop_workers()
    return rows


def _cases() -> dict[str, Callable[[int], Any]]:
    given = classification(20_000, 8)
    study = ts.Study.from_predictions(given.frame, given.truth, given.predicted, given.score)
    small, truth = given.frame.iloc[:4000], given.truth[:4000]
    forest = RandomForestClassifier(60, min_samples_leaf=5, random_state=0)
    fitted = RandomForestClassifier(30, max_depth=6, random_state=0).fit(small, truth)
    boosted = GradientBoostingClassifier(n_estimators=300, random_state=0).fit(small, truth)

    def effects(n_jobs: int) -> Any:  # a new study each time: answers are kept
        of_function = ts.Study(boosted.predict_proba, small, truth, progress=False)
        return of_function.effects(grid=50, progress=False, n_jobs=n_jobs)

    def boundaries(n_jobs: int, certify: bool, n: int) -> Any:
        own = ts.Study(fitted, small, truth, progress=False)
        return own.boundaries(range(n), certify=certify, random_state=0, progress=False, n_jobs=n_jobs)

    many = classification(100_000, 8)
    ranked = ts.Study.from_predictions(many.frame, many.truth, many.predicted, many.score)
    wordy = ts.Study(*_words(), progress=False)
    first = list(given.frame.columns[:3])
    stress = partial(study.stress_curves, progress=False)
    own = ts.Study(fitted, small, truth, progress=False)
    of_forest = ts.Study(clone(forest).fit(small, truth), small, truth, progress=False)
    return {
        "stress_curves, 300 replicates of 3 features": lambda n: stress(
            first, interval="bootstrap-t", random_state=0, n_jobs=n
        ),
        "stress_curves, others held": lambda n: stress(hold="uncorrelated", n_jobs=n),
        "stress_curves, ROC AUC": lambda n: stress(metrics="roc_auc", taus=51, n_jobs=n),
        "stress_curves, a metric of one's own": lambda n: stress(metrics=_share, n_jobs=n),
        "refit_curves, 8 forests": lambda n: own.refit_curves(
            forest, small, truth, n_splits=8, random_state=0, progress=False, n_jobs=n
        ),
        "randomize_model, 8 forests": lambda n: of_forest.randomize_model(
            first[0], method="refit", repeats=8, grid=5, n_rows=100, random_state=0, progress=False, n_jobs=n
        ),
        "effects, 8 features of a function": effects,
        "boundaries, 1,024 rows of a forest": lambda n: boundaries(n, certify=False, n=1024),
        "boundaries, 64 rows certified": lambda n: boundaries(n, certify=True, n=64),
        "boundaries, 48 rows of words": lambda n: wordy.boundaries(range(48), random_state=0, progress=False, n_jobs=n),
        "rule_list": lambda n: own.rule_list(random_state=0, n_jobs=n),
        "rule_list, proved": lambda n: own.rule_list(pi=0.9, prove=True, random_state=0, n_jobs=n),
        "stress_surface, ROC AUC of 100,000 rows": lambda n: ranked.stress_surface(
            *first[:2], metrics="roc_auc", progress=False, n_jobs=n
        ),
    }  # fmt: skip


def _words() -> tuple[Any, Any, Any]:
    """Make 4,000 texts of some 20 of 3,000 words, and a forest that reads them."""
    words = sparse.random(4000, 3000, 20 / 3000, format="csr", random_state=0)
    said = (np.asarray(words[:, :600].sum(axis=1)).ravel() > 2) * 1
    return RandomForestClassifier(30, min_samples_leaf=3, random_state=0).fit(words, said), words, said


def _share(y_true: Any, y_pred: Any, sample_weight: Any = None) -> float:
    return float(np.average(y_true == y_pred, weights=sample_weight))


def _row(name: str, call: Callable[[int], Any], rounds: int) -> Row:
    _check_same(call(N_JOBS), call(1), name)
    walls: dict[int, list[float]] = {1: [], N_JOBS: []}
    for _ in range(rounds):
        for n_jobs, runs in walls.items():
            start = perf_counter()
            call(n_jobs)
            runs.append(perf_counter() - start)
    return Row(
        f"{N_JOBS} jobs: {name}",
        "s",
        median(walls[N_JOBS]),
        median(walls[1]),
        ratio_at_least=AT_LEAST,
        note=f"other: one job, {rounds} runs of each in turn, workers started; every number the same bits",
    )


def _check_same(one: Any, other: Any, name: str) -> None:
    if is_dataclass(one):
        for field in fields(one):
            if field.name != "source":
                _check_same(getattr(one, field.name), getattr(other, field.name), f"{name}.{field.name}")
    elif isinstance(one, tuple):
        for a, b in zip(one, other, strict=True):
            _check_same(a, b, name)
    elif isinstance(one, np.ndarray) and not np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
        raise SystemExit(f"{name} differs between one worker and {N_JOBS}")


def _stop_workers() -> None:
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)
