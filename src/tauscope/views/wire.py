"""What the messages of several views have in common, word for word as TypeScript reads it.

Numbers go to the page as float32 in buffers, and as null in JSON where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Annotated, NamedTuple, Required, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.results.reliability import SENTENCES, round_down
from tauscope.stress.metric_forms import MetricKind
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import REASONS, Level
from tauscope.weights.carriers import Carriers

if TYPE_CHECKING:
    from tauscope.results.stress.numbers.joint_answer import JointAnswer
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.scenarios import ScenarioPopulation
    from tauscope.results.stress.worst_case import WorstCase
    from tauscope.views.shared_stress import StressState


@dataclass(frozen=True)
class Null:
    """What null stands for, in TypeScript's words; JSON has none for it."""

    meaning: str


@dataclass(frozen=True)
class Absent:
    """What an absent field reads as: of a page of an earlier version, or where there is no answer."""

    value: object


@dataclass(frozen=True)
class NotEmpty:
    """A list with at least one entry; `rule` says so to a person: "name at least one metric"."""

    rule: str


@dataclass(frozen=True)
class Each:
    """A list with one entry for each `thing`: all lists of a message that are of the same thing are equally long."""

    thing: str


@dataclass(frozen=True)
class Exactly:
    """A list of so many entries."""

    n: int


@dataclass(frozen=True)
class Rising:
    """Numbers in ascending order, none twice."""


OrNaN = Annotated[float | None, Null("Number.NaN")]
OrInfinity = Annotated[float | None, Null("Infinity")]
Ascending = Annotated[list[float], Rising()]


class ArrayMessage(TypedDict):
    """One array of a buffer: what its axes are of, how long they are, and how far apart their numbers stand.

    `strides` and `start` count numbers, as the buffer's other arrays may stand between.
    """

    name: str
    dims: list[str]
    shape: list[int]
    strides: list[int]
    start: int


Layout = list[ArrayMessage]
"""What a buffer holds: the page finds each array by its name."""
VALUES = ("value", "lower", "upper")
REASONED = ("reason", "amount")
OF_GAP = ("largest", "smallest", "gap", "gap_lower", "gap_upper")


class Block(NamedTuple):
    """Numbers in C order: arrays by their names, which stand along the axis "field" of several.

    Attributes
    ----------
    names : sequence of str
    dims : str
        What each axis is of: "feature metric tau field".
    shape : tuple of int
    """

    names: Sequence[str]
    dims: str
    shape: tuple[int, ...]


def layout_of(blocks: Iterable[Block], *, outer: str = "", shape: tuple[int, ...] = (), start: int = 0) -> Layout:
    """Say where arrays stand of blocks that follow one another, once or at each place of some outer axes.

    Parameters
    ----------
    blocks : iterable of Block
    outer : str
        What the outer axes are of: "step".
    shape : tuple of int
        How long these are.
    start : int
        Numbers before the first.
    """
    blocks = list(blocks)
    size = sum(prod(block.shape) for block in blocks)
    layout: Layout = []
    for names, dims, inner in blocks:
        axes = [*zip(outer.split(), shape, _strides(shape, size), strict=True)]
        axes += zip(dims.split(), inner, _strides(inner), strict=True)
        along = next((stride for dim, _, stride in axes if dim == "field"), 0)
        kept = [axis for axis in axes if axis[0] != "field"]
        layout.extend(
            {
                "name": name,
                "dims": [dim for dim, _, _ in kept],
                "shape": [length for _, length, _ in kept],
                "strides": [stride for _, _, stride in kept],
                "start": start + place * along,
            }
            for place, name in enumerate(names)
        )
        start += prod(inner)
    return layout


def shifted(layout: Layout, start: int) -> Layout:
    """Say where the arrays of a buffer stand where others go before it."""
    return [{**one, "start": one["start"] + start} for one in layout]


def _strides(shape: tuple[int, ...], size: int = 1) -> list[int]:
    """Return how far apart the numbers of each axis are, in C order, of `size` numbers at each place."""
    return [size * prod(shape[axis + 1 :]) for axis in range(len(shape))]


class SkippedMessage(TypedDict):
    """One feature left out."""

    name: str
    reason: str


