"""scikit-learn's tree ensembles read as arrays: the one file that knows how it stores them."""

from dataclasses import replace
from typing import Any

import numpy as np

from tauscope.trees.ensemble import Ensemble, LinkFunction
from tauscope.trees.frames import as_fitted
from tauscope.trees.tree_model import TreeModel, UnreadableModel, unencoded
from tauscope.weights.arrays import Bools, Floats, Ints


def read_tree(tree: Any, response: str) -> TreeModel:
    """Read a decision tree."""
    return _of_trees([tree], response, averaged=True)


def read_forest(forest: Any, response: str) -> TreeModel:
    """Read a forest, whose trees are averaged."""
    return _of_trees(list(forest.estimators_), response, averaged=True)


def read_boosting(model: Any, response: str) -> TreeModel:
    """Read gradient boosting, whose trees are added up."""
    stages = model.estimators_
    trees = [tree for stage in stages for tree in stage]
    link = _boosted_link(model, response, stages.shape[1])
    read = _of_trees(trees, "predict", averaged=False, scale=float(model.learning_rate))
    outputs = np.tile(np.arange(stages.shape[1], dtype=np.int64), stages.shape[0])
    outputs = np.repeat(outputs, np.diff(read.trees.roots))
    start = model._raw_predict_init(np.zeros((1, int(model.n_features_in_)), dtype=np.float32))
    offset = np.asarray(start, dtype=np.float64).reshape(stages.shape[1])
    return replace(read, trees=replace(read.trees, first_output=outputs, offset=offset, link=link))


def _boosted_link(model: Any, response: str, n_raw: int) -> LinkFunction:
    if response == "decision_function" or (response == "predict" and not hasattr(model, "classes_")):
        loss = str(getattr(model, "loss", ""))
        return "exponential" if loss in ("poisson", "gamma") else "identity"
    if response == "predict_proba":
        return "logistic" if n_raw == 1 else "softmax"
    raise UnreadableModel("a class label is no sum over trees: ask for a probability or a decision function")


def _of_trees(estimators: list[Any], response: str, *, averaged: bool, scale: float = 1.0) -> TreeModel:
    """Trees of sklearn.tree, whose answers are averaged (forests) or added up, scaled (boosting)."""
    if response == "predict" and hasattr(estimators[0], "classes_"):
        raise UnreadableModel("a class label is no sum over trees: ask for a probability")
    if response not in ("predict", "predict_proba"):
        raise UnreadableModel(f"its {response} is no sum over trees")
    stored = [estimator.tree_ for estimator in estimators]
    if any(tree.n_outputs != 1 for tree in stored):
        raise UnreadableModel("it has more than one target")
    roots = np.concatenate([[0], np.cumsum([tree.node_count for tree in stored])]).astype(np.int64)
    starts, n_nodes = roots[:-1], int(roots[-1])
    left = [np.asarray(tree.children_left, dtype=np.int64) for tree in stored]
    right = [np.asarray(tree.children_right, dtype=np.int64) for tree in stored]
    leaf = np.concatenate(left) < 0
    here = np.arange(n_nodes, dtype=np.int64)
    values: list[Floats] = []
    for tree in stored:
        value = np.asarray(tree.value, dtype=np.float64)[:, 0, :]
        if response == "predict_proba":
            value = value / value.sum(axis=1, keepdims=True)
        values.append(value * (1.0 / len(stored) if averaged else scale))
    value = np.concatenate(values)
    feature = np.concatenate([np.asarray(tree.feature, dtype=np.int64) for tree in stored])
    missing = [np.asarray(tree.missing_go_to_left, dtype=np.bool_) for tree in stored]
    n_columns = int(estimators[0].n_features_in_)
    trees = Ensemble(
        roots=roots,
        feature=np.where(leaf, -1, feature),
        threshold=_rounded_down(np.concatenate([np.asarray(tree.threshold, dtype=np.float64) for tree in stored])),
        missing_left=np.concatenate(missing),
        category=np.full(n_nodes, -1, dtype=np.int64),
        left_levels=np.empty((0, 0), dtype=np.bool_),
        left=np.where(leaf, here, np.concatenate([child + start for child, start in zip(left, starts, strict=True)])),
        right=np.where(leaf, here, np.concatenate([child + start for child, start in zip(right, starts, strict=True)])),
        value=value,
        first_output=np.zeros(n_nodes, dtype=np.int64),
        offset=np.zeros(int(value.shape[1])),
        link="identity",
        single_precision=True,
    )
    return TreeModel(trees, unencoded, tuple(range(n_columns)))


