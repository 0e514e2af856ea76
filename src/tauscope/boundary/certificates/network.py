"""How far the nearest flip of a small network is at least, by linear bounds carried back through its layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.boundary.certificates.contrasts import Contrasts
from tauscope.boundary.certificates.moves import Moves
from tauscope.boundary.halving import tree_of
from tauscope.prediction.batches import Over
from tauscope.weights.arrays import Bools, Floats

Activation = Literal["relu", "tanh"]
TANGENT_HALVINGS = 30
WIDENED = 1e-12


@dataclass(frozen=True, eq=False)
class Lines:
    """slope · h + intercept below and above the activation, each of the shape of the interval's ends."""

    lower_slope: Floats
    lower_intercept: Floats
    upper_slope: Floats
    upper_intercept: Floats


def lines_of(activation: Activation, lower: Floats, upper: Floats) -> Lines:
    """Lines of an activation between two ends, after Zhang, Weng, Chen, Hsieh and Daniel (2018), table 2 (CROWN)."""
    return _relu(lower, upper) if activation == "relu" else _tanh(lower, upper)


def _relu(lower: Floats, upper: Floats) -> Lines:
    crosses = (lower < 0) & (upper > 0)
    slope = np.where(crosses, upper / np.where(crosses, upper - lower, 1.0), (lower >= 0).astype(np.float64))
    below = np.where(crosses, (upper > -lower).astype(np.float64), slope)
    nothing = np.zeros_like(lower)
    return Lines(below, nothing, slope, np.where(crosses, -slope * lower, nothing))


def _tanh(lower: Floats, upper: Floats) -> Lines:
    upper_slope, upper_intercept = _above_tanh(lower, upper)
    lower_slope, mirrored = _above_tanh(-upper, -lower)  # tanh is odd
    return Lines(lower_slope, -mirrored, upper_slope, upper_intercept)


