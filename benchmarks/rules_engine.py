"""Same-decision probabilities of all subsets of ten features, and the search for a minimal set, of one row at a time.

The obvious alternative keeps the rows of a cell as a list of indices and narrows it split by split, for each tree and
subset on its own. It is timed on some of the subsets and counted for all. SHAP's values of the same forest are timed
beside the search: another question, asked of the same trees.
"""

import os
import tracemalloc
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Any

import numpy as np

from protocol import timed
from report import Row
from rules_discovery import PEER
from rules_made import P, fitted
from session import Worker
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import MIN_ROWS, ProjectedForest
from tauscope.rules.sufficient import SearchOptions, find_sufficient

AT_MOST = {"all": 0.150, "minimal": 0.040}
TOLERANCE = 1e-9
SUBSETS = [one for size in range(1, P + 1) for one in combinations(range(P), size)]
ALONE = SearchOptions(every=False, confidence=None)


@dataclass(frozen=True)
class Case:
    """How much is measured.

    Attributes
    ----------
    n, n_trees : int
    warm, rows : int
        Rows asked about before, and counted.
    listed : int
        Subsets that the index lists are timed on.
    shap : bool
        Whether SHAP is timed, whose environment fits the forest once more.
    """

    n: int
    n_trees: int
    warm: int
    rows: int
    listed: int
    shap: bool

    @property
    def label(self) -> str:
        """In words."""
        return f"{self.n:,} rows, {self.n_trees} full-depth trees"


SMALL = Case(10_000, 20, warm=5, rows=12, listed=25, shap=True)
LARGE = Case(100_000, 100, warm=0, rows=1, listed=1, shap=False)


def measure(case: Case, rounds: int | None = None) -> list[Row]:
    """Time both; the run stops when a probability differs."""
    forest, X, y = fitted(case.n, case.n_trees)
    kept = list[ProjectedForest]()
    reading = timed(lambda: kept.append(ProjectedForest(forest, X, y)))["cpu"]
    projected = kept[0]
    before = projected.nbytes
    same = SameDecision.of_class(projected.predict(X))
    every, minimal = list[float](), list[float]()
    n_rows = case.warm + (rounds or case.rows)
    for i in range(n_rows):
        own = same.some(slice(i, i + 1))
        every.append(timed(lambda i=i, own=own: projected.sdp(X[i : i + 1], SUBSETS, own))["cpu"])
        minimal.append(timed(lambda i=i, own=own: find_sufficient(projected, X[i], own, ALONE))["cpu"])
    counted = slice(case.warm, None)
    bounds = AT_MOST if case == SMALL else {}
    shap, told = _shap(case, forest, X, n_rows)
    return [
        Row(
            f"rules: all 1,023 subsets, {case.label}",
            "s a row",
            ours=median(every[counted]),
            other=_listing(case, forest, X, y, projected, same),
            at_most=bounds.get("all"),
            note=f"first row {every[0]:.3g} s; processor time, median of {n_rows - case.warm} rows after {case.warm}; "
            f"other: index lists, {case.listed} of the subsets for one row times {len(SUBSETS) / case.listed:.0f}",
        ),
        Row(
            f"rules: smallest set, {case.label}",
            "s a row",
            ours=median(minimal[counted]),
            other=shap,
            at_most=bounds.get("minimal"),
            note=f"from {min(minimal[counted]):.3g} to {max(minimal[counted]):.3g}: sizes ascend until one suffices"
            + told,
        ),
        Row(
            f"rules: reading the forest, {case.label}",
            "s",
            ours=reading,
            note="rows to leaves, bootstrap, ranks of thresholds; sets are packed when they are first needed",
        ),
        Row(
            f"rules: packed sets, {case.label}",
            "MB",
            ours=projected.nbytes / 1e6,
            note=f"{before / 1e6:.3g} before the first row; after {n_rows} rows; X has {X.nbytes / 1e6:.3g}",
        ),
        _memory(case, projected, X, same.some(slice(n_rows, n_rows + 1)), n_rows),
    ]


def _memory(case: Case, projected: ProjectedForest, X: np.ndarray, own: SameDecision, i: int) -> Row:
    """Most that one row's answer takes beyond what was there before."""
    tracemalloc.start()
    projected.sdp(X[i : i + 1], SUBSETS, own)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Row(
        f"rules: memory of all 1,023 subsets, {case.label}",
        "MB",
        ours=most / 1e6,
        note="most that was allocated at a time while one more row was answered, sets that it packed among it",
    )


def _shap(case: Case, forest: Any, X: np.ndarray, n_rows: int) -> tuple[float | None, str]:
    """SHAP's processor time a row, and what to say of it."""
    if not case.shap:
        return None, ""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with Worker(PEER.interpreter(), "worker_shap.py", own) as worker:
        total = worker.ask("prepare", n=case.n, n_trees=case.n_trees)
        if abs(total - forest.predict_proba(X)[:, 1].sum()) > TOLERANCE * case.n:
            raise RuntimeError("SHAP was given another forest.")
        spent = worker.ask("explain", index=list(range(n_rows)))
    return median(spent[case.warm :]), "; other: SHAP 0.51.0 on the same trees, values without a probability or a rule"


def _listing(
    case: Case, forest: Any, X: np.ndarray, y: np.ndarray, projected: ProjectedForest, same: SameDecision
) -> float:
    """Seconds that index lists would take for all subsets."""
    some: list[int] = np.random.default_rng(0).choice(len(SUBSETS), case.listed, replace=False).tolist()
    listed = list[float]()
    spent = timed(lambda: listed.extend(_listed(forest, X, y, X[0], SUBSETS[j]) for j in some))["cpu"]
    apart = np.abs(projected.sdp(X[:1], [SUBSETS[j] for j in some], same.some(slice(0, 1)))[0] - listed).max()
    if apart > TOLERANCE:
        raise RuntimeError(f"A probability by index lists is {apart:.1e} away from ours.")
    return spent / case.listed * len(SUBSETS)


def _listed(forest: Any, X: np.ndarray, y: np.ndarray, x: np.ndarray, subset: tuple[int, ...]) -> float:
    """Same-decision probability of one subset, cell by cell."""
    values, own = X.astype(np.float32), x.astype(np.float32)
    decided = forest.predict(x[None])[0]
    shares = list[float]()
    for estimator, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        tree, count = estimator.tree_, np.bincount(drawn, minlength=len(X))
        feature, threshold = tree.feature, tree.threshold
        children = np.stack([tree.children_right, tree.children_left], axis=1)
        cell, level = np.flatnonzero(count), [0]
        while level:
            kept, below = cell, list[int]()
            for node in level:
                if children[node, 0] < 0:
                    continue
                if feature[node] in subset:
                    left = own[feature[node]] <= threshold[node]
                    kept = kept[(values[kept, feature[node]] <= threshold[node]) == left]
                    below.append(int(children[node, int(left)]))
                else:
                    below += children[node].tolist()
            if count[kept].sum() < MIN_ROWS:
                break
            cell, level = kept, below
        shares.append(float(np.average(y[cell] == decided, weights=count[cell])))
    return float(np.mean(shares))
