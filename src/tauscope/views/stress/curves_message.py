"""Stress curves as the message and the buffers of their view, word for word as TypeScript reads them."""

# Decided in docs/decisions/0001-curves-are-shipped-whole-and-looked-up-in-the-page.md.

from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.arguments import describe
from tauscope.errors import InputError, InputTypeError
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.first_step import first_steps
from tauscope.results.stress.text import title
from tauscope.stress.curves import Curves
from tauscope.stress.histogram import N_BARS, DrawnBars, drawn_bars
from tauscope.views.packing import pack, pack_drawn, pack_floats, span_of
from tauscope.views.wire import (
    REASONED,
    VALUES,
    Absent,
    Ascending,
    Block,
    Layout,
    Metrics,
    Reasons,
    SkippedMessage,
    interval_words,
    layout_of,
    metric_messages,
    reason_bytes,
    reason_messages,
    skipped_messages,
)

BUDGET = 1_000_000
POPULATION = ("target", "ess", "pareto_k", "kl", "tv", "n_carriers", "carried")
ONE = 65_535
"""What a share of 1 is sent as."""

N_TAUS = (101, 41, 21)
_NO_BARS = DrawnBars(np.empty(0), False, False)


class CurvesFeatureMessage(TypedDict):
    """One feature: how it reads, what its slider says, and the edges of its histogram.

    `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones,
    else "". `edges` is ascending, in the feature's
    unit; empty for a share, which has no histogram. `open_ends` tells whether the first and the last bar hold all rows
    beyond, and are drawn wider for it. `note_low` and `note_high` say what is unusual about τ < 0 and τ > 0, "" when
    nothing. `first` has for each metric the place of the τ to try first, -1 where there is none.
    """

    name: str
    column: str
    level: str | None
    kind: Literal["numeric", "share"]
    integer: bool
    unit: Annotated[str, Absent("")]
    mean: float
    n_missing: int
    note_low: str
    note_high: str
    first: Annotated[list[int], Absent([])]
    edges: Ascending
    open_ends: list[bool]


class StressCurvesMessage(TypedDict):
    """What `StressCurvesView` carries beside its buffers. `taus` ascends and contains 0; `hold` is what stays.

    `beside` names the model whose curves are drawn in the same axes, "" for none. `by` are what rows can be told apart
    by, and `live` whether there is a kernel to follow such groups.
    """

    version: Literal[1]
    title: str
    n_rows: int
    task: Annotated[str, Absent("")]
    taus: Ascending
    confidence: float
    interval: str
    hold: Literal["none", "means", "uncorrelated"]
    features: list[CurvesFeatureMessage]
    skipped: list[SkippedMessage]
    metrics: Metrics
    reliability: Reasons
    beside: Annotated[str, Absent("")]
    by: Annotated[list[str], Absent([])]
    live: Annotated[bool, Absent(False)]
    offline: NotRequired[str]
    layout: dict[Literal["curves", "population", "histograms", "reasons"], Layout]


class StressCurvesWire(NamedTuple):
    """What the view sends: JSON, and packed (`tauscope.views.packing`) buffers, which its `layout` tells of.

    Attributes
    ----------
    message : StressCurvesMessage
    curves : bytes
        Float32, rounded as they are drawn.
    population : bytes
        Float32.
    histograms : bytes
        Of each numeric feature, by its name, shares of the rows as uint16, 65,535 of one.
    reasons : bytes
        See `tauscope.views.wire.reason_bytes`.
    beside : bytes
        As `curves`, of another model; empty where there is none.
    """

    message: StressCurvesMessage
    curves: bytes
    population: bytes
    histograms: bytes
    reasons: bytes
    beside: bytes


def n_taus_within(result: StressCurves, budget: int = BUDGET) -> int:
    """Return the finest of 101, 41 and 21 steps of τ whose buffers take at most so many bytes unpacked; at least 21."""
    n_features, n_metrics, _ = result._curves.value.shape
    n_numeric = sum(feature.kind == "numeric" for feature in result.features)
    per_tau = 4 * n_features * (3 * n_metrics + len(POPULATION)) + 2 * (n_numeric * N_BARS + n_features * n_metrics)
    return next((n for n in N_TAUS if n * per_tau <= budget), N_TAUS[-1])


