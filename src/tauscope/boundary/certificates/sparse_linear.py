"""The distance to the nearest hyperplane over all columns of a sparse matrix: a row at a time, no matrix of columns."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.boundary.certificates.certify import SHRUNK, LowerBounds
from tauscope.boundary.certificates.contrasts import Contrasts, contrasts_of
from tauscope.boundary.certificates.linear import ROUNDING, least_length
from tauscope.boundary.certificates.moves import UncertifiedModel
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.words import count

TOLERANCE = 1e-9  # of the largest answer
BAYES = ("MultinomialNB", "ComplementNB")
Ask = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Reach:
    """One row of the matrix, and how far its columns may go.

    Attributes
    ----------
    row : csr of shape (1, p)
    below, above : ndarray of shape (p,)
        Room to the ends of each column; 0 in one that stays, ∞ for no end.
    stepwise : ndarray of bool, shape (p,)
        Columns that move in whole steps: a bound over all numbers between them is below their own distance.
    """

    row: Any
    below: Floats
    above: Floats
    stepwise: Bools


def certify_sparse(
    estimator: Any,
    rows: Any,
    reach_of: Callable[[int], Reach],
    labels: Ints,
    target: int | None,
    upper: Floats,
    *,
    norm: int,
    n_classes: int,
    codes: Ints | None = None,
    threshold: float | None = None,
) -> LowerBounds:
    """Bound the distance of the nearest flip from below, over all columns: those a search has not moved too.

    Parameters
    ----------
    estimator : fitted estimator
        A linear model, or naive Bayes of counts, whose joint log-likelihoods are linear in the row.
    rows : csr of shape (n, p)
    reach_of : callable
        Position of a row to its reach, made when it is needed: it has arrays of p numbers.
    labels : ndarray of shape (n,)
        Codes decided.
    target : int or None
    upper : ndarray of shape (n,)
        Distance of a flip that is known; ∞ for none.
    norm : {1, 2}
        Of a change, in the columns' own units.
    n_classes, codes, threshold
        As in `certify`.

    Returns
    -------
    LowerBounds
        "exact" where no column that counts moves in whole steps.
    """
    n, n_model_rows = rows.shape[0], 0
    try:
        coefficients, intercepts, ask = _read(_searched(estimator), threshold)
        n_model_rows = n
        _compare(coefficients, intercepts, ask, rows)
        positions = _positions(codes, n_classes)
        results = [
            _bound(
                coefficients,
                intercepts,
                reach_of(i),
                _contrasts(int(positions[labels[i]]), target, positions, len(coefficients), n_classes, threshold),
                norm,
            )
            for i in range(n)
        ]
    except UncertifiedModel as reason:
        nothing = np.zeros(n)
        return LowerBounds(nothing, "none", nothing > 0, str(reason), n_model_rows=n_model_rows)
    distance = np.array([length for length, _ in results])
    exact = np.array([is_exact for _, is_exact in results], dtype=np.bool_)
    distance = np.where(distance >= upper, upper, distance * (1 - SHRUNK))
    certificate = "exact" if exact.all() else "linear relaxation"
    return LowerBounds(distance, certificate, exact, n_model_rows=n_model_rows)


def _searched(estimator: Any) -> Any:
    while hasattr(estimator, "best_estimator_"):
        estimator = estimator.best_estimator_
    return estimator


def _read(model: Any, threshold: float | None) -> tuple[Floats, Floats, Ask]:
    """Read coefficients (q, p) and intercepts (q,), and the method whose answers they tell."""
    name = type(model).__name__
    try:
        if name in BAYES:
            coefficients = np.asarray(model.feature_log_prob_, dtype=np.float64)
            with_prior = name == "MultinomialNB" or len(model.classes_) == 1
            intercepts = np.asarray(model.class_log_prior_ if with_prior else np.zeros(len(coefficients)))
            ask = model.predict_joint_log_proba
        elif hasattr(model, "coef_") and hasattr(model, "intercept_"):
            coef = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
            coefficients = np.atleast_2d(np.asarray(coef, dtype=np.float64))
            intercepts = np.resize(np.asarray(model.intercept_, dtype=np.float64).ravel(), len(coefficients))
            ask = model.decision_function if hasattr(model, "classes_") else model.predict
        else:
            raise UncertifiedModel(f"{name} is no linear model; of sparse rows no other is read")
    except (AttributeError, TypeError, ValueError) as error:
        raise UncertifiedModel(f"it is stored otherwise than is known here ({error})") from error
    if (threshold is None) != hasattr(model, "classes_"):
        raise UncertifiedModel(f"{name} does not decide by its own outputs")
    return coefficients, intercepts, ask


def _compare(coefficients: Floats, intercepts: Floats, ask: Ask, rows: Any) -> None:
    """Compare what was read with the model's own answers."""
    try:
        computed = rows @ coefficients.T + intercepts
        answers = np.asarray(ask(rows), dtype=np.float64).reshape(rows.shape[0], -1)
    except (AttributeError, TypeError, ValueError) as error:
        raise UncertifiedModel(f"it is stored otherwise than is known here ({error})") from error
    slack = TOLERANCE * max(1.0, float(np.abs(answers).max(initial=0.0)))
    if computed.shape != answers.shape or not np.allclose(computed, answers, rtol=0, atol=slack):
        raise UncertifiedModel("its answers are not those of the parameters read from it")


