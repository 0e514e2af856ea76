"""A model's answer as forms of its trees' leaves: sums that are all above 0 exactly as long as the answer stands."""

from dataclasses import dataclass

import numpy as np

from tauscope.errors import InputError
from tauscope.trees.ensemble import Ensemble
from tauscope.weights.arrays import Floats

WHOLE = 1e-9


@dataclass(frozen=True, eq=False)
class Form:
    """offset + the sum of a row's leaves.

    Attributes
    ----------
    values : ndarray of shape (n_nodes,)
        What a leaf adds.
    offset : float
    slack : float
        Sums this close to 0 are taken for neither side.
    """

    values: Floats
    offset: float
    slack: float


def class_forms(trees: Ensemble, label: int) -> list[Form]:
    """Return the forms of "class `label` is predicted".

    Parameters
    ----------
    trees : Ensemble
        Of a classifier's probabilities or decision function.
    label : int
        Position among its classes.

    Returns
    -------
    list of Form
        One against each other class. Of equal shares a classifier takes the first class. Where every tree votes for one
        class the votes are counted, and a tie is decided so too.
    """
    q = len(trees.offset)
    if not 0 <= label < max(q, 2):
        raise InputError(f"label must be the position of a class, 0 to {max(q, 2) - 1}; got {label}.")
    leaves = _leaf_values(trees)
    if q == 1:
        sign = 1.0 if label == 1 else -1.0
        return [_form(trees, leaves[:, 0] * sign, float(trees.offset[0]) * sign)]
    return [_contrast(trees, leaves, label, other) for other in range(q) if other != label]


def interval_forms(trees: Ensemble, low: float, high: float) -> list[Form]:
    """Return the forms of "the prediction lies between low and high" for a regression of one output."""
    if not low < high:
        raise InputError(f"low must be less than high; got {low!r} and {high!r}.")
    leaves = _leaf_values(trees)[:, 0]
    offset = float(trees.offset[0])
    sides = ((leaves, offset - trees.margin(low)), (-leaves, trees.margin(high) - offset))
    return [
        _form(trees, values, start) if start > -np.inf else Form(np.zeros_like(values), -1.0, 0.0)
        for values, start in sides
        if start < np.inf
    ]


def _contrast(trees: Ensemble, leaves: Floats, label: int, other: int) -> Form:
    votes = leaves * trees.n_trees
    if trees.link == "identity" and not trees.offset.any() and np.abs(votes - np.round(votes)).max() < WHOLE:
        ahead = np.round(votes[:, label]) - np.round(votes[:, other])
        return Form(ahead, 0.5 if label < other else -0.5, 0.0)
    offset = float(trees.offset[label] - trees.offset[other])
    return _form(trees, leaves[:, label] - leaves[:, other], offset)


def _form(trees: Ensemble, values: Floats, offset: float) -> Form:
    return Form(values, offset, trees.slack(values, offset))


def _leaf_values(trees: Ensemble) -> Floats:
    """Lay out what each node adds to each output, 0 above the leaves: shape (n_nodes, q)."""
    values = np.zeros((len(trees.feature), len(trees.offset)))
    for k in range(trees.value.shape[1]):
        values[np.arange(len(values)), trees.first_output + k] = trees.value[:, k]
    values[trees.feature >= 0] = 0.0
    return values
