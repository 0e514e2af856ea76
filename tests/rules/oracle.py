"""Projected forests by their definition, with lists of rows: slow, and nothing shared with the engine."""

from typing import Any

import numpy as np


def bootstrap(forest: Any, n: int) -> list[np.ndarray]:
    """How often each tree drew each row."""
    if not forest.bootstrap:
        return [np.ones(n, dtype=int) for _ in forest.estimators_]
    return [np.bincount(drawn, minlength=n) for drawn in forest.estimators_samples_]


def sides(tree: Any, node: int, X: np.ndarray) -> np.ndarray:
    """Whether each row goes left at a node, as scikit-learn compares."""
    values = X[:, tree.feature[node]].astype(np.float32)
    missing = np.isnan(values)
    return np.where(missing, bool(tree.missing_go_to_left[node]), values <= tree.threshold[node])


def cell(tree: Any, count: np.ndarray, X: np.ndarray, x: np.ndarray, columns: set[int], min_rows: int) -> list[int]:
    """Rows in the projected cell of x: one level of splits after the other, stopping before it gets too small."""
    inside = [i for i in range(len(X)) if count[i] > 0]
    level = [0]
    while level:
        kept, below = inside, []
        for node in level:
            left, right = tree.children_left[node], tree.children_right[node]
            if left < 0:
                continue
            if tree.feature[node] in columns:
                own = sides(tree, node, x[None])[0]
                same = sides(tree, node, X) == own
                kept = [i for i in kept if same[i]]
                below.append(left if own else right)
            else:
                below += [left, right]
        if sum(count[i] for i in kept) < min_rows:
            break
        inside, level = kept, below
    return inside


def weights(
    forest: Any, X: np.ndarray, x: np.ndarray, columns: set[int], min_rows: int, scale: np.ndarray | None = None
) -> np.ndarray:
    """Weight of each training row."""
    scale = np.ones(len(X)) if scale is None else scale
    total = np.zeros(len(X))
    for estimator, count in zip(forest.estimators_, bootstrap(forest, len(X)), strict=True):
        inside = cell(estimator.tree_, count, X, x, columns, min_rows)
        amount = np.zeros(len(X))
        for i in inside:
            amount[i] = count[i] * scale[i]
        total += amount / amount.sum() / len(forest.estimators_)
    return total
