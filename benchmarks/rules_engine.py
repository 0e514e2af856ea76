"""Same-decision probabilities of all subsets of ten features, and the search for a minimal set, of one row at a time.

The obvious alternative keeps the rows of a cell as a list of indices and narrows it split by split, for each tree and
subset on its own. It is timed on some of the subsets and counted for all.
"""

from itertools import combinations
from statistics import median
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from protocol import timed
from report import Row
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import MIN_ROWS, ProjectedForest
from tauscope.rules.sufficient import SearchOptions, find_sufficient

P = 10
WARM, ROWS = 5, 12
LISTED = 25
"""Subsets that the index lists are timed on."""
AT_MOST = {"all": 0.150, "minimal": 0.040}
TOLERANCE = 1e-9


def measure(n: int = 10_000, n_trees: int = 20, rounds: int | None = None) -> list[Row]:
    """Time both; the run stops when a probability differs."""
    X, y = _made(n)
    forest = RandomForestClassifier(n_trees, random_state=0).fit(X, y)
    projected = ProjectedForest(forest, X, y)
    subsets = [one for size in range(1, P + 1) for one in combinations(range(P), size)]
    same = SameDecision.of_class(projected.predict(X))
    every, minimal = list[float](), list[float]()
    alone = SearchOptions(every=False, confidence=None)
    for i in range(WARM + (rounds or ROWS)):
        own = same.some(slice(i, i + 1))
        every.append(timed(lambda i=i, own=own: projected.sdp(X[i : i + 1], subsets, own))["cpu"])
        minimal.append(timed(lambda i=i, own=own: find_sufficient(projected, X[i], own, alone))["cpu"])
    some = np.random.default_rng(0).choice(len(subsets), LISTED, replace=False)
    listed = list[float]()
    their = timed(lambda: listed.extend(_listed(forest, X, y, X[0], subsets[j]) for j in some))["cpu"]
    apart = np.abs(projected.sdp(X[:1], [subsets[j] for j in some], same.some(slice(0, 1)))[0] - listed).max()
    if apart > TOLERANCE:
        raise RuntimeError(f"A probability by index lists is {apart:.1e} away from ours.")
    label = f"{n:,} rows, {n_trees} full-depth trees"
    first = f"first row {every[0]:.3g} s; processor time, median of {len(every) - WARM} rows after {WARM}"
    full = (n, n_trees) == (10_000, 20)
    return [
        Row(
            f"rules: all 1,023 subsets, {label}",
            "s a row",
            ours=median(every[WARM:]),
            other=their / LISTED * len(subsets),
            at_most=AT_MOST["all"] if full else None,
            note=f"{first}; other: index lists, {LISTED} subsets of one row times {len(subsets) / LISTED:.0f}",
        ),
        Row(
            f"rules: smallest set, {label}",
            "s a row",
            ours=median(minimal[WARM:]),
            at_most=AT_MOST["minimal"] if full else None,
            note=f"from {min(minimal[WARM:]):.3g} to {max(minimal[WARM:]):.3g}: sizes ascend until one suffices",
        ),
        Row(f"rules: packed sets, {label}", "MB", ours=projected.nbytes / 1e6, note=f"after {len(every)} rows"),
    ]


def _made(n: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n, P))
    score = X[:, 0] * X[:, 1] + np.where(X[:, 2] > 0, X[:, 3], 2 * X[:, 4]) + 0.3 * random.normal(size=n)
    return X, (score > 0).astype(np.int64)


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
