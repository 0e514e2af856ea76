"""How far the points found are, over the exact distance to the boundary or the least that a long search finds."""

import numpy as np

from boundary_engine import Inspected
from boundary_inputs import MODELS, fitted, instances, table
from boundary_reference import Search, logistic_distances, network_distances
from report import Row

DATA = "breast cancer"
AT_MOST = {"logistic": 0.5, "forest": 15.0, "network": 2.0}
"""Percent by which the mean distance exceeds the least."""
REFINE = {"logistic": "line", "forest": "coordinate", "network": "line"}
REFERENCE = {
    "logistic": "exact: |w·x + b| / ‖w‖",
    "forest": "least of everything here and of 30 iterations as in HopSkipJump with two sweeps over the columns",
    "network": "exact: over all patterns of active units",
}
REFINEMENTS = ("none", "line", "coordinate")


def measure(n: int = 100) -> list[Row]:
    """Compare the mean ratio of distances on each model."""
    return [_measure(model, n) for model in MODELS]


def _measure(model: str, n: int) -> Row:
    index, X = instances(DATA, model, n=n), table(DATA).X
    inspected = Inspected.of(fitted(DATA, model), X, index)
    found, rows = dict[str, np.ndarray](), dict[str, float]()
    for refine in REFINEMENTS:
        before = inspected.counted.rows
        run = inspected.inspect(refine=refine)
        found[refine], rows[refine] = run.distance, (inspected.counted.rows - before) / len(index)
        if refine == "none":
            points = run.point
    reference = _reference(model, inspected, points, found)
    ratios = {refine: distance / reference for refine, distance in found.items()}
    told = "; ".join(
        f"{refine} {ratio.mean():.3f} ({np.quantile(ratio, 0.9):.3f} at the 90 % quantile, {rows[refine]:.0f} rows)"
        for refine, ratio in ratios.items()
    )
    return Row(
        f'point farther than the nearest by, {model}, refine="{REFINE[model]}"',
        "%",
        ours=100 * float(ratios[REFINE[model]].mean() - 1),
        other=100 * float(ratios["none"].mean() - 1),
        at_most=AT_MOST[model],
        note=f"{len(index)} rows of {DATA}; {REFERENCE[model]}; other: as published; ratio of distances: {told}",
    )


def _reference(model: str, inspected: Inspected, points: np.ndarray, found: dict[str, np.ndarray]) -> np.ndarray:
    starts = inspected.starts.points
    if model == "logistic":
        return logistic_distances(inspected.counted.model, starts)
    if model == "network":
        return network_distances(inspected.counted.model, starts)
    searched = Search(inspected.flips, starts, points.copy(), np.random.default_rng(0)).run()
    return np.minimum.reduce([searched, *found.values()])
