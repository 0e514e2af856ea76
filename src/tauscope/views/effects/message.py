"""Effects as messages and buffers: what a page draws, and the rows it reweights them from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray
from scipy import special

from tauscope.effects import AccumulatedEffect, ConditionalDependence, Effect, PartialDependence
from tauscope.effects.bounds.effect_bounds import answer_extremes
from tauscope.effects.bounds.lipschitz import lipschitz_from_differences
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError
from tauscope.stress.histogram import histogram_edges
from tauscope.views.wire import finite

if TYPE_CHECKING:
    from tauscope.results.effects.axis import Axis
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.spec import Kind

N_SAMPLE = 60
N_QUANTILES = 65
Rows = Literal["curves", "windows", "bins", "none"]
Floats = NDArray[np.float64]


class AxisMessage(TypedDict):
    """One feature's points: numbers (dates as decimal years, levels by position, null for missing) and words.

    `edges` ascends, with `shares` of the rows' weight between them; for levels it is empty, and `shares` is one per
    point. `mass` is the weight at each point, a row between two counted to both.
    """

    name: str
    kind: Literal["numeric", "date", "levels"]
    integer: bool
    unit: str
    points: list[float | None]
    labels: list[str]
    edges: list[float]
    shares: list[float]
    mass: list[float]


class BreakdownMessage(TypedDict):
    """The smallest reweighting that turns the direction between two points; `epsilon` null where none does."""

    low: int
    high: int
    epsilon: float | None
    sentence: str


class PartMessage(TypedDict):
    """One effect. `floats` and `integers` say where its numbers begin in the buffers, and how many they are.

    Floats: [class][value, lower, upper, lowest, highest][point]; [class][sample][point]; then the rows behind it:
    "curves" [class][row][point]; "windows" [class][value], group by group; "bins" the same and [row] the place of each
    row on the grid, in steps. Integers: the row of each value of a group; `starts` says where the groups begin.
    """

    features: list[str]
    kind: Kind
    title: str
    method: str
    interval: str
    covers: str
    notes: list[str]
    axes: list[AxisMessage]
    rows: Rows
    n_sample: int
    starts: list[int]
    lipschitz: list[float] | None
    breakdowns: list[BreakdownMessage | None]
    quantiles: list[float]
    floats: list[int]
    integers: list[int]


class Part(NamedTuple):
    """An effect's message, not yet placed in the buffers, and its numbers."""

    message: PartMessage
    floats: NDArray[np.float32]
    integers: NDArray[np.uint32]

    @property
    def n_bytes(self) -> int:
        """Bytes of both buffers."""
        return self.floats.nbytes + self.integers.nbytes


def effect_part(effect: FeatureEffect, budget: float) -> Part:
    """Encode an effect, with the rows behind it where these fit.

    Parameters
    ----------
    effect : FeatureEffect
    budget : float
        Bytes.

    Returns
    -------
    Part
    """
    found = effect.computed
    q = len(found.effect)
    known = np.stack([_flat(a) for a in (found.effect, found.lower, found.upper, *_extremes(found))], axis=1)
    sample = _sample(found)
    rows, starts, values, integers = _rows(found, budget - 4 * (known.size + sample.size))
    floats = np.concatenate([known.ravel(), sample.ravel(), values])
    with np.errstate(over="ignore"):
        numbers = floats.astype("<f4")
    message: PartMessage = {
        "features": list(effect.feature_names),
        "kind": effect.kind,
        "title": effect.title,
        "method": effect.method,
        "interval": effect.interval,
        "covers": _covers(effect.kind),
        "notes": [*effect.notes, *(() if effect.status == "complete" else (effect.message,))],
        "axes": [_axis(axis, found.sample_weight) for axis in effect.axes],
        "rows": rows,
        "n_sample": sample.shape[1],
        "starts": starts,
        "lipschitz": _lipschitz(found),
        "breakdowns": [_breakdown(effect, output) for output in range(q)],
        "quantiles": _quantiles(effect.confidence) if found.interval.kind == "mean" else [],
        "floats": [0, len(numbers)],
        "integers": [0, len(integers)],
    }
    return Part(message, numbers, integers.astype("<u4"))


def laid_out(parts: Sequence[Part]) -> tuple[list[PartMessage], bytes, bytes]:
    """Put the numbers of several effects behind one another; each message says where its own are."""
    messages: list[PartMessage] = []
    n_floats = n_integers = 0
    for part in parts:
        floats, integers = [n_floats, len(part.floats)], [n_integers, len(part.integers)]
        messages.append({**part.message, "floats": floats, "integers": integers})
        n_floats, n_integers = n_floats + len(part.floats), n_integers + len(part.integers)
    return messages, b"".join(p.floats.tobytes() for p in parts), b"".join(p.integers.tobytes() for p in parts)


def _flat(values: Floats) -> Floats:
    return values.reshape(len(values), -1)


def _extremes(found: Effect) -> tuple[Floats, Floats]:
    if isinstance(found, ConditionalDependence) or (isinstance(found, PartialDependence) and found.ice is not None):
        return answer_extremes(found)
    return np.full(found.effect.shape, np.nan), np.full(found.effect.shape, np.nan)


