"""A scenario as the constraints that a study solves, those of the sliders at the same place."""

# Decided in docs/decisions/0006-a-scenario-is-solved-where-the-rows-are.md.

from __future__ import annotations

from typing import TYPE_CHECKING

from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError
from tauscope.results.stress.columns import StressColumns
from tauscope.results.stress.numbers.joint_moments import joint_constraints
from tauscope.results.stress.numbers.natural_units import with_names
from tauscope.results.stress.scenario import Scenario, named_features, with_features_named
from tauscope.stress.joint.constraints import Constraint, Stress, as_stress
from tauscope.study.base import StudyBase
from tauscope.study.stress.columns import stress_columns

if TYPE_CHECKING:
    from tauscope.study.verbs import Asked


def read_stress(
    study: Asked, stress: Constraint | Stress | Scenario, quantile: float, verb: str = "reweight"
) -> Stress:
    """Return a stress as constraints, a scenario as those it stands for on these rows.

    Parameters
    ----------
    study : Asked
    stress : Constraint, Stress or Scenario
    quantile : float
    verb : str, default "reweight"
        What was asked for, and may be asked of a sample.

    Raises
    ------
    UnknownName
        For a feature of a scenario that is not there, with the nearest names.
    InputError
        For one that no stress can move, and for a scenario of rows in chunks.
    InputTypeError
        For what is no stress.
    """
    if not isinstance(stress, Scenario):
        return with_names(as_stress(stress), study)
    if not isinstance(study, StudyBase):
        raise scenario_error(stress, f"sample().{verb}(scenario)")
    stress = with_features_named(stress, study.feature_names)
    columns = scenario_columns(study, stress, quantile)
    constraints = joint_constraints(columns, stress.taus, stress.hold)
    assert constraints is not None  # a scenario moves something
    return constraints


def refuse_scenario(stress: object, instead: str) -> None:
    """Ask for constraints in the place of a scenario of rows in chunks, or for what samples answer."""
    if isinstance(stress, Scenario):
        raise scenario_error(stress, instead)


def scenario_error(scenario: Scenario, instead: str) -> InputError:
    """Return the error of a scenario that rows in chunks are asked for."""
    return InputError(
        f"A scenario moves sliders, which take rows in memory; got {scenario!r}. Give constraints, ts.Mean(…) & "
        f"ts.Share(…), or ask a sample: {instead}."
    )


def scenario_columns(study: StudyBase, scenario: Scenario, quantile: float) -> StressColumns:
    """Return what τ means for the features of a scenario, and of those it holds."""
    names = named_features(scenario, study._columns)
    if scenario.hold == "none":
        return stress_columns(study, names, quantile=quantile)
    if are_sparse(study._columns):
        raise InputError(
            f"hold={scenario.hold!r} keeps all other features where they are, of which a sparse matrix has too many; "
            "use hold='none'."
        )
    columns = stress_columns(study, quantile=quantile)
    rare = [name for name in names if name not in columns.names]
    return stress_columns(study, [*columns.names, *rare], quantile=quantile) if rare else columns
