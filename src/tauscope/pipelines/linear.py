# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Linear models read as coefficients, and compared with their own answers."""

from typing import Any

import numpy as np

from tauscope.trees.frames import as_fitted
from tauscope.trees.tree_model import UnreadableModel, classifies
from tauscope.weights.arrays import Floats

TOLERANCE = 1e-9  # of the largest answer


class Probes:
    """Points at which what was read of a model is compared with its own answers.

    Parameters
    ----------
    points : ndarray of shape (m, p)

    Attributes
    ----------
    points : ndarray of shape (m, p)
    n_model_rows : int
        Rows the model was called on.
    """

    def __init__(self, points: Floats) -> None:
        self.points = points
        self.n_model_rows = 0

    def answers(self, model: Any, seen: Floats) -> Floats:
        """Ask the estimator itself at points as it sees them: shape (m, q)."""
        names = ("decision_function", "predict_proba") if classifies(model) else ("predict",)
        method = next((getattr(model, name) for name in names if hasattr(model, name)), None)
        if method is None:
            raise UnreadableModel(f"{type(model).__name__} has no outputs that tell its labels")
        self.n_model_rows += len(seen)
        return np.asarray(method(as_fitted(model, seen)), dtype=np.float64).reshape(len(seen), -1)


def read_linear(model: Any, tried: Floats, probes: Probes) -> tuple[Floats, Floats] | None:
    """Read a fitted linear model.

    Parameters
    ----------
    model : fitted estimator
        Without the steps before it.
    tried : ndarray of shape (m, d)
        The probes as it takes them.
    probes : Probes
        Through which it is asked.

    Returns
    -------
    coefficients : ndarray of shape (q, d)
    intercepts : ndarray of shape (q,)
        None in the place of both for an estimator that is none.

    Raises
    ------
    UnreadableModel
        Where its answers are not those of its coefficients: behind a link, or stored otherwise.
    """
    if not (hasattr(model, "coef_") and hasattr(model, "intercept_")):
        return None
    coef = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
    coefficients = np.atleast_2d(np.asarray(coef, dtype=np.float64))
    if coefficients.shape[1] != tried.shape[1]:
        raise UnreadableModel("its coefficients are not those of its columns")
    intercepts = np.resize(np.asarray(model.intercept_, dtype=np.float64).ravel(), len(coefficients))
    check_outputs(tried @ coefficients.T + intercepts, probes.answers(model, tried))
    return coefficients, intercepts


def check_outputs(computed: Floats, answers: Floats) -> None:
    """Refuse parameters whose outputs are not the estimator's own answers.

    Raises
    ------
    UnreadableModel
    """
    slack = TOLERANCE * max(1.0, float(np.abs(answers).max(initial=0.0)))
    if computed.shape != answers.shape or not np.allclose(computed, answers, rtol=0, atol=slack):
        raise UnreadableModel("its answers are not those of the parameters read from it")