class MetricMessage(TypedDict):
    """One metric: its name in code, its words on screen, how its values are written, and what it counts."""

    name: str
    label: str
    kind: MetricKind
    events: list[str]


class CarriersMessage(TypedDict):
    """The few rows that carry the weight moved, and their share of all weight; both 0 where they are not few."""

    n: int
    share: float


class DoubtMessage(TypedDict):
    """How far numbers can be relied on, and why not farther, "" of reliable ones."""

    level: Level
    words: str


class DistanceMessage(TypedDict):
    """How far a population is from the rows as tested: effective sample, KL divergence, total variation, Pareto k̂."""

    ess: float
    kl: float
    tv: float
    pareto_k: OrInfinity


class AnsweredMessage(TypedDict, total=False):
    """The population that the kernel answered in, named by its `stress`.

    `error` says why there are no numbers, "" where there are; `words` what the population is.
    """

    stress: Required[StressState]
    error: Required[str]
    words: str
    ess: float
    kl: float
    tv: float
    pareto_k: OrInfinity


class ReasonMessage(TypedDict):
    """What decides over a number: its name, level, sentences, and the decimals of the amount they quote.

    Sentences have {amount}, {events} and {non_events} in place of the cell's and the metric's own, and {share} in place
    of a percentage; `few` is that for an amount below 2.
    """

    name: str
    level: Level
    words: str
    few: str
    decimals: int


Metrics = Annotated[list[MetricMessage], NotEmpty("name at least one metric")]
Reasons = Annotated[list[ReasonMessage], NotEmpty("name at least one reason")]
"""Reasons by their code."""


def distance_message(moved: Reweighting | ScenarioPopulation | WorstCase | JointAnswer) -> DistanceMessage:
    """Say how far a population is from the rows as tested."""
    return {
        "ess": float(moved.ess),
        "kl": float(moved.kl),
        "tv": float(moved.tv),
        "pareto_k": finite(moved.pareto_k),
    }


def metric_messages(metrics: Iterable[Metric]) -> list[MetricMessage]:
    """Name metrics, in order."""
    return [
        {"name": metric.name, "label": metric.label, "kind": metric.kind, "events": list(metric.events)}
        for metric in metrics
    ]


def reason_messages() -> list[ReasonMessage]:
    """Say every reason, by its code."""
    return [
        {"name": name, "level": level, "words": said.words, "few": said.few, "decimals": said.decimals}
        for name, level in REASONS
        for said in (SENTENCES[name],)
    ]


def carriers_message(carriers: Carriers) -> CarriersMessage:
    """Name the few rows that carry the weight moved."""
    return {"n": carriers.n, "share": carriers.share}


def reason_bytes(reason: NDArray[np.int8], amount: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return codes and amounts as two bytes each, in a new last axis.

    An amount is a whole number of rows or events, rounded down, or hundredths of k̂; 255 stands for all that is larger.
    """
    hundredths = np.array([SENTENCES[each.name].decimals == 2 for each in REASONS])[reason]
    written = np.where(hundredths, np.round(100 * amount), round_down(amount))
    return np.stack([reason, np.nan_to_num(np.clip(written, 0, 255))], axis=-1).astype(np.uint8)


def skipped_messages(skipped: Iterable[tuple[str, str]]) -> list[SkippedMessage]:
    """Name the features left out, each with its reason."""
    return [{"name": name, "reason": reason} for name, reason in skipped]


def interval_words(confidence: float, targets: str = "", made: str = "") -> str:
    """Say what an interval covers and what it does not: a target at a τ follows the rows, one in units would not.

    Parameters
    ----------
    confidence : float
        Level, in (0, 1).
    targets : str
        What else other rows would move: "the mean that τ stands for"; "" for nothing.
    made : str
        How the interval was made, where not from the influence function.
    """
    how = f" ({made})" if made else ""
    drawn = f"for the chance in drawing these rows{', and with them ' + targets if targets else ''}"
    return f"{100 * confidence:g} %{how}, {drawn}; the model stays fixed"


def float32(values: NDArray[np.float64]) -> bytes:
    """Return an array as little-endian float32 in C order; what is too large becomes infinite."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype="<f4").tobytes()


def finite(value: float) -> float | None:
    """Return a number, or None where it is not finite, which JSON cannot have."""
    return float(value) if np.isfinite(value) else None
