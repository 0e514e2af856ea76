"""Effects as messages and buffers: what a page draws, and the rows it reweights them from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray
from scipy import special

from tauscope.effects import AccumulatedEffect, ConditionalDependence, Effect, PartialDependence
from tauscope.effects.bounds.effect_bounds import answer_extremes
from tauscope.effects.bounds.lipschitz import lipschitz_from_differences
from tauscope.effects.curves.ragged import RaggedGroups
from tauscope.errors import InputError
from tauscope.results.effects.rows_in_cells import rows_in_cells
from tauscope.stress.histogram import histogram_edges
from tauscope.views.effects.bands import bands_at, fits
from tauscope.views.effects.moves import SIDES
from tauscope.views.wire import VALUES, Block, Each, Layout, finite, layout_of, shifted

if TYPE_CHECKING:
    from tauscope.results.effects.axis import Axis
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.spec import EffectKind

N_SAMPLE = 60
N_QUANTILES = 65
SHARED = 0.7
"""Different curves, as a share of the rows, up to which they are sent once for all rows that have them."""
PartLayout = dict[Literal["floats", "integers"], Layout]
RowsForm = Literal["curves", "windows", "bins", "none"]
Floats = NDArray[np.float64]


class EffectAxisMessage(TypedDict):
    """One feature's points: numbers (dates as decimal years, levels by position, null for missing) and words.

    `edges` ascends, with `shares` of the rows' weight between them; for levels it is empty, and `shares` is one per
    point. `mass` is the weight at each point, a row between two counted to both.
    """

    name: str
    kind: Literal["numeric", "date", "levels"]
    integer: bool
    unit: str
    points: Annotated[list[float | None], Each("point")]
    labels: Annotated[list[str], Each("point")]
    edges: list[float]
    shares: list[float]
    mass: Annotated[list[float], Each("point")]


class BreakdownMessage(TypedDict):
    """The smallest reweighting that turns the direction between two points; `epsilon` null where none does."""

    low: int
    high: int
    epsilon: float | None
    sentence: str


class EffectPartMessage(TypedDict):
    """One effect.

    `layout` names its numbers in the buffers: the effect, some of the rows' curves, and in the form `rows` the rows
    behind it: "curves" of every row, or the different ones with the `place` of each row's among them; "windows" the
    values of groups, one after the other, with the `row` of each; "bins" the same, and the `position` of each row on
    the grid, in steps; where `bands` says so, for a page with neither rows nor kernel, bounds at every step of ε.
    `starts` says where the groups begin. `empty` are points of two features in whose cells no row lies. `interval` says
    what the interval is, `covers` which reweightings the certified band covers, `scale` where intervals are symmetric;
    `quantiles` are Student's t at 1/df = 0 … 1, none where intervals are drawn.
    """

    features: list[str]
    kind: EffectKind
    title: str
    method: str
    interval: str
    covers: str
    notes: list[str]
    axes: list[EffectAxisMessage]
    empty: list[int]
    rows: RowsForm
    bands: bool
    n_sample: int
    starts: list[int]
    lipschitz: list[float] | None
    breakdowns: list[BreakdownMessage | None]
    quantiles: list[float]
    confidence: float
    scale: Literal["identity", "logit"]
    layout: PartLayout


class MorePartsMessage(TypedDict):
    """Effects that were requested later."""

    parts: list[EffectPartMessage]


class EncodedEffect(NamedTuple):
    """An effect's message, not yet placed in the buffers, and its numbers."""

    message: EffectPartMessage
    floats: NDArray[np.float32]
    integers: NDArray[np.uint32]

    @property
    def n_bytes(self) -> int:
        """Bytes of both buffers."""
        return self.floats.nbytes + self.integers.nbytes


