"""Rows in chunks under a stress."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.stress.reweight import reweight_chunks, solve_stress
from tauscope.errors import InputError
from tauscope.results.stress.natural_units import with_names
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.rows.in_chunks import InChunks
from tauscope.stress.chunked.projection import ChunkedTilt, Weighted
from tauscope.stress.joint.constraints import as_stress
from tauscope.study.stress.populations import Population

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.stress.joint.constraints import Constraint, Stress

Array = NDArray[np.float64]


def moved_population(self: ChunkedBase, rows: InChunks, reweighting: Reweighting, what: str) -> Population:
    """Return the rows under a reweighting, whose stress is solved again unless it was the last one."""
    stress = self.functions.with_functions(as_stress(reweighting.stress))
    moments, projection = solve_stress(self, rows.sum, rows.summed, stress, reweighting.quantile)
    weighted = Weighted(ChunkedTilt.of(moments, projection), moments.unstressed, moments.target_covariance)
    return Population(reweighting.population, weighted, moments.n_beyond, moments.in_doubt)


def refuse_scenario(stress: object, instead: str) -> None:
    """Ask for constraints in the place of a scenario, or for what samples answer."""
    if isinstance(stress, Scenario):
        raise InputError(
            f"A scenario moves sliders, which take rows in memory; got {stress!r}. Give constraints, ts.Mean(…) & "
            f"ts.Share(…), or ask a sample: {instead}."
        )


def reweighted(
    self: ChunkedBase, rows: InChunks, stress: Constraint | Stress | Reweighting, quantile: float, verb: str
) -> Reweighting:
    """Return the reweighting that meets a stress on rows in chunks; the one given, where it is one."""
    refuse_scenario(stress, f"sample().{verb}(scenario)")
    if isinstance(stress, Reweighting):
        stress.check_usable(rows.summed.n_rows)
        return stress
    resolved = self.functions.with_functions(with_names(as_stress(stress), self))
    found = reweight_chunks(self, rows.passes, resolved, quantile, 0.95)
    found.check_usable(rows.summed.n_rows)
    return replace(found, stress=self.functions.name_functions(resolved))
