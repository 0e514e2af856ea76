"""CatBoost's trees read from the JSON that its models save: the one file that knows that format.

A value goes left where it is at most the border, both in single precision. A tree whose every level asks one question
is stored as its questions and 2ᵈ leaves, the first question in the last bit of a leaf's number; any other as nodes.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tauscope.trees.assembly import SingleTree, as_tree_model, lay_out
from tauscope.trees.ensemble import LinkFunction
from tauscope.trees.tree_model import TreeModel, UnreadableModel, classifies
from tauscope.weights.arrays import Bools, Floats, Ints

PROBABILITIES: dict[str, LinkFunction] = {"Logloss": "logistic", "CrossEntropy": "logistic", "MultiClass": "softmax"}
LOSSES: dict[LinkFunction, tuple[str, ...]] = {
    "identity": (
        *("RMSE", "MAE", "Quantile", "Huber", "Expectile", "MAPE", "LogCosh", "Lq"),
        *("YetiRank", "PairLogit", "QueryRMSE"),
    ),
    "exponential": ("Poisson", "Tweedie"),
}
VALUES: dict[str, LinkFunction] = {name: link for link, names in LOSSES.items() for name in names}
"""What models answer from their sums, by their loss: probabilities, and other values."""


def read_catboost(model: Any, response: str) -> TreeModel:
    """Read a CatBoostClassifier, CatBoostRegressor or CatBoostRanker on numbers."""
    if response not in ("predict", "predict_proba") or (response == "predict" and classifies(model)):
        raise UnreadableModel("a class label is no sum over trees: ask for a probability")
    stored = _saved(model)
    loss = str(stored["model_info"]["params"]["loss_function"]["type"])
    links: dict[str, LinkFunction] = PROBABILITIES if response == "predict_proba" else VALUES
    if loss not in links:
        raise UnreadableModel(f"answers to its loss {loss!r} are no known function of a sum")
    features: Any = stored["features_info"]
    if set(features) - {"float_features"}:
        raise UnreadableModel("it takes levels, text or embeddings and computes numbers from them")
    columns: Any = features["float_features"]
    column_of = np.array([column["flat_feature_index"] for column in columns], dtype=np.int64)
    missing_right = np.array([column["nan_value_treatment"] == "AsTrue" for column in columns], dtype=np.bool_)
    scale, offset = stored["scale_and_bias"]
    trees = [_of_nodes(*arrays, column_of, missing_right, float(scale)) for arrays in _trees(stored)]
    read = lay_out(trees, np.asarray(offset, dtype=np.float64), links[loss], single_precision=True)
    return as_tree_model(read, len(columns))


def _saved(model: Any) -> Any:
    """Let the model write itself down, in a folder that is gone at once."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        return json.loads(path.read_text(encoding="utf-8"))


Nodes = tuple[Ints, Floats, Ints, Ints, Floats]
"""Place of the column among the numeric ones (−1 at a leaf), border, children, and values of shape (n_nodes, k)."""


def _trees(stored: Any) -> Iterator[Nodes]:
    if "oblivious_trees" in stored:
        for tree in stored["oblivious_trees"]:
            yield _of_questions(tree.get("splits") or [], np.asarray(tree["leaf_values"], dtype=np.float64))
    else:
        for tree in stored["trees"]:
            yield _of_branches(tree)


def _of_questions(splits: list[Any], values: Floats) -> Nodes:
    """Nodes of a tree that asks the same question at all nodes of a level, numbered level by level."""
    depth = len(splits)
    values = values.reshape(2**depth, -1)
    level = np.repeat(np.arange(depth), 2 ** np.arange(depth))
    # the last question is asked first: leaves then stand in the order of their numbers
    place = np.array([_place(split) for split in splits[::-1]], dtype=np.int64)
    border = np.array([split["border"] for split in splits[::-1]], dtype=np.float64)
    n_inner = len(level)
    here = np.arange(n_inner, dtype=np.int64)
    leaves = np.arange(n_inner, n_inner + len(values), dtype=np.int64)
    return (
        np.concatenate([place[level], np.full(len(values), -1)]),
        np.concatenate([border[level], np.zeros(len(values))]),
        np.concatenate([2 * here + 1, leaves]),
        np.concatenate([2 * here + 2, leaves]),
        np.concatenate([np.zeros((n_inner, values.shape[1])), values]),
    )


def _of_branches(root: Any) -> Nodes:
    """Nodes of a tree stored as branches within branches, numbered as they are met."""
    nodes: list[Any] = [root]
    children: list[tuple[int, int]] = []
    for node in nodes:  # grows meanwhile
        if "split" in node:
            children.append((len(nodes), len(nodes) + 1))
            nodes += [node["left"], node["right"]]
        else:
            children.append((len(children), len(children)))
    left, right = np.array(children, dtype=np.int64).T
    values = [np.ravel(np.asarray(node["value"], dtype=np.float64)) if "split" not in node else None for node in nodes]
    nothing = np.zeros(max(len(value) for value in values if value is not None))
    return (
        np.array([_place(node["split"]) if "split" in node else -1 for node in nodes], dtype=np.int64),
        np.array([node["split"]["border"] if "split" in node else 0.0 for node in nodes], dtype=np.float64),
        left,
        right,
        np.stack([nothing if value is None else value for value in values]),
    )


def _place(split: Any) -> int:
    if split["split_type"] != "FloatFeature":
        raise UnreadableModel("it splits on levels")
    return int(split["float_feature_index"])


def _of_nodes(
    place: Ints,
    border: Floats,
    left: Ints,
    right: Ints,
    value: Floats,
    column_of: Ints,
    missing_right: Bools,
    scale: float,
) -> SingleTree:
    inner = place >= 0
    return SingleTree(
        feature=np.where(inner, column_of[place], -1),
        threshold=border.astype(np.float32).astype(np.float64),
        missing_left=inner & ~missing_right[place],
        left=left,
        right=right,
        value=value * scale,
    )
