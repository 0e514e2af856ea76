"""What is kept of a search from one sparse row: the columns it is about, measured against all rows of the matrix."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tauscope.boundary.sparse import ActiveRows, sparse_plausibility
from tauscope.results.boundary.boundary import DiverseRow
from tauscope.results.boundary.sparse import take_columns
from tauscope.study.boundary.run import Search
from tauscope.study.boundary.sparse_space import SparseSpace
from tauscope.weights.arrays import Bools, Ints


def finished(
    search: Search, active: Ints, csr: Any, space: SparseSpace, labels: Ints, apart: float
) -> tuple[Search, Ints]:
    """Keep the columns the answer is about, and what is measured against all rows of the matrix."""
    numbers = search.numbers
    inspection = numbers.inspection
    distance = inspection.detection.distance
    scaled = np.where(np.isfinite(distance) & (distance > 0), distance, np.nan) / apart
    diagnostics = replace(inspection.diagnostics, scaled_distance=scaled)
    numbers = replace(numbers, inspection=replace(inspection, diagnostics=diagnostics))
    vectors = [
        numbers.start[0],
        numbers.rival[0],
        numbers.inspection.point[0],
        numbers.inspection.detection.point[0],
        numbers.inspection.explanation.direction[0],
        *(one.point for one in (*search.regions, *search.diverse)),
        *(one.direction for one in search.regions),
    ]
    used: Bools = np.asarray(np.nan_to_num(np.array(vectors)).any(axis=0))
    for block in numbers.space.blocks:
        used[list(block)] = used[list(block)].any()
    keep = np.flatnonzero(used) if used.any() else np.zeros(1, dtype=np.int64)
    regions = tuple(replace(one, point=one.point[keep], direction=one.direction[keep]) for one in search.regions)
    diverse = _placed(search.diverse, active, csr, space, labels)
    diverse = tuple(replace(one, point=one.point[keep]) for one in diverse)
    return replace(search, numbers=take_columns(numbers, keep), regions=regions, diverse=diverse), active[keep]


def _placed(
    diverse: tuple[DiverseRow, ...], active: Ints, csr: Any, space: SparseSpace, labels: Ints
) -> tuple[DiverseRow, ...]:
    """Measure again how near other rows are, among all of the matrix."""
    if not diverse:
        return ()
    points = np.array([one.point for one in diverse])
    rows = ActiveRows(csr, active).substituted(np.zeros(len(points), dtype=np.int64), tuple(range(len(active))), points)
    codes = np.array([one.label for one in diverse])
    nearest, density = sparse_plausibility(space.metric, csr, labels, rows, codes)
    measured = zip(diverse, nearest.tolist(), density.tolist(), strict=True)
    return tuple(replace(one, nearest=near, density=dense) for one, near, dense in measured)
