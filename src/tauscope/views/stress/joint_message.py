"""A joint stress as the message and the buffers of its view, and the kernel's answer to one stress."""

from typing import Annotated, Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import Feature
from tauscope.errors import DependentConstraints, InfeasibleTarget
from tauscope.results.stress.joint import JointStress
from tauscope.stress.column.tau_end import TauEnd
from tauscope.stress.distances import mean_shift
from tauscope.stress.histogram import DrawnBars, drawn_bars, histogram_edges
from tauscope.stress.metric_forms import Form, IntervalScale, MetricKind
from tauscope.stress.metrics import Quantities, SummedMetric, define_quantities
from tauscope.views.columns_message import BUDGET, ColumnsMessage, ColumnsWire, columns_wire
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.confusion_message import ConfusionMessage, confusion_message
from tauscope.views.stress.estimate_message import EstimateMessage, estimate_message
from tauscope.views.wire import (
    Absent,
    Ascending,
    CarriersMessage,
    DistanceMessage,
    Each,
    NotEmpty,
    OrInfinity,
    OrNaN,
    Reasons,
    SkippedMessage,
    carriers_message,
    distance_message,
    finite,
    interval_words,
    reason_messages,
    skipped_messages,
)
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size_of_shares

Array = NDArray[np.float64]


class CountedMessage(TypedDict):
    """What makes up a loss: 0 or 1 of each cell, or the squares of a power; see `SummedMetric.counted`."""

    cells: list[float]
    power: int


class OutcomeMetricMessage(TypedDict):
    """One metric, and how it follows from sums over the rows.

    A ratio has a number for every cell in `top` and `bottom`, 0 or 1 for a rate; a mean of ratios those of one after
    the other; the others are of one power of the
    rows, at `centre` and in multiples of `unit`. `scale` is where the interval is symmetric. `tail` is, of a spread,
    the Pareto k̂ of the squares it is the mean of, None for ∞. `events` names what it counts and what it does not.
    """

    name: str
    label: str
    kind: MetricKind
    form: Form
    top: list[float]
    bottom: list[float]
    power: int
    centre: float
    unit: float
    scale: IntervalScale
    tail: OrInfinity
    counted: Annotated[list[CountedMessage], Absent([])]
    events: list[str]


class OutcomesMessage(TypedDict):
    """What the metrics are made of: the number of cells and powers of `answers`, and the metrics.

    `confusion` tells what the cells stand for, None where no matrix is to be shown.
    """

    n_cells: int
    n_powers: int
    confusion: Annotated[ConfusionMessage | None, Absent(None)]
    metrics: Annotated[list[OutcomeMetricMessage], NotEmpty("name at least one metric")]


class TauEndMessage(TypedDict):
    """How the mean that τ = -1 or τ = 1 stands for follows the rows; see `tauscope.stress.column.tau_end`."""

    slope: float
    follows: float
    doubt_from: float
    with_heap: bool


class TauEndsMessage(TypedDict):
    """Both ends of a feature's τ."""

    low: TauEndMessage
    high: TauEndMessage


class JointStressMessage(TypedDict):
    """What `JointStressView` carries beside columns and outcomes.

    `ends`, `edges`, `open_ends` and `histograms` go by feature, edges and histograms empty for a share; `open_ends`
    tells whether the first and the last bar hold all rows beyond, and are drawn wider for it; `unstressed` by metric;
    what decides over a metric's reliability is a place among `reliability`. `pareto_k` is of the rows' own weights.
    """

    version: Literal[1]
    title: str
    task: Annotated[str, Absent("")]
    confidence: float
    interval: str
    ess: float
    pareto_k: OrInfinity
    unstressed: list[EstimateMessage]
    ends: Annotated[list[TauEndsMessage], Each("feature")]
    edges: Annotated[list[Ascending], Each("feature")]
    open_ends: Annotated[list[list[bool]], Each("feature")]
    histograms: Annotated[list[list[float]], Each("feature")]
    skipped: list[SkippedMessage]
    reliability: Reasons
    outcomes: OutcomesMessage


