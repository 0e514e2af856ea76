"""A stress on a study in numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tauscope.data.features import features_by_name
from tauscope.results.stress.natural_units import in_numbers, with_readings
from tauscope.rows.values import quantities
from tauscope.stress.joint.constraints import Stress, as_stress
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.terms import Moments

if TYPE_CHECKING:
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.study.base import StudyBase


def read_moments(study: StudyBase, stress: Stress, quantile: float) -> Moments:
    """Return a stress on a study in numbers.

    Parameters
    ----------
    study : Study
    stress : Stress
        With the study's functions, as `FunctionRegistry.with_functions` puts them in.
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    """
    features = features_by_name(study._columns)
    moments = resolve(
        in_numbers(stress, features),
        quantities(study._columns, lambda: study._outcomes),
        study.n_rows,
        rows=study.X,
        quantile=quantile,
        sample_weight=study.sample_weight,
    )
    return replace(moments, terms=with_readings(moments.terms, features))


def reweighted_moments(study: StudyBase, reweighting: Reweighting) -> Moments:
    """Return the stress of a reweighting of a study in numbers."""
    stress = study._functions.with_functions(as_stress(reweighting.stress))
    return read_moments(study, stress, reweighting.quantile)