def stress_curves_wire(
    result: StressCurves, n_taus: int | None = None, beside: StressCurves | None = None
) -> StressCurvesWire:
    """Encode a result on the τ grid of the sliders.

    Parameters
    ----------
    result : StressCurves
    n_taus : int, optional
        Steps of τ, odd; by default as fine as fits 1 MB. A result that is not refinable, or stands
        alone, keeps its own grid.
    beside : StressCurves, optional
        Of another model on the same rows.

    Returns
    -------
    StressCurvesWire
    """
    asks = result._refinable and result.source is not None
    fine = result.at(n_taus or n_taus_within(result)) if asks else result
    curves = fine._curves
    bars = [feature.bars(fine._sample_weight) if feature.kind == "numeric" else None for feature in fine.features]
    drawn = [_NO_BARS if each is None else drawn_bars(each.edges, each.extremes) for each in bars]
    population = np.stack([getattr(curves, name) for name in POPULATION], axis=-1)
    histograms = [
        each.shares(multiplier) for each, multiplier in zip(bars, curves.multiplier, strict=True) if each is not None
    ]
    message = _message(fine, drawn, getattr(beside, "model_name", ""))
    cells, numeric = curves.value.shape, (each.name for each in fine.features if each.kind == "numeric")
    message["layout"] = {
        "curves": layout_of([Block(VALUES, "feature metric tau field", (*cells, 3))]),
        "population": layout_of([Block(POPULATION, "feature tau field", population.shape)]),
        "histograms": layout_of(
            Block([name], "tau bin", shares.shape) for name, shares in zip(numeric, histograms, strict=True)
        ),
        "reasons": layout_of([Block(REASONED, "feature metric tau field", (*cells, 2))]),
    }
    return StressCurvesWire(
        message,
        _pack_curves(curves),
        pack_floats(population, len(POPULATION)),
        _pack_shares(histograms),
        pack(reason_bytes(curves.reason, curves.amount), 2),
        b"" if beside is None else _beside(fine, beside),
    )


def _beside(result: StressCurves, other: object) -> bytes:
    """Return another model's curves on the grid and for the features and metrics of a result.

    Raises
    ------
    InputError
        Where these are not those of the other.
    """
    if not isinstance(other, StressCurves):
        raise InputTypeError(f"beside is the StressCurves of another model; got {describe(other)}.")
    if other._refinable:
        other = other.at(len(result.taus))
    pairs = (
        ("features", [one.name for one in result.features], [one.name for one in other.features]),
        ("metrics", list(result.metric_names), list(other.metric_names)),
        ("steps of τ", list(result.taus), list(other.taus)),
    )
    for what, mine, theirs in pairs:
        if mine != theirs:
            raise InputError(
                f"Curves of two models share their axes; their {what} differ: {mine!r:.60} and {theirs!r:.60}. "
                "Compute both with the same arguments on the same columns."
            )
    return _pack_curves(other._curves)


def _pack_curves(curves: Curves) -> bytes:
    """Return values and intervals, rounded to a step of what a metric spans over all features."""
    answers = np.stack([curves.value, curves.lower, curves.upper], axis=-1)
    return pack_drawn(answers, answers.shape[-1], span_of(curves.value, (0, 2))[..., None])


def _pack_shares(histograms: list[NDArray[np.float64]]) -> bytes:
    """Return shares as they are drawn: a step is a two-hundredth of a pixel of a picture 300 pixels high."""
    if not histograms:
        return b""
    shares = np.concatenate([np.rint(values * ONE).astype("<u2").ravel() for values in histograms])
    return pack(shares, max(values.shape[-1] for values in histograms))


def _message(result: StressCurves, drawn: list[DrawnBars], beside: str) -> StressCurvesMessage:
    curves, steps = result._curves, first_steps(result)[0]
    made = "studentised bootstrap" if result.interval == "bootstrap-t" else ""
    return {
        "version": 1,
        "title": title(result),
        "n_rows": result.n_rows,
        "task": result.task,
        "taus": curves.taus.tolist(),
        "confidence": result.confidence,
        "interval": interval_words(result.confidence, "the mean that τ stands for", made),
        "hold": result.hold or "none",
        "features": [_feature(result, row, bars, steps[row].tolist()) for row, bars in enumerate(drawn)],
        "skipped": skipped_messages(result.skipped),
        "metrics": metric_messages(curves.metrics),
        "reliability": reason_messages(),
        "beside": beside,
        "by": [],
        "live": False,
        "layout": {},
    }


def _feature(result: StressCurves, row: int, drawn: DrawnBars, first: list[int]) -> CurvesFeatureMessage:
    feature, notes = result.features[row], result.tau_notes[row]
    return {
        "name": feature.name,
        "column": feature.column,
        "level": feature.level,
        "kind": feature.kind,
        "integer": feature.integer,
        "unit": feature.source.reading if feature.kind == "numeric" else "",
        "mean": float(result._curves.mean[row]),
        "n_missing": int(result._curves.n_missing[row]),
        "note_low": notes.low,
        "note_high": notes.high,
        "first": first,
        "edges": drawn.edges.tolist(),
        "open_ends": [drawn.open_low, drawn.open_high],
    }
