"""The verb `joint_stress`: what it takes to answer any stress of several features at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tauscope.results.stress.joint import JointStress
from tauscope.results.stress.numbers.joint_answer import unstressed_metrics
from tauscope.stress.metrics import choose, define_quantities
from tauscope.study.stress.columns import stress_columns
from tauscope.study.stress.curves import Features, check_fraction
from tauscope.study.stress.metrics import check_own, select_metrics

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def joint_stress(
    self: StudyBase,
    features: Features | None = None,
    *,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
) -> JointStress:
    """Move several features at once: a slider each, any combination answered.

    Parameters
    ----------
    features : name, position, or several of them, optional
        A column of levels gives the share of each. By default every feature that can be moved.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of a feature.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    metrics : str, or several, optional
        Names of the task's metrics, such as "error_rate". By default all of them.

    Returns
    -------
    JointStress

    Raises
    ------
    UnknownName
        For a feature or metric that is not there, with the nearest names or what is missing for it.
    InputError
        For a feature that no stress can move, a metric that is not the task's own, or a number out of its range.

    Examples
    --------
    >>> joint = study.joint_stress(["mean radius", "mean texture"])
    >>> round(joint.at({"mean radius": 0.3, "mean texture": -0.1}).ess)
    189
    """
    check_fraction("confidence", confidence, 1.0)
    columns = stress_columns(self, features, quantile=quantile)
    selection = select_metrics(self, metrics)
    check_own(selection, "A joint stress")
    collected, every = define_quantities(self._outcomes, names=selection.builtin or ())
    chosen = choose(every, selection.builtin)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    return JointStress(
        _columns=columns,
        metrics=chosen,
        unstressed=unstressed_metrics(collected, chosen, base, confidence=float(confidence)),
        confidence=float(confidence),
        source=self._as_source(),
    )