class JointAnswerMessage(TypedDict):
    """The kernel's answer to one stress, named by it; `reason` says why it has no numbers."""

    stress: StressState
    status: Literal["solved", "limit", "infeasible", "unsolved"]
    reason: str


class JointNumbersMessage(JointAnswerMessage, DistanceMessage):
    """Where it has: `achieved` and `histograms` go by feature, `confusion` by place of the matrix."""

    carriers: CarriersMessage
    achieved: list[OrNaN]
    estimates: list[EstimateMessage]
    confusion: Annotated[list[EstimateMessage], Absent([])]
    histograms: list[list[float]]


class JointRangesMessage(TypedDict):
    """The lowest and the highest τ that others leave to each feature; None where there is none, or none is known."""

    stress: StressState
    ranges: dict[str, tuple[float, float] | None]


class JointStressWire(NamedTuple):
    """What the view sends; the fields' names are those of its traits.

    Attributes
    ----------
    message : JointStressMessage
    columns_message, columns, row_weights
        See `tauscope.views.columns_message`.
    answers : bytes
        float32 [cell, power, …][row]: the confusion cell of each row, then real quantities; nothing where the
        columns are not shipped.
    """

    message: JointStressMessage
    columns_message: ColumnsMessage
    columns: bytes
    row_weights: bytes
    answers: bytes


def joint_stress_wire(result: JointStress, *, budget: int = BUDGET) -> JointStressWire:
    """Encode a result; rows go along where columns and outcomes together fit the budget, in bytes."""
    made_of, _ = define_quantities(result._outcomes, names=result.metric_names)
    n_powers = len(made_of.powers)
    if made_of.by_rows:  # the page sums, and does not rank
        budget = 0
    columns = columns_wire(result._columns, budget=budget, extra_bytes=4 * (1 + n_powers) * result.n_rows)
    answers = b""
    if columns.columns_message["shipped"]:
        rows = slice(0, result.n_rows)
        powers = [np.asarray(power.values(rows), "<f4").tobytes() for power in made_of.powers]
        answers = b"".join([made_of.cell.astype("<f4").tobytes(), *powers])
    shipped = columns.columns_message["shipped"]
    return JointStressWire(_message(result, made_of, shipped), *_fields(columns), answers)


def bytes_per_row(result: JointStress) -> int:
    """Return what a row takes in the page: its columns, its weight and its outcomes."""
    columns, n_powers = result._columns, len(define_quantities(result._outcomes, names=result.metric_names)[0].powers)
    return 4 * (len(columns.features) + (columns.sample_weight is not None) + 1 + n_powers)


def _fields(columns: ColumnsWire) -> tuple[ColumnsMessage, bytes, bytes]:
    return columns.columns_message, columns.columns, columns.row_weights


def _message(result: JointStress, made_of: Quantities, shipped: bool) -> JointStressMessage:
    columns = result._columns
    weight = columns.sample_weight
    drawn = [_drawn_bars(feature) for feature in columns.features]
    shares = None if weight is None else weight / weight.sum()
    return {
        "version": 1,
        "title": f"Joint stress of {result.model_name}",
        "task": result.task,
        "confidence": result.confidence,
        "interval": interval_words(result.confidence, "the means that τ stand for"),
        "ess": float(columns.n_rows if shares is None else effective_size_of_shares(shares)),
        "pareto_k": finite(0.0 if weight is None else pareto_khat(weight)),
        "unstressed": [estimate_message(estimate) for estimate in result.unstressed],
        "ends": [{"low": _end(low), "high": _end(high)} for low, high in columns.ends],
        "edges": [bars.edges.tolist() for bars in drawn],
        "open_ends": [[bars.open_low, bars.open_high] for bars in drawn],
        "histograms": [
            weighted_histogram(feature.values(), bars.edges, weight)
            for feature, bars in zip(columns.features, drawn, strict=True)
        ],
        "skipped": skipped_messages(result.skipped),
        "reliability": reason_messages(),
        "outcomes": {
            "n_cells": made_of.n_cells,
            "n_powers": len(made_of.powers),
            "confusion": confusion_message(result, made_of, shipped=shipped),
            "metrics": [_metric(metric) for metric in result.metrics],
        },
    }