def encode_effect(effect: FeatureEffect, budget: float, epsilons: Sequence[float] = ()) -> EncodedEffect:
    """Encode an effect, with its rows where these fit.

    Parameters
    ----------
    effect : FeatureEffect
    budget : float
        Bytes.
    epsilons : sequence of float
        Distances whose bounds go along where the rows do not fit.

    Returns
    -------
    EncodedEffect
    """
    computed = effect._computed
    q = len(computed.effect)
    summaries = np.stack(
        [_flat(a) for a in (computed.effect, computed.lower, computed.upper, *_extremes(computed))], axis=1
    )
    sample = _sample(computed)
    rows, starts, values, integers = _rows(computed, budget - 4 * (summaries.size + sample.size))
    bands = bands_at(effect, epsilons) if rows == "none" and epsilons and fits(effect, epsilons) else None
    floats = np.concatenate([summaries.ravel(), sample.ravel(), values, *(() if bands is None else (bands.ravel(),))])
    with np.errstate(over="ignore"):
        numbers = floats.astype("<f4")
    message: EffectPartMessage = {
        "features": list(effect.feature_names),
        "kind": effect.kind,
        "title": effect.title,
        "method": effect.method,
        "interval": effect.interval,
        "covers": _covers(effect.kind),
        "notes": [*effect.notes, *(() if effect.status == "complete" else (effect.message,))],
        "axes": [_axis(axis, computed.sample_weight) for axis in effect._axes],
        "empty": _empty(effect),
        "rows": rows,
        "bands": bands is not None,
        "n_sample": sample.shape[1],
        "starts": starts,
        "lipschitz": _lipschitz(computed),
        "breakdowns": [_breakdown(effect, output) for output in range(q)],
        "quantiles": _quantiles(effect.confidence) if computed.interval.kind == "mean" else [],
        "confidence": effect.confidence,
        "scale": computed.interval.scale,
        "layout": {
            "floats": layout_of(
                [
                    Block((*VALUES, "lowest", "highest"), "class field point", summaries.shape),
                    Block(("sample",), "class curve point", sample.shape),
                    *_row_blocks(rows, values.size, summaries.shape, computed.n_rows),
                    *(() if bands is None else (Block(SIDES, "class step field point", bands.shape),)),
                ]
            ),
            "integers": layout_of([Block(("place",) if rows == "curves" else ("row",), "entry", (len(integers),))]),
        },
    }
    return EncodedEffect(message, numbers, integers.astype("<u4"))


