"""Stress curves as the message and the buffers of their view."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.results.stress_curves import StressCurves
from tauscope.results.summary import title
from tauscope.views.histogram_edges import N_BINS
from tauscope.views.messages import FeatureMessage, StressCurvesMessage

BUDGET = 1_000_000
N_TAUS = (101, 41, 21)


class StressCurvesWire(NamedTuple):
    """What the view sends: JSON, and three buffers of little-endian float32 in C order.

    Attributes
    ----------
    message : StressCurvesMessage
    curves : bytes
        [feature][index][tau][value, lower, upper]
    population : bytes
        [feature][tau][target, ess, pareto_k, kl, tv]
    histograms : bytes
        For each feature in turn [tau][bin], shares of the rows; nothing for shares of a level.
    """

    message: StressCurvesMessage
    curves: bytes
    population: bytes
    histograms: bytes


def n_taus_within(result: StressCurves, budget: int = BUDGET) -> int:
    """Return the finest of 101, 41 and 21 steps of τ whose buffers stay within a number of bytes; at least 21."""
    n_features, n_indices, _ = result.curves.value.shape
    n_numeric = sum(feature.kind == "numeric" for feature in result.features)
    per_tau = 4 * (n_features * (3 * n_indices + 5) + n_numeric * N_BINS)
    return next((n for n in N_TAUS if n * per_tau <= budget), N_TAUS[-1])


def stress_curves_wire(result: StressCurves, n_taus: int | None = None) -> StressCurvesWire:
    """Encode a result on the τ grid of the sliders.

    Parameters
    ----------
    result : StressCurves
    n_taus : int, optional
        Steps of τ, odd; by default as fine as fits 1 MB. A result that is not refinable keeps its own grid.

    Returns
    -------
    StressCurvesWire
    """
    fine = result.at(n_taus or n_taus_within(result)) if result.refinable else result
    curves = fine.curves
    bars = [feature.bars(fine.sample_weight) if feature.kind == "numeric" else None for feature in fine.features]
    edges = [np.empty(0) if each is None else each.edges for each in bars]
    answers = np.stack([curves.value, curves.lower, curves.upper], axis=-1)
    population = np.stack([curves.target, curves.ess, curves.pareto_k, curves.kl, curves.tv], axis=-1)
    histograms = [
        each.shares(multiplier) for each, multiplier in zip(bars, curves.multiplier, strict=True) if each is not None
    ]
    return StressCurvesWire(
        _message(fine, edges),
        _float32(answers),
        _float32(population),
        b"".join(_float32(shares) for shares in histograms),
    )


def _message(result: StressCurves, edges: list[NDArray[np.float64]]) -> StressCurvesMessage:
    curves = result.curves
    return {
        "version": 1,
        "title": title(result),
        "n_rows": result.n_rows,
        "task": result.task,
        "taus": curves.taus.tolist(),
        "confidence": result.confidence,
        "interval": interval_words(result),
        "hold": result.hold or "none",
        "features": [_feature(result, row, cuts) for row, cuts in enumerate(edges)],
        "skipped": [{"name": name, "reason": reason} for name, reason in result.skipped],
        "indices": [{"name": i.name, "label": i.label, "kind": i.kind} for i in curves.indices],
    }


def _feature(result: StressCurves, row: int, edges: NDArray[np.float64]) -> FeatureMessage:
    feature, notes = result.features[row], result.tau_notes[row]
    return {
        "name": feature.name,
        "column": feature.column,
        "level": feature.level,
        "kind": feature.kind,
        "integer": feature.integer,
        "mean": float(result.curves.mean[row]),
        "n_missing": int(result.curves.n_missing[row]),
        "note_low": notes.low,
        "note_high": notes.high,
        "edges": edges.tolist(),
    }


def interval_words(result: StressCurves) -> str:
    """Say what the interval covers, how it was made where not from the influence function, and what it does not."""
    made = " (studentised bootstrap)" if result.interval == "bootstrap-t" else ""
    chance = f"{100 * result.confidence:g} %{made}, for the chance in drawing these rows"
    return f"{chance}; the model and the target mean stay fixed"


def _float32(values: NDArray[np.float64]) -> bytes:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype="<f4").tobytes()