def _drawn_bars(feature: Feature) -> DrawnBars:
    if feature.kind == "share":
        return DrawnBars(np.empty(0), False, False)
    values = feature.values()
    extremes = float(np.nanmin(values)), float(np.nanmax(values))
    return drawn_bars(histogram_edges(values, feature.integer), extremes)


def _metric(metric: SummedMetric) -> OutcomeMetricMessage:
    return {
        "name": metric.name,
        "label": metric.label,
        "kind": metric.kind,
        "form": metric.form,
        "top": _short(metric.top.ravel()),
        "bottom": _short(metric.bottom.ravel()),
        "power": metric.power,
        "centre": metric.centre,
        "unit": metric.unit,
        "scale": metric.scale,
        "tail": finite(metric.tail),
        "counted": [
            {"cells": [] if each.power >= 0 else _short(each.per_cell), "power": each.power} for each in metric.counted
        ],
        "events": list(metric.events),
    }


def _end(end: TauEnd) -> TauEndMessage:
    return {"slope": end.slope, "follows": end.follows, "doubt_from": end.doubt_from, "with_heap": end.with_heap}


def _short(values: Array) -> list[float]:
    """Return whole numbers as such: each of many classes has a metric, with a number for every cell."""
    return [int(value) if value.is_integer() else value for value in values.tolist()]


def weighted_histogram(values: Array, edges: Array, weight: Array | None) -> list[float]:
    """Return the share of the weight in each bin, rows beyond the ends in the end bins; nothing without edges.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where missing; such rows are left out.
    edges : ndarray of shape (n_bins + 1,)
    weight : ndarray of shape (n_rows,) or None
    """
    if not edges.size:
        return []
    seen = ~np.isnan(values)
    bins = np.clip(np.searchsorted(edges, values[seen], side="right") - 1, 0, len(edges) - 2)
    counted = np.bincount(bins, None if weight is None else weight[seen], len(edges) - 1)
    return (counted / max(float(counted.sum()), 1e-300)).tolist()


def joint_answer(
    result: JointStress, stress: StressState, edges: list[list[float]]
) -> tuple[JointAnswerMessage, Array | None]:
    """Answer one stress that moves something, in the kernel.

    Parameters
    ----------
    result : JointStress
    stress : StressState
    edges : list of list of float
        Of the histograms, by feature.

    Returns
    -------
    message : JointAnswerMessage
    weights : ndarray of shape (n_rows,) or None
        Mean 1; None where there is no answer.
    """
    strange = [name for name in stress["taus"] if name not in result.feature_names]
    if strange:
        return {"stress": stress, "status": "unsolved", "reason": f"there is no feature “{strange[0]}” here"}, None
    try:
        answer = result._answer(stress["taus"], stress["hold"])
    except (InfeasibleTarget, DependentConstraints) as error:
        return {"stress": stress, "status": "infeasible", "reason": str(error)}, None
    if answer.status == "unconverged":
        return {"stress": stress, "status": "unsolved", "reason": answer.message}, None
    columns = result._columns
    message: JointNumbersMessage = {
        "stress": stress,
        "status": answer.status,
        "reason": "",
        **distance_message(answer),
        "carriers": carriers_message(answer.carriers),
        "achieved": [
            finite(mean_shift(feature.values(), columns.sample_weight, answer.weights)[1])
            for feature in columns.features
        ],
        "estimates": [estimate_message(estimate) for estimate in answer.estimates],
        "confusion": [estimate_message(estimate) for estimate in answer.confusion],
        "histograms": [
            weighted_histogram(feature.values(), np.array(cuts), answer.weights)
            for feature, cuts in zip(columns.features, edges, strict=True)
        ],
    }
    return message, answer.weights