def read_histogram_boosting(model: Any, response: str) -> TreeModel:
    """Read histogram gradient boosting, with its splits on levels."""
    stages: list[list[Any]] = model._predictors
    n_raw = len(stages[0])
    link = _boosted_link(model, response, n_raw)
    stored = [predictor for stage in stages for predictor in stage]
    sizes = np.array([len(predictor.nodes) for predictor in stored], dtype=np.int64)
    roots = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    table: Any = np.concatenate([predictor.nodes for predictor in stored])
    leaf: Bools = table["is_leaf"].astype(np.bool_)
    here = np.arange(len(table), dtype=np.int64)
    starts = np.repeat(roots[:-1], sizes)
    bitsets = [np.asarray(predictor.raw_left_cat_bitsets, dtype="<u4").reshape(-1, 8) for predictor in stored]
    first_bitset = np.cumsum([0, *(len(bitset) for bitset in bitsets[:-1])]).astype(np.int64)
    category: Ints = table["bitset_idx"].astype(np.int64) + np.repeat(first_bitset, sizes)
    no_category: Bools = leaf | (table["is_categorical"] == 0)
    octets = np.ascontiguousarray(np.concatenate(bitsets)).view(np.uint8)
    trees = Ensemble(
        roots=roots,
        feature=np.where(leaf, -1, table["feature_idx"].astype(np.int64)),
        threshold=table["num_threshold"].astype(np.float64),
        missing_left=table["missing_go_to_left"].astype(np.bool_),
        category=np.where(no_category, -1, category),
        left_levels=np.unpackbits(octets, axis=1, bitorder="little").astype(np.bool_),
        left=np.where(leaf, here, table["left"].astype(np.int64) + starts),
        right=np.where(leaf, here, table["right"].astype(np.int64) + starts),
        value=np.where(leaf, table["value"], 0.0)[:, None],
        first_output=np.repeat(np.tile(np.arange(n_raw, dtype=np.int64), len(stages)), sizes),
        offset=np.asarray(model._baseline_prediction, dtype=np.float64).reshape(n_raw),
        link=link,
        single_precision=False,
    )
    n_columns = int(model.n_features_in_)
    levels = getattr(model, "is_categorical_", None)
    if levels is None:
        return TreeModel(trees, unencoded, tuple(range(n_columns)))
    levels = np.asarray(levels, dtype=np.bool_)
    # columns of levels are encoded and put first
    order = np.concatenate([np.flatnonzero(levels), np.flatnonzero(~levels)])
    column_of = np.empty(n_columns, dtype=np.int64)
    column_of[order] = np.arange(n_columns)

    known_categories, bitset_of = model._bin_mapper.make_known_categories_bitsets()
    octets = np.ascontiguousarray(np.asarray(known_categories, dtype="<u4")).view(np.uint8)
    is_known = np.unpackbits(octets, axis=1, bitorder="little").astype(np.bool_)

    def encode(rows: Any) -> Floats:
        encoded = np.array(model._preprocess_X(as_fitted(model, rows), reset=False), dtype=np.float64)
        for column in range(int(levels.sum())):  # a level the trees never saw is treated as missing
            codes = encoded[:, column]
            seen = is_known[bitset_of[column], np.nan_to_num(codes).astype(np.int64)]
            encoded[:, column] = np.where(seen, codes, np.nan)
        return encoded

    return TreeModel(trees, encode, tuple(int(column) for column in column_of))


def _rounded_down(thresholds: Floats) -> Floats:
    """Largest float32 not above each threshold: a float32 is at most the one where it is at most the other."""
    single = thresholds.astype(np.float32)
    single = np.where(single > thresholds, np.nextafter(single, np.float32(-np.inf)), single)
    return single.astype(np.float64)