def _above_tanh(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Line above tanh: the chord where tanh is convex, else a tangent at a place where tanh is concave.

    Where the interval has both, the tangent that also passes above the lower end: bisected from the side of the
    places whose tangents do.
    """
    chord = (np.tanh(upper) - np.tanh(lower)) / np.maximum(upper - lower, 1e-300)
    chord = np.where(upper - lower < 1e-9, _slope(np.minimum(np.abs(lower), np.abs(upper))), chord)
    low, high = np.maximum(lower, 0.0), np.maximum(upper, 0.0)
    spans = lower < 0
    place = np.where(spans, high, (low + high) / 2)
    for _ in range(TANGENT_HALVINGS):
        middle = (low + high) / 2
        above = _slope(middle) * (lower - middle) + np.tanh(middle) >= np.tanh(lower)
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    place = np.where(spans, high, place)
    slope = _slope(place)
    touches = (place > 0) & (slope * (lower - place) + np.tanh(place) >= np.tanh(lower)) | ~spans
    slope = np.where(touches, slope, chord)
    through = np.where(touches, place, upper)
    # a chord passes through both ends; the larger intercept keeps it above by rounding
    intercept = np.maximum(np.tanh(through) - slope * through, np.tanh(lower) - slope * lower)
    intercept = np.where(
        touches, np.tanh(through) - slope * through, np.maximum(intercept, np.tanh(upper) - slope * upper)
    )
    return slope, intercept + WIDENED


def _slope(place: Floats) -> Floats:
    return 1 - np.tanh(place) ** 2


N_HALVINGS = 15
FIRST_RADIUS, N_DOUBLINGS = 1 / 8, 24
FEW = 4
"""Points up to which three halvings, and seven doublings, are tried at once: calls cost more than numbers then."""
MOST_NUMBERS = 2_000_000
"""Numbers of one array of gradients; points are taken in blocks that keep to it."""
ROUNDING = 1e-10  # of the sizes added up


@dataclass(frozen=True, eq=False)
class NetworkMargins:
    """A network of dense layers with one activation between them.

    Attributes
    ----------
    weights : list of ndarray, each of shape (units, units before)
    biases : list of ndarray, each of shape (units,)
    activation : {"relu", "tanh"}
    matrix : ndarray of shape (d, p)
        Of the affine steps before.
    """

    weights: list[Floats]
    biases: list[Floats]
    activation: Activation
    matrix: Floats

    def outputs(self, seen: Floats) -> Floats:
        """Compute outputs at points as the network sees them (n, d): shape (n, q)."""
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden = seen @ weights.T + biases
            seen = np.maximum(hidden, 0.0) if self.activation == "relu" else np.tanh(hidden)
        return seen @ self.weights[-1].T + self.biases[-1]

    def lower_bounds(
        self,
        moves: Moves,
        seen: Floats,
        contrasts: list[Contrasts],
        upper: Floats,
        budget: float,
        over: Over = map,
    ) -> tuple[Floats, Bools]:
        """Bisect for the largest radius within which every margin, or one against a chosen class, stays above 0."""
        distance = np.zeros(moves.n)
        widest = max(len(weights) for weights in self.weights) * max(self.matrix.shape[1], *map(len, self.weights))
        block = max(1, MOST_NUMBERS // widest)
        for first in range(0, moves.n, block):
            rows = np.arange(first, min(first + block, moves.n))
            n_levels = 3 if len(rows) <= FEW else 1
            each = np.repeat(rows, 2**n_levels - 1)
            part = _Block(self, moves.take(each), seen[each], [contrasts[row] for row in each])
            distance[rows] = part.largest_radius(upper[rows], n_levels)
        return distance, np.zeros(moves.n, dtype=np.bool_)


class _Block:
    """Some points at once, each as often as radii are tried for it."""

    def __init__(self, network: NetworkMargins, moves: Moves, seen: Floats, contrasts: list[Contrasts]) -> None:
        self.network, self.moves = network, moves
        self.centre = seen @ network.weights[0].T + network.biases[0]
        self.slopes = network.weights[0] @ network.matrix
        forms = np.stack([one.forms for one in contrasts])
        self.forms = forms @ network.weights[-1]
        self.constants = forms @ network.biases[-1] + np.stack([one.offsets for one in contrasts])
        self.every = contrasts[0].every

    def largest_radius(self, upper: Floats, n_levels: int) -> Floats:
        shares = tree_of(n_levels).shares
        low, high = self._bracket(upper, len(shares))
        for _ in range(N_HALVINGS // n_levels):
            low, high, _ = self._narrowed(low, low[:, None] + (high - low)[:, None] * shares, high)
        return low

    def _narrowed(self, low: Floats, radii: Floats, high: Floats) -> tuple[Floats, Floats, Bools]:
        """Narrow to the last of ascending radii (n, k) that is proved and the first that is not: and if one is not."""
        proved = np.logical_and.accumulate(self.proves(radii.ravel()).reshape(radii.shape), axis=1)
        rows, last = np.arange(len(radii)), proved.sum(axis=1)
        edges = np.column_stack([low, radii, high])
        return edges[rows, last], edges[rows, last + 1], ~proved[:, -1]

    def proves(self, radius: Floats) -> Bools:
        """Whether no flip lies within radii (n,)."""
        lines: list[Lines] = []
        lower, upper = self._around(
            self.centre,
            self.moves.dual(np.broadcast_to(self.slopes, (len(radius), *self.slopes.shape))) * radius[:, None],
        )
        lines.append(lines_of(self.network.activation, lower, upper))
        for weights, biases in zip(self.network.weights[1:-1], self.network.biases[1:-1], strict=True):
            both = np.broadcast_to(
                np.concatenate([weights, -weights]), (len(radius), 2 * len(weights), weights.shape[1])
            )
            bounds = self._lower(both, np.concatenate([biases, -biases]), lines, radius)
            lower, upper = bounds[:, : len(weights)], -bounds[:, len(weights) :]
            lines.append(lines_of(self.network.activation, lower, upper))
        margins = self._lower(self.forms, self.constants, lines, radius)
        holds = margins > 0
        return np.asarray(holds.any(axis=1) if self.every else holds.all(axis=1), dtype=np.bool_)

    def _lower(self, forms: Floats, constants: Floats, lines: list[Lines], radius: Floats) -> Floats:
        """Lower bounds of forms (n, m, units) of the last activations bounded, plus constants: shape (n, m)."""
        size = np.abs(constants)
        for layer in range(len(lines) - 1, -1, -1):
            line = Lines(*(getattr(lines[layer], name)[:, None] for name in Lines.__dataclass_fields__))
            above, below = np.maximum(forms, 0.0), np.minimum(forms, 0.0)
            added = above * line.lower_intercept + below * line.upper_intercept
            forms = above * line.lower_slope + below * line.upper_slope
            bias = (
                self.centre if layer == 0 else np.broadcast_to(self.network.biases[layer], (len(forms), forms.shape[2]))
            )
            carried = forms * bias[:, None]
            constants = constants + added.sum(axis=2) + carried.sum(axis=2)
            size = size + np.abs(added).sum(axis=2) + np.abs(carried).sum(axis=2)
            if layer > 0:
                forms = forms @ self.network.weights[layer]
        reach = self.moves.dual(forms @ self.slopes) * radius[:, None]
        return constants - reach - ROUNDING * (size + reach)

    def _around(self, centre: Floats, reach: Floats) -> tuple[Floats, Floats]:
        reach = reach + ROUNDING * (np.abs(centre) + reach)
        return centre - reach, centre + reach

    def _bracket(self, upper: Floats, n_radii: int) -> tuple[Floats, Floats]:
        """Find a radius that is proved, and one that is not, or that is as far as is looked."""
        low, high = np.zeros(len(upper)), np.minimum(FIRST_RADIUS, upper)
        for _ in range(0, N_DOUBLINGS, n_radii):
            radii = np.minimum(high[:, None] * 2.0 ** np.arange(n_radii), upper[:, None])
            low, high, met = self._narrowed(low, radii, radii[:, -1])
            far = ~met & (high < upper)
            if not far.any():
                break
            high = np.where(far, np.minimum(2 * high, upper), high)
        return low, high
