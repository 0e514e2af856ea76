"""A distance below which no change flips the decision, and how it was come by."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tauscope.boundary.certificates.contrasts import Contrasts, contrasts_of
from tauscope.boundary.certificates.estimators import ReadModel, RowsOf, read_model
from tauscope.boundary.certificates.moves import Moves, UncertifiedModel
from tauscope.boundary.certificates.trees import TreeMargins
from tauscope.boundary.space import Limits, Space
from tauscope.errors import InputError
from tauscope.pipelines.linear import Probes
from tauscope.prediction.batches import Over
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.words import count

Certificate = Literal["exact", "trees: boxes", "linear relaxation", "none"]
BUDGET = 200_000
N_PROBES = 32
SHRUNK = 1e-12
"""Share by which a bound is shortened, for the rounding of distances."""


@dataclass(frozen=True, eq=False)
class LowerBounds:
    """Distances below which no change within the limits flips the decision.

    Attributes
    ----------
    distance : ndarray of shape (n,)
        0 where nothing is known; ∞ where no change at all flips it.
    certificate : {"exact", "trees: boxes", "linear relaxation", "none"}
        How: "exact" where all of them are the distance itself, to rounding; by the boxes of trees' leaves; by linear
        functions that enclose the model; "none" where nothing was computed.
    exact : ndarray of bool, shape (n,)
        Whether each is the distance itself.
    reason : str
        Of "none": why.
    n_model_rows : int
        Rows the model was called on, to compare it with what was read of it.
    """

    distance: Floats
    certificate: Certificate
    exact: Bools
    reason: str = ""
    n_model_rows: int = 0


def certify(
    estimator: Any,
    response: str,
    space: Space,
    points: Floats,
    labels: Ints,
    target: int | None,
    limits: Limits,
    *,
    n_classes: int,
    codes: Ints | None = None,
    upper: Floats | None = None,
    threshold: float | None = None,
    rows_of: RowsOf = None,
    budget: float = BUDGET,
    over: Over = map,
) -> LowerBounds:
    """Bound the distance of the nearest flip of each point from below.

    Parameters
    ----------
    estimator : fitted estimator
        Linear models, trees and their ensembles, networks of scikit-learn, alone or behind affine steps.
    response : {"predict", "predict_proba", "decision_function"}
        The method the decision is made by; the label is that of the largest output, or of `threshold`.
    space : Space
    points : ndarray of shape (n, p)
        In the estimator's own columns, within `limits`.
    labels : ndarray of shape (n,)
        Codes of what is decided there. Of a regression: 1 above the threshold, else 0.
    target : int or None
        The class looked for; None: any other.
    limits : Limits
    n_classes : int
    codes : ndarray of shape (n_classes,), optional
        Code of each of the estimator's `classes_`; None: 0, 1, ….
    upper : ndarray of shape (n,), optional
        Distance of a flip that is known: nothing is looked for beyond it.
    threshold : float, optional
        Of a regression.
    rows_of : callable, optional
        Points (m, p) to the rows the estimator takes, for one that begins with a ColumnTransformer of columns that
        stay, or change by levels under "gower": it may encode these as it likes.
    budget : float, optional
        Boxes looked at for each point, of ensembles; more may give a larger bound.
    over : callable
        Applies a function to the points of an ensemble as `map` does; it can stop, and work on several cores.

    Returns
    -------
    LowerBounds

    Notes
    -----
    Levels of the metrics "euclidean" and "manhattan" are taken as numbers, and whole numbers of linear models and
    networks likewise: a bound over more changes than there are. Bounds hold for the model in real arithmetic, with a
    slack for the rounding of its sums; trees are followed to the float32 they compare.
    """
    ends = np.full(len(points), np.inf) if upper is None else np.where(np.isnan(upper), np.inf, upper)
    _check(points, labels, ends)
    probes = Probes(points[:0])
    try:
        moves = Moves.read(space, points, limits)
        _check_response(estimator, response)
        probes = _probes(moves, space)
        model = read_model(estimator, moves, probes, threshold, rows_of)
        own = _own_codes(labels, target, n_classes, codes)
        contrasts = _contrasts(model, *own, n_classes)
    except UncertifiedModel as reason:
        nothing = np.zeros(len(points))
        return LowerBounds(nothing, "none", nothing > 0, str(reason), n_model_rows=probes.n_model_rows)
    ends = np.minimum(ends, moves.cap)
    distance, exact = model.margins.lower_bounds(moves, model.seen, contrasts, ends, budget, over)
    exact &= distance < moves.cap
    distance = np.where(distance >= ends, ends, distance * (1 - SHRUNK))
    if target is not None:
        distance = np.where(labels == target, 0.0, distance)
    return LowerBounds(distance, _certificate(model, exact), exact, n_model_rows=probes.n_model_rows)


def _certificate(model: ReadModel, exact: Bools) -> Certificate:
    if exact.all():
        return "exact"
    return "trees: boxes" if isinstance(model.margins, TreeMargins) else "linear relaxation"


def _contrasts(model: ReadModel, labels: Ints, target: int | None, n_classes: int) -> list[Contrasts]:
    """Margins of each point, which the labels have to agree with."""
    outputs = model.margins.outputs(model.seen)
    q = outputs.shape[1]
    if q != (1 if n_classes == 2 and q == 1 else n_classes):
        raise UncertifiedModel(f"it has {q} outputs for {count(n_classes, 'class', 'classes')}")
    contrasts = [contrasts_of(int(label), target, q, model.threshold) for label in labels]
    for label, row, one in zip(labels, outputs, contrasts, strict=True):
        own = one if one.target is None else contrasts_of(int(label), None, q, model.threshold)
        slack = 1e-9 * max(1.0, float(np.abs(row).max()))
        if (own.forms @ row + own.offsets < -slack).any():
            raise UncertifiedModel("the labels are not those its outputs tell")
    return contrasts


def _own_codes(labels: Ints, target: int | None, n_classes: int, codes: Ints | None) -> tuple[Ints, int | None]:
    """Labels and target as positions among the estimator's classes."""
    codes = np.arange(n_classes) if codes is None else np.asarray(codes)
    if sorted(codes.tolist()) != list(range(n_classes)):
        raise UncertifiedModel(
            f"its {count(len(codes), 'class', 'classes')} are not the {n_classes} that are told apart"
        )
    position = np.argsort(codes)
    return position[labels], None if target is None else int(position[target])


def n_probes(n: int) -> int:
    """Return at how many points a model is compared with what was read of it, for n points."""
    return 2 * min(n, N_PROBES)


def _probes(moves: Moves, space: Space) -> Probes:
    """Points, and points beside them, at which the model read is compared with the model."""
    first = moves.points[:N_PROBES]
    random = np.random.default_rng(0)
    step = np.where(space.in_block | space.integer, 0.0, np.minimum(moves.unit[: len(first)], space.scale))
    beside = first + random.normal(size=first.shape) * step
    beside = np.clip(beside, moves.lower[: len(first)], moves.upper[: len(first)])
    return Probes(np.concatenate([first, np.where(step > 0, beside, first)]))


def _check(points: Floats, labels: Ints, upper: Floats) -> None:
    if not len(points) == len(labels) == len(upper):
        raise InputError(
            f"points, labels and upper must have one entry a point; got {len(points)}, {len(labels)} and {len(upper)}."
        )


def _check_response(estimator: Any, response: str) -> None:
    if not hasattr(estimator, response):
        raise UncertifiedModel(f"{type(estimator).__name__} has no {response}")
