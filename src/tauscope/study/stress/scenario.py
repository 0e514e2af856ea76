"""A scenario as the constraints that a study solves, those of the sliders at the same place."""

# Decided in docs/decisions/0006-a-scenario-is-solved-where-the-rows-are.md.

from __future__ import annotations

from typing import TYPE_CHECKING

from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError
from tauscope.results.stress.columns import StressColumns
from tauscope.results.stress.joint_moments import joint_constraints
from tauscope.results.stress.natural_units import with_names
from tauscope.results.stress.scenario import Scenario, named_features
from tauscope.stress.joint.constraints import Constraint, Stress, as_stress
from tauscope.study.stress.columns import stress_columns

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def read_stress(study: StudyBase, stress: Constraint | Stress | Scenario, quantile: float) -> Stress:
    """Return a stress as constraints, a scenario as those it stands for on these rows.

    Raises
    ------
    UnknownName
        For a feature of a scenario that is not there, with the nearest names.
    InputError
        For one that no stress can move.
    InputTypeError
        For what is no stress.
    """
    if not isinstance(stress, Scenario):
        return with_names(as_stress(stress), study)
    constraints = joint_constraints(scenario_columns(study, stress, quantile), stress.taus, stress.hold)
    assert constraints is not None  # a scenario moves something
    return constraints


def scenario_columns(study: StudyBase, scenario: Scenario, quantile: float) -> StressColumns:
    """Return what τ means for the features of a scenario, and of those it holds."""
    names = named_features(scenario, study.columns)
    if scenario.hold == "none":
        return stress_columns(study, names, quantile=quantile)
    if are_sparse(study.columns):
        raise InputError(
            f"hold={scenario.hold!r} keeps all other features where they are, of which a sparse matrix has too many; "
            "use hold='none'."
        )
    columns = stress_columns(study, quantile=quantile)
    rare = [name for name in names if name not in columns.names]
    return stress_columns(study, [*columns.names, *rare], quantile=quantile) if rare else columns
