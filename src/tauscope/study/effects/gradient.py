"""Derivatives along a feature: the caller's own, or a model smooth enough for small steps."""

# A gradient is what a person has; scikit-learn ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import validation
from tauscope.data.frames import read_vector
from tauscope.errors import InputError, InputTypeError
from tauscope.model.response import Response
from tauscope.pipelines.trees import holds_trees

if TYPE_CHECKING:
    from tauscope.results.effects.spec import EffectSpec
    from tauscope.study.base import StudyBase


def read_gradient(
    study: StudyBase, positions: tuple[int, ...], response: Response, spec: EffectSpec
) -> NDArray[np.float64] | None:
    """Check what an effect from derivatives stands on.

    Parameters
    ----------
    study : Study
    positions : tuple of int
        The features.
    response : Response
    spec : EffectSpec
        Its `gradient` has the derivative of each response along the feature at the rows as they are; a callable is
        given the rows. Only kind "dale" takes it, or a `step`.

    Returns
    -------
    ndarray of shape (n_rows,) or (n_rows, q), or None
        None where differences are to be taken.

    Raises
    ------
    InputError, InputTypeError
        For two features, levels, a column that takes no small step, a model of trees, labels, or numbers of another
        shape.
    """
    kind, gradient = spec.kind, spec.gradient
    step: Any = spec.step
    if kind != "dale":
        if gradient is not None or step is not None:
            raise InputError(f"gradient and step are of kind='dale'; got kind={kind!r}. Leave them out.")
        return None
    rows, position = study._table_rows, positions[0]
    name = rows.columns[position].name
    if len(positions) != 1:
        raise InputError("An effect from derivatives is of one feature; got two. Use kind='pd' or kind='ale'.")
    if position in rows.categorical:
        raise InputError(f"Derivatives are along numbers; {name!r} holds levels. Use kind='ale'.")
    if gradient is None and rows.group_of(position):
        raise InputError(f"Derivatives are along numbers; {name!r} is a level of one-hot columns. Use kind='ale'.")
    if step is not None and (isinstance(step, bool) or not isinstance(step, Real) or not 0 < float(step) < np.inf):
        raise InputError(f"step must be a positive number in the feature's unit; got {step!r}.")
    if gradient is not None:
        if step is not None:
            raise InputError("Derivatives are given or taken over a step; got both. Leave one of the two out.")
        return _read_derivatives(study, response, gradient)
    of_trees = holds_trees(study._require_model("has effects").model)
    if of_trees or response.quantity == "predicted label":
        what = "trees" if of_trees else "labels"
        raise InputError(
            f"Derivatives need a smooth answer; {response.label} answers by {what}, flat between jumps. "
            "Use kind='ale', which takes differences across bins, or give the derivatives: gradient=…"
        )
    values = rows.column(position)
    try:
        rows.with_reals(position).check_values(position, np.array([float(np.nanmean(values)) + np.pi * 1e-4]))
    except InputError:
        raise InputError(
            f"Differences are taken over small steps; {name!r} holds dates or decimals, which take "
            "none. Use kind='ale', give gradient=…, or hold the column as float in the study's rows."
        ) from None
    return None


def _read_derivatives(study: StudyBase, response: Response, gradient: Any) -> NDArray[np.float64]:
    derivatives = gradient(study.X) if callable(gradient) else gradient
    slopes = np.asarray(read_vector(derivatives, "gradient"))
    if slopes.dtype.kind not in "biuf":
        raise InputTypeError(f"gradient must be numbers; got {slopes.dtype}.")
    validation.check_length("gradient", slopes, study.n_rows)
    q = max(1, len(response.classes))
    if slopes.ndim == 2 and slopes.shape[1] == 1:
        slopes = slopes[:, 0]
    if slopes.ndim > 2 or (slopes.shape[1] if slopes.ndim == 2 else 1) != q:
        raise InputError(
            f"gradient must have one derivative per row{f' and class, shape (n_rows, {q})' if q > 1 else ''}; "
            f"got shape {slopes.shape}. Take the derivative of {response.name} along this feature alone."
        )
    return slopes.astype(np.float64)