def _row_blocks(rows: RowsForm, size: int, summaries: tuple[int, ...], n_rows: int) -> list[Block]:
    """Name the `size` floats of the rows behind an effect."""
    q, _, n_points = summaries
    match rows:
        case "curves":
            return [Block(("curve",), "class curve point", (q, size // (q * n_points), n_points))]
        case "windows":
            return [Block(("values",), "class entry", (q, size // q))]
        case "bins":
            return [
                Block(("values",), "class entry", (q, (size - n_rows) // q)),
                Block(("position",), "row", (n_rows,)),
            ]
        case "none":
            return []


def _empty(effect: FeatureEffect) -> list[int]:
    """Points of two features in whose cells no row lies; none where that is not known."""
    n_rows = rows_in_cells(effect) if len(effect._axes) == 2 else None
    return [] if n_rows is None else np.flatnonzero(n_rows.ravel() == 0).tolist()


def join_buffers(encoded: Sequence[EncodedEffect]) -> tuple[list[EffectPartMessage], bytes, bytes]:
    """Put the numbers of several effects behind one another; each message says where its own are."""
    messages: list[EffectPartMessage] = []
    n_floats = n_integers = 0
    for effect in encoded:
        own = effect.message["layout"]
        layout: PartLayout = {
            "floats": shifted(own["floats"], n_floats),
            "integers": shifted(own["integers"], n_integers),
        }
        messages.append({**effect.message, "layout": layout})
        n_floats, n_integers = n_floats + len(effect.floats), n_integers + len(effect.integers)
    return messages, b"".join(p.floats.tobytes() for p in encoded), b"".join(p.integers.tobytes() for p in encoded)


def _flat(values: Floats) -> Floats:
    return values.reshape(len(values), -1)


def _extremes(computed: Effect) -> tuple[Floats, Floats]:
    if isinstance(computed, ConditionalDependence) or (
        isinstance(computed, PartialDependence) and computed.ice is not None
    ):
        return answer_extremes(computed)
    return np.full(computed.effect.shape, np.nan), np.full(computed.effect.shape, np.nan)


def _sample(computed: Effect) -> Floats:
    """Individual curves spread evenly over their mean height, (q, m, G); none for other effects or two features."""
    if not isinstance(computed, PartialDependence) or computed.ice is None or computed.ice.ndim != 3:
        return np.empty((len(computed.effect), 0, _flat(computed.effect).shape[1]))
    sample: list[Floats] = []
    for curves in computed.ice:
        order = np.argsort(curves.mean(axis=1), kind="stable")
        places = np.unique(np.linspace(0, len(order) - 1, min(N_SAMPLE, len(order))).round().astype(np.int64))
        sample.append(curves[order[places]])
    return np.stack(sample)


def _rows(computed: Effect, budget: float) -> tuple[RowsForm, list[int], Floats, NDArray[np.int64]]:
    """Encode the rows of an effect, where they fit: its kind, starts of groups, floats and integers."""
    no_rows: tuple[RowsForm, list[int], Floats, NDArray[np.int64]] = (
        "none", [], np.empty(0), np.empty(0, dtype=np.int64),
    )  # fmt: skip
    if not computed.complete:
        return no_rows
    if isinstance(computed, PartialDependence):
        fits = computed.ice is not None and 4 * computed.ice.size <= budget
        return _curves(computed.curves()) if fits else no_rows
    groups = computed.local if isinstance(computed, ConditionalDependence) else None
    if isinstance(computed, AccumulatedEffect):
        groups = computed.local
    if groups is None or 4 * (groups.values.size + 2 * len(groups.row) + computed.n_rows) > budget:
        return no_rows
    order = np.argsort(groups.group, kind="stable")
    values = groups.values[:, order].ravel()
    if isinstance(computed, AccumulatedEffect):
        return "bins", _starts(groups), np.concatenate([values, computed.position]), groups.row[order]
    return "windows", _starts(groups), values, groups.row[order]


def _curves(curves: Floats) -> tuple[RowsForm, list[int], Floats, NDArray[np.int64]]:
    """Encode the curve of each row, [class][row][point]: the different ones where many rows share theirs.

    Rows alike in all other features have the same curve, and trees or few levels make many alike.
    """
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(curves.astype("<f4").swapaxes(0, 1)).reshape(curves.shape[1], -1)
    bits = rows.view(f"V{rows.strides[0]}")[:, 0]
    _, first, place = np.unique(bits, return_index=True, return_inverse=True)
    if len(first) > SHARED * len(rows):
        return "curves", [], curves.ravel(), np.empty(0, dtype=np.int64)
    order = np.lexsort(rows[first].T[::-1])  # neighbours alike, which packs best
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return "curves", [], curves[:, first[order]].ravel(), rank[place.ravel()]


def _starts(groups: RaggedGroups) -> list[int]:
    return [0, *np.cumsum(groups.counts()).tolist()]


def _lipschitz(computed: Effect) -> list[float] | None:
    if not isinstance(computed, AccumulatedEffect) or computed.grid.kind == "categorical":
        return None
    return [float(value) for value in lipschitz_from_differences(computed).value]


def _covers(kind: EffectKind) -> str:
    if kind in ("ale", "dale"):
        return "every reweighting inside the bins"
    return "every reweighting of these rows"


def _breakdown(effect: FeatureEffect, output: int) -> BreakdownMessage | None:
    """Where the direction breaks, for one class; None where there is no direction."""
    named = effect._classes[output] if len(effect._computed.effect) > 1 else None
    try:
        breakdown = effect.breakdown(target_class=named)
    except InputError:
        return None
    return {
        "low": breakdown._computed.low,
        "high": breakdown._computed.high,
        "epsilon": finite(breakdown.epsilon),
        "sentence": breakdown.sentence,
    }


def _quantiles(confidence: float) -> list[float]:
    """Student t quantiles at 1/df = 0, 1/64 … 1, for the page's own intervals."""
    inverse = np.linspace(0, 1, N_QUANTILES)
    with np.errstate(divide="ignore"):
        df = 1 / inverse
    quantiles = special.stdtrit(np.where(inverse > 0, df, 1.0), 0.5 + confidence / 2)
    return np.where(inverse > 0, quantiles, special.ndtri(0.5 + confidence / 2)).tolist()


def _axis(axis: Axis, weights: Floats) -> EffectAxisMessage:
    total = float(weights.sum())
    missing = np.isnan(axis.data)
    level_shares = [float(weights[missing if np.isnan(p) else axis.data == p].sum()) / total for p in axis.points]
    edges: Floats = np.empty(0)
    shares: Floats = np.array(level_shares)
    mass: Floats = shares
    if axis.kind != "levels":
        edges = histogram_edges(axis.data, axis.integer and axis.kind == "numeric")
        present = np.clip(axis.data[~missing], edges[0], edges[-1])
        shares = np.histogram(present, edges, weights=weights[~missing])[0] / total
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
    missing = np.isnan(axis.data)
    mass = np.zeros(len(axis))
    place = np.interp(axis.data[~missing], axis.points[observed], np.arange(len(observed)))
    left = np.floor(place).astype(np.int64)
    right = np.minimum(left + 1, len(observed) - 1)
    np.add.at(mass, observed[left], weights[~missing] * (1 - (place - left)))
    np.add.at(mass, observed[right], weights[~missing] * (place - left))
    mass[np.isnan(axis.points)] = weights[missing].sum()
    return mass
