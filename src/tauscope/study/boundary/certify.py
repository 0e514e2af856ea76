"""The lower end of a distance: what is proved about the model behind a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.boundary.certificates.certify import LowerBounds, certify, n_probes
from tauscope.pipelines.trees import holds_trees
from tauscope.prediction.batches import Over
from tauscope.results.boundary.numbers import Certificate
from tauscope.trees.ties import MOST_ROWS
from tauscope.weights.arrays import Bools, Floats

if TYPE_CHECKING:
    from tauscope.boundary.bisection import Starts
    from tauscope.boundary.space import Limits
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.study.base import StudyBase
    from tauscope.study.boundary.decision import StudyDecision
    from tauscope.study.boundary.space import StudySpace


@dataclass(frozen=True, eq=False)
class ProvedDistances:
    """Distances below which nothing is decided otherwise.

    Attributes
    ----------
    lower : ndarray of shape (n,)
        0 where nothing is proved.
    certificate : tuple of str
        How, for each.
    reason : str
        Why nothing is proved; "" where something is.
    n_model_rows : int
        Rows the model was called on, to compare it with what was read of it.
    """

    lower: Floats
    certificate: tuple[Certificate, ...]
    reason: str = ""
    n_model_rows: int = 0


def nothing_proved(n: int, reason: str = "") -> ProvedDistances:
    """Return what is known of n distances without a proof."""
    return ProvedDistances(np.zeros(n), ("none",) * n, reason)


def proved_distances(
    study: StudyBase,
    spec: BoundarySpec,
    measured: StudySpace,
    decision: StudyDecision,
    starts: Starts,
    limits: Limits,
    found: Floats,
    over: Over = map,
) -> ProvedDistances:
    """Bound distances from below, where the model is one that can be read.

    Parameters
    ----------
    study : Study
    spec : BoundarySpec
    measured : StudySpace
    decision : StudyDecision
        As the search has taken it: a proof is of the largest answer, so that labels have to follow from answers.
    starts : Starts
    limits : Limits
    found : ndarray of shape (n,)
        Distances of the points found; ∞ for none.
    over : callable
        Applies a function to rows as `map` does.
    """
    estimator, response = model_read(study)
    if not hasattr(estimator, "predict"):
        return nothing_proved(starts.n, f"{study._model_name} has no parameters that could be read")
    levels = [column.name for column in measured.columns if column.kind != "number"]
    if levels:
        return nothing_proved(starts.n, f"{levels[0]!r} is not a column of numbers")
    if study._task != "regression" and not decision.follows:
        return nothing_proved(starts.n, "its labels are not those of the largest answer")
    bounds = certify(
        estimator,
        response,
        measured.space,
        starts.points,
        starts.labels,
        starts.target,
        limits,
        n_classes=len(decision.classes),
        codes=estimator_codes(study, estimator),
        upper=found,
        threshold=None if study._task != "regression" else spec.threshold,
        over=over,
    )
    study._require_model("has boundaries").n_model_rows += bounds.n_model_rows
    return ProvedDistances(bounds.distance, certificates_of(bounds), bounds.reason, bounds.n_model_rows)


def n_proof_rows(study: StudyBase, n: int) -> int:
    """Return how many rows the model is called on for the proofs of n distances, at most."""
    estimator = model_read(study)[0]
    if not hasattr(estimator, "predict"):
        return 0
    return n_probes(n) + (MOST_ROWS if holds_trees(estimator) else 0)


def n_sparse_proof_rows(study: StudyBase, n: int) -> int:
    """Return how many rows the model is called on for the proofs of n sparse rows, at most."""
    return n if hasattr(model_read(study)[0], "predict") else 0


def certificates_of(bounds: LowerBounds) -> tuple[Certificate, ...]:
    """Return how each bound is known."""
    exact: Bools = bounds.exact
    return tuple("exact" if each else bounds.certificate for each in exact)


def model_read(study: StudyBase) -> tuple[Any, str]:
    """Return the estimator, also where the model is a method of it, and what is called."""
    model = study._require_model("has boundaries")
    method = model.method()
    return getattr(model.model, "__self__", model.model), method.name


def estimator_codes(study: StudyBase, estimator: Any) -> Any:
    """Code of each of the estimator's own classes; None where it has none."""
    own = getattr(estimator, "classes_", None)
    if study._task == "regression" or own is None:
        return None
    known = list(study.classes)
    labels = np.asarray(own).tolist()
    return np.array([known.index(label) for label in labels]) if set(labels) == set(known) else None