def _sample(found: Effect) -> Floats:
    """Individual curves spread evenly over their mean height, (q, m, G); none for other effects or two features."""
    if not isinstance(found, PartialDependence) or found.ice is None or found.ice.ndim != 3:
        return np.empty((len(found.effect), 0, _flat(found.effect).shape[1]))
    chosen: list[Floats] = []
    for curves in found.ice:
        order = np.argsort(curves.mean(axis=1), kind="stable")
        places = np.unique(np.linspace(0, len(order) - 1, min(N_SAMPLE, len(order))).round().astype(np.int64))
        chosen.append(curves[order[places]])
    return np.stack(chosen)


def _rows(found: Effect, room: float) -> tuple[Rows, list[int], Floats, NDArray[np.int64]]:
    """Return what stands behind an effect, where it fits: its kind, starts of groups, floats and integers."""
    nothing: tuple[Rows, list[int], Floats, NDArray[np.int64]] = (
        "none", [], np.empty(0), np.empty(0, dtype=np.int64),
    )  # fmt: skip
    if not found.complete:
        return nothing
    if isinstance(found, PartialDependence):
        fits = found.ice is not None and 4 * found.ice.size <= room
        return ("curves", [], found.curves().ravel(), nothing[3]) if fits else nothing
    groups = found.local if isinstance(found, ConditionalDependence) else None
    if isinstance(found, AccumulatedEffect):
        groups = found.local
    if groups is None or 4 * (groups.values.size + 2 * len(groups.row) + found.n_rows) > room:
        return nothing
    order = np.argsort(groups.group, kind="stable")
    values = groups.values[:, order].ravel()
    if isinstance(found, AccumulatedEffect):
        return "bins", _starts(groups), np.concatenate([values, found.position]), groups.row[order]
    return "windows", _starts(groups), values, groups.row[order]


def _starts(groups: RaggedGroups) -> list[int]:
    return [0, *np.cumsum(groups.counts()).tolist()]


def _lipschitz(found: Effect) -> list[float] | None:
    if not isinstance(found, AccumulatedEffect) or found.grid.kind == "categorical":
        return None
    return [float(value) for value in lipschitz_from_differences(found).value]


def _covers(kind: Kind) -> str:
    if kind in ("ale", "dale"):
        return "every reweighting inside the bins"
    return "every reweighting of these rows"


def _breakdown(effect: FeatureEffect, output: int) -> BreakdownMessage | None:
    """Where the direction breaks, for one class; None where there is no direction to speak of."""
    named = effect.classes[output] if len(effect.computed.effect) > 1 else None
    try:
        found = effect.breakdown(target_class=named)
    except InputError:
        return None
    return {
        "low": found.computed.low,
        "high": found.computed.high,
        "epsilon": finite(found.epsilon),
        "sentence": found.sentence,
    }


def _quantiles(confidence: float) -> list[float]:
    """Student t quantiles at 1/df = 0, 1/64 … 1, for the page's own intervals."""
    inverse = np.linspace(0, 1, N_QUANTILES)
    with np.errstate(divide="ignore"):
        degrees = 1 / inverse
    found = special.stdtrit(np.where(inverse > 0, degrees, 1.0), 0.5 + confidence / 2)
    return np.where(inverse > 0, found, special.ndtri(0.5 + confidence / 2)).tolist()


def _axis(axis: Axis, weights: Floats) -> AxisMessage:
    total = float(weights.sum())
    lacking = np.isnan(axis.data)
    own = [float(weights[lacking if np.isnan(p) else axis.data == p].sum()) / total for p in axis.points]
    edges: Floats = np.empty(0)
    shares: Floats = np.array(own)
    mass: Floats = shares
    if axis.kind != "levels":
        edges = histogram_edges(axis.data, axis.integer and axis.kind == "numeric")
        seen = np.clip(axis.data[~lacking], edges[0], edges[-1])
        shares = np.histogram(seen, edges, weights=weights[~lacking])[0] / total
        mass = _between(axis, weights) / total
    return {
        "name": axis.name,
        "kind": axis.kind,
        "integer": axis.integer,
        "unit": axis.unit,
        "points": [None if np.isnan(p) else float(p) for p in axis.points],
        "labels": list(axis.labels),
        "edges": edges.tolist(),
        "shares": shares.tolist(),
        "mass": mass.tolist(),
    }


def _between(axis: Axis, weights: Floats) -> Floats:
    """Weight at each point, that of a row between two shared by nearness; rows without a value at theirs."""
    observed = np.flatnonzero(~np.isnan(axis.points))
    lacking = np.isnan(axis.data)
    mass = np.zeros(len(axis))
    place = np.interp(axis.data[~lacking], axis.points[observed], np.arange(len(observed)))
    left = np.floor(place).astype(np.int64)
    right = np.minimum(left + 1, len(observed) - 1)
    np.add.at(mass, observed[left], weights[~lacking] * (1 - (place - left)))
    np.add.at(mass, observed[right], weights[~lacking] * (place - left))
    mass[np.isnan(axis.points)] = weights[lacking].sum()
    return mass
