"""Decisions as margins: linear forms of a model's outputs, all above 0 as long as the decision stands."""

from dataclasses import dataclass

import numpy as np

from tauscope.weights.arrays import Floats


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Margins c · outputs + c0 of one point.

    Attributes
    ----------
    forms : ndarray of shape (k, q)
    offsets : ndarray of shape (k,)
    label : int
        Position of the class decided.
    target : int or None
        Position of the class looked for: a flip has every margin at 0 or below. None: any of them is enough.
    """

    forms: Floats
    offsets: Floats
    label: int
    target: int | None

    @property
    def every(self) -> bool:
        """Whether a flip turns every margin."""
        return self.target is not None and len(self.forms) > 1


def contrasts_of(label: int, target: int | None, n_outputs: int, threshold: float) -> Contrasts:
    """Margins of a decision.

    Parameters
    ----------
    label : int
        Position of the class decided among the model's.
    target : int or None
        The class looked for; None: any other.
    n_outputs : int
        1: class 1 above the threshold, else class 0; more: the class of the largest output.
    threshold : float
    """
    if n_outputs == 1:
        sign = 1.0 if label == 1 else -1.0
        return Contrasts(np.array([[sign]]), np.array([-sign * threshold]), label, None)
    unit = np.eye(n_outputs)
    if target is None:
        forms = unit[label] - np.delete(unit, label, axis=0)
    else:
        forms = np.delete(unit, target, axis=0) - unit[target]
    return Contrasts(forms, np.zeros(len(forms)), label, target)
