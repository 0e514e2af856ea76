"""The stress that views share, solved on the rows of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tauscope.errors import InputError
from tauscope.results.stress.numbers.joint_moments import joint_constraints

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.stress.columns import StressColumns
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.views.shared_stress import StressState


def solve_stress(source: Study, columns: StressColumns, stress: StressState) -> Reweighting:
    """Find the weights of a stress that moves something.

    Raises
    ------
    TauscopeError
        Where a feature is not there, no weights meet the stress, or none were found.
    """
    constraints = joint_constraints(columns, stress["taus"], stress["hold"])
    assert constraints is not None
    solved = source.reweight(constraints, quantile=columns.quantile)
    if solved.status == "unconverged":
        raise InputError(solved.message)
    return solved
