"""An estimator read as a sum of trees, and the check that its own answers are those of the trees."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.trees.ensemble import Ensemble
from tauscope.weights.arrays import Floats

Encode = Callable[[Any], Floats]
TOLERANCE = 1e-9
"""Of the largest answer, where leaves are added in double precision."""


class UnreadableModel(Exception):
    """Why a model cannot be read as a sum of trees; the reason completes "the model was asked instead: …"."""


@dataclass(frozen=True)
class TreeModel:
    """A fitted estimator read as a sum of trees.

    Attributes
    ----------
    trees : Ensemble
    encode : callable
        Rows as given, an array or a frame → rows as the trees compare them (levels as codes, in the trees' order of
        columns).
    column_of : tuple of int
        The trees' column for each column as given.
    zero_is_missing : bool
        Whether `encode` takes zeros of some column for missing values: between two rows that the trees tell apart by
        nothing there may then be one that they do.
    """

    trees: Ensemble
    encode: Encode
    column_of: tuple[int, ...]
    zero_is_missing: bool = False


def classifies(estimator: Any) -> bool:
    """Tell whether an estimator names classes; CatBoost's regressions have an empty list of them."""
    return len(getattr(estimator, "classes_", ())) > 0


def unencoded(rows: Floats) -> Floats:
    """Rows that the trees compare as they are given."""
    return rows


def check_trees(model: TreeModel, rows: Floats, answers: Floats) -> None:
    """Refuse a model whose answers on some rows (n, n_columns) are not those given (q, n).

    They may differ by as much as the library's own sums may be off: next to nothing in double precision, more in
    single precision, the more trees the more.

    Raises
    ------
    UnreadableModel
    """
    trees = model.trees
    try:
        raw = trees.raw(model.encode(rows))
        computed = trees.answers(raw)
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise UnreadableModel(f"its rows cannot be encoded as it encodes them ({error})") from error
    if computed.shape != answers.shape or not np.allclose(computed, answers, rtol=0, atol=_slack(trees, raw, answers)):
        raise UnreadableModel("its answers are not those of the trees read from it")


def _slack(trees: Ensemble, raw: Floats, answers: Floats) -> float:
    largest = float(np.abs(answers).max(initial=0.0))
    if not trees.single_sums:
        return TOLERANCE * max(1.0, largest)
    # roundings of n additions grow as √n, those of the worst case as n
    rounding = (8 + 2 * float(np.sqrt(trees.n_trees))) * float(np.finfo(np.float32).epsneg)
    size = max(float(np.abs(raw).max(initial=0.0)), float(np.abs(trees.offset).max(initial=0.0)))
    if trees.link == "identity":
        return rounding * size
    return rounding * max(1.0, size) * (largest if trees.link == "exponential" else 1.0)
