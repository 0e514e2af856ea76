"""XGBoost's boosted trees read from the JSON that its boosters save: the one file that knows that format.

A value goes left where it is less than the threshold, both in single precision. Leaves are added up in single
precision too. The levels that a split names go right.
"""

import json
from typing import Any

import numpy as np
from scipy import special

from tauscope.trees.assembly import SingleTree, as_tree_model, lay_out
from tauscope.trees.ensemble import LinkFunction
from tauscope.trees.tree_model import TreeModel, UnreadableModel, classifies
from tauscope.weights.arrays import Bools, Floats, Ints

OBJECTIVES: dict[LinkFunction, tuple[str, ...]] = {
    "identity": (
        *("reg:squarederror", "reg:squaredlogerror", "reg:pseudohubererror", "reg:absoluteerror", "reg:quantileerror"),
        *("rank:pairwise", "rank:ndcg", "rank:map"),
    ),
    "logistic": ("binary:logistic", "reg:logistic"),
    "softmax": ("multi:softprob", "multi:softmax"),
    "exponential": ("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox"),
}
LINKS: dict[str, LinkFunction] = {name: link for link, names in OBJECTIVES.items() for name in names}


def read_xgboost(model: Any, response: str) -> TreeModel:
    """Read an XGBClassifier, XGBRegressor, XGBRanker or forest, up to its best iteration where it has one."""
    if response != ("predict_proba" if classifies(model) else "predict"):
        raise UnreadableModel("a class label is no sum over trees: ask for a probability")
    if not np.isnan(model.missing):
        raise UnreadableModel(f"it takes {model.missing:g} for a missing value")
    learner: Any = json.loads(bytes(model.get_booster().save_raw("json")))["learner"]
    objective = str(learner["objective"]["name"])
    if objective not in LINKS:
        raise UnreadableModel(f"answers to its objective {objective!r} are no known function of a sum")
    link = LINKS[objective]
    booster: Any = learner["gradient_booster"]
    if booster["name"] == "gblinear":
        raise UnreadableModel("its booster is a linear model")
    drop = booster.get("weight_drop")
    stored: Any = booster["gbtree"]["model"] if drop is not None else booster["model"]
    n_trees = _n_trees_used(model, stored)
    weights = np.ones(n_trees) if drop is None else np.asarray(drop[:n_trees], dtype=np.float64)
    trees = [
        _tree(tree, int(output), float(weight))
        for tree, output, weight in zip(stored["trees"][:n_trees], stored["tree_info"][:n_trees], weights, strict=True)
    ]
    facts: Any = learner["learner_model_param"]
    n_outputs = max(int(facts["num_class"]), int(facts.get("num_target", 1)), 1)
    read = lay_out(
        trees,
        _offset(str(facts["base_score"]), link, n_outputs),
        link,
        outputs=(1,) if response == "predict" and link == "logistic" else None,
        single_precision=True,
        single_sums=True,
        named_go_left=False,
    )
    return as_tree_model(read, int(facts["num_feature"]))


def _n_trees_used(model: Any, stored: Any) -> int:
    """Trees up to the best iteration of a fit that was stopped early; all otherwise."""
    n_trees = len(stored["trees"])
    try:
        n_rounds = int(model.best_iteration) + 1
    except AttributeError:
        return n_trees
    if "iteration_indptr" in stored:
        return int(stored["iteration_indptr"][n_rounds])
    per_round = int(stored["gbtree_model_param"]["num_parallel_tree"]) * (1 + max(stored["tree_info"]))
    return n_rounds * per_round


def _offset(base_score: str, link: LinkFunction, n_outputs: int) -> Floats:
    """Where the sum starts: the base score as a margin; written as one number, or as one for each output."""
    base = np.array(base_score.strip("[]").split(","), dtype=np.float64)
    if link == "logistic":
        base = np.asarray(special.logit(base), dtype=np.float64)
    elif link == "exponential":
        base = np.log(base)
    return np.resize(base, n_outputs).astype(np.float32).astype(np.float64)


def _tree(stored: Any, output: int, weight: float) -> SingleTree:
    if int(stored["tree_param"].get("size_leaf_vector", 1)) > 1:
        raise UnreadableModel("its leaves hold several values each")
    left, right = (np.asarray(stored[side], dtype=np.int64) for side in ("left_children", "right_children"))
    leaf, here = left < 0, np.arange(len(left), dtype=np.int64)
    conditions = np.asarray(stored["split_conditions"], dtype=np.float32)
    return SingleTree(
        feature=np.where(leaf, -1, np.asarray(stored["split_indices"], dtype=np.int64)),
        threshold=np.where(leaf, 0.0, _below(conditions)),
        missing_left=np.asarray(stored["default_left"], dtype=np.bool_) & ~leaf,
        left=np.where(leaf, here, left),
        right=np.where(leaf, here, right),
        value=np.where(leaf, conditions.astype(np.float64) * weight, 0.0)[:, None],
        output=output,
        levels=_levels(stored, leaf),
    )


def _levels(stored: Any, leaf: Bools) -> dict[int, Ints]:
    """Codes of each split on levels."""
    codes = np.asarray(stored.get("categories", ()), dtype=np.int64)
    stretches = zip(
        stored.get("categories_nodes", ()),
        stored.get("categories_segments", ()),
        stored.get("categories_sizes", ()),
        strict=True,
    )
    return {int(node): codes[first : first + size] for node, first, size in stretches if not leaf[node]}


def _below(thresholds: Any) -> Floats:
    """Greatest float32 below each: to be less than the one is to be at most the other."""
    return np.nextafter(thresholds, np.float32(-np.inf)).astype(np.float64)
