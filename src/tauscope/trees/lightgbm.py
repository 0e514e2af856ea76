"""LightGBM's boosted trees read from the text that its boosters save: the one file that knows that format.

A value goes left where it is at most the threshold, in double precision. Where a column has no missing values known to
the booster, a missing value is compared as 0; where the booster was told that zero is missing, zeros are.
"""

from typing import Any

import numpy as np

from tauscope.trees.assembly import SingleTree, as_tree_model, lay_out
from tauscope.trees.ensemble import LinkFunction
from tauscope.trees.tree_model import TreeModel, UnreadableModel, classifies
from tauscope.weights.arrays import Bools, Floats, Ints

BY_LEVELS, DEFAULT_LEFT = 1, 2  # bits of a node's decision_type; the two above them say what is missing
ZERO_IS_MISSING, NAN_IS_MISSING = 1, 2
ZERO = float(np.float32(1e-35))
"""Numbers up to this size are zero to it."""
OBJECTIVES: dict[LinkFunction, tuple[str, ...]] = {
    "identity": (
        *("regression", "regression_l1", "huber", "fair", "quantile", "mape"),
        *("lambdarank", "rank_xendcg", "custom"),
    ),
    "logistic": ("binary", "cross_entropy"),
    "softmax": ("multiclass",),
    "exponential": ("poisson", "gamma", "tweedie"),
}
LINKS: dict[str, LinkFunction] = {name: link for link, names in OBJECTIVES.items() for name in names}


def read_lightgbm(model: Any, response: str) -> TreeModel:
    """Read an LGBMClassifier, LGBMRegressor or LGBMRanker, or a Booster, up to its best iteration where it has one."""
    booster = getattr(model, "booster_", model)
    if response == "predict" and classifies(model):
        raise UnreadableModel("a class label is no sum over trees: ask for a probability")
    header, *texts = str(booster.model_to_string()).partition("\nend of trees")[0].split("\nTree=")
    facts = _facts(header)
    n_outputs = int(facts["num_tree_per_iteration"])
    link, slope = _link(facts, response, classifies(model))
    if "average_output" in facts and response != "decision_function":  # of which it answers with the sum
        slope *= n_outputs / len(texts)
    zero_columns = np.zeros(int(facts["max_feature_idx"]) + 1, dtype=np.bool_)
    nan_columns = zero_columns.copy()
    trees = [
        _tree(_facts(text), place % n_outputs, slope, zero_columns, nan_columns) for place, text in enumerate(texts)
    ]
    if (zero_columns & nan_columns).any():
        raise UnreadableModel("zero is missing to some of its trees and a number to others")
    read = lay_out(trees, np.zeros(n_outputs), link, outputs=_outputs(response, link))
    levels = getattr(booster, "pandas_categorical", None)
    return _with_zeros(as_tree_model(read, len(zero_columns), levels), zero_columns)


def _facts(text: str) -> dict[str, str]:
    """Names and values of lines "name=value"."""
    lines = (line.partition("=") for line in text.splitlines())
    return {name: value for name, _, value in lines}


def _link(facts: dict[str, str], response: str, labels: bool) -> tuple[LinkFunction, float]:
    """Link of the answers, and what leaves are multiplied by before it."""
    if response == "decision_function":
        return "identity", 1.0
    name, *options = facts.get("objective", "custom").split(" ")
    if name not in LINKS or (name == "custom" and labels) or "sqrt" in options:
        raise UnreadableModel(f"answers to its objective {' '.join([name, *options])!r} are no known function of a sum")
    slopes = [float(option.removeprefix("sigmoid:")) for option in options if option.startswith("sigmoid:")]
    return LINKS[name], slopes[0] if name == "binary" and slopes else 1.0


def _outputs(response: str, link: LinkFunction) -> tuple[int, ...] | None:
    """Only one probability of two is answered where `predict` answers with probabilities."""
    return (1,) if response == "predict" and link == "logistic" else None


def _tree(facts: dict[str, str], output: int, slope: float, zero_columns: Bools, nan_columns: Bools) -> SingleTree:
    """Read one tree, splits first and leaves after them, and note what is missing to its columns."""
    if facts.get("is_linear", "0") != "0":
        raise UnreadableModel("its leaves are linear models")
    values = _numbers(facts["leaf_value"]) * slope
    n_leaves = len(values)
    n_splits = n_leaves - 1 if "split_feature" in facts else 0
    leaves = np.arange(n_splits, n_splits + n_leaves, dtype=np.int64)
    if n_splits == 0:
        return SingleTree(
            np.array([-1]), np.zeros(1), np.zeros(1, dtype=np.bool_), leaves[:1], leaves[:1], values[:1, None], output
        )
    column, kind = _numbers(facts["split_feature"]).astype(np.int64), _numbers(facts["decision_type"]).astype(np.int64)
    threshold = _numbers(facts["threshold"])
    # rows are handed to the trees with such numbers as 0
    threshold = np.where(threshold == -ZERO, np.nextafter(-ZERO, -np.inf), threshold)
    by_levels, missing = (kind & BY_LEVELS) > 0, kind >> 2
    zero_columns[column[~by_levels & (missing == ZERO_IS_MISSING)]] = True
    nan_columns[column[~by_levels & (missing == NAN_IS_MISSING)]] = True
    # a missing value that it knows nothing of is compared as 0; one of levels is none of those named
    goes_left = np.where(missing == 0, threshold >= 0, (kind & DEFAULT_LEFT) > 0) & ~by_levels
    left, right = (_children(facts[side], n_splits) for side in ("left_child", "right_child"))
    return SingleTree(
        feature=np.concatenate([column, np.full(n_leaves, -1)]),
        threshold=np.concatenate([np.where(by_levels, 0.0, threshold), np.zeros(n_leaves)]),
        missing_left=np.concatenate([goes_left, np.zeros(n_leaves, dtype=np.bool_)]),
        left=np.concatenate([left, leaves]),
        right=np.concatenate([right, leaves]),
        value=np.concatenate([np.zeros(n_splits), values])[:, None],
        output=output,
        levels=_levels(facts, np.flatnonzero(by_levels), threshold),
    )


def _children(numbers: str, n_splits: int) -> Ints:
    """Give leaves, which the booster numbers from −1 down, the numbers after those of splits."""
    child = _numbers(numbers).astype(np.int64)
    return np.where(child >= 0, child, n_splits - 1 - child)


def _levels(facts: dict[str, str], splits: Ints, threshold: Floats) -> dict[int, Ints]:
    """Codes whose bits are set, for each split on levels."""
    if not len(splits):
        return {}
    ends = _numbers(facts["cat_boundaries"]).astype(np.int64)
    words = np.array([int(word) for word in facts["cat_threshold"].split()], dtype="<u4")
    named: dict[int, Ints] = {}
    for split in splits.tolist():
        which = int(threshold[split])
        octets = words[ends[which] : ends[which + 1]].view(np.uint8)
        named[split] = np.flatnonzero(np.unpackbits(octets, bitorder="little")).astype(np.int64)
    return named


def _numbers(text: str) -> Floats:
    return np.array(text.split(), dtype=np.float64)


def _with_zeros(model: TreeModel, zero_columns: Bools) -> TreeModel:
    """Take zeros for missing in columns where the booster does."""
    columns = np.flatnonzero(zero_columns)
    if not len(columns):
        return model

    def encode(rows: Any) -> Floats:
        encoded = model.encode(rows)
        values = encoded[:, columns]
        encoded[:, columns] = np.where(np.abs(values) <= ZERO, np.nan, values)
        return encoded

    return TreeModel(model.trees, encode, model.column_of, zero_is_missing=True)