def _positions(codes: Ints | None, n_classes: int) -> Ints:
    """Place of each code among the estimator's classes."""
    codes = np.arange(n_classes) if codes is None else np.asarray(codes)
    if sorted(codes.tolist()) != list(range(n_classes)):
        raise UncertifiedModel(
            f"its {count(len(codes), 'class', 'classes')} are not the {n_classes} that are told apart"
        )
    return np.argsort(codes)


def _contrasts(
    label: int, target: int | None, positions: Ints, q: int, n_classes: int, threshold: float | None
) -> Contrasts:
    if q != (1 if n_classes == 2 and q == 1 else n_classes):
        raise UncertifiedModel(f"it has {q} outputs for {count(n_classes, 'class', 'classes')}")
    return contrasts_of(label, None if target is None else int(positions[target]), q, threshold or 0.0)


def _bound(
    coefficients: Floats, intercepts: Floats, reach: Reach, contrasts: Contrasts, norm: int
) -> tuple[float, bool]:
    """Return the distance of the nearest hyperplane; of a class looked for among several, of the farthest to cross."""
    outputs = (reach.row @ coefficients.T).ravel() + intercepts
    size = (abs(reach.row) @ np.abs(coefficients).T).ravel() + np.abs(intercepts)
    lengths: list[float] = []
    stepwise = False
    for form, offset in zip(contrasts.forms, contrasts.offsets, strict=True):
        margin = float(form @ outputs + offset - ROUNDING * (np.abs(form) @ size))
        if contrasts.target is None and margin < -TOLERANCE * max(1.0, float(np.abs(outputs).max())):
            raise UncertifiedModel("the labels are not those its outputs tell")
        slope = form @ coefficients
        ends = np.where(slope < 0, reach.above, reach.below)
        lengths.append(float(least_length(np.abs(slope), ends, np.asarray(max(margin, 0.0)), norm)))
        stepwise |= bool((reach.stepwise & (slope != 0) & (ends > 0)).any())
    several = contrasts.every
    return (max(lengths) if several else min(lengths)), not several and not stepwise


def room(row: Any, lower: Floats, upper: Floats, whole: Bools) -> Reach:
    """Tell how far the columns of a row (1, p) may go between their ends (p,)."""
    start = np.asarray(row.toarray(), dtype=np.float64).ravel()
    below, above = np.maximum(start - lower, 0.0), np.maximum(upper - start, 0.0)
    stays = lower >= upper
    below[stays] = above[stays] = 0.0
    return Reach(row, below, above, whole)
