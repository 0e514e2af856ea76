"""Brackets halved as bisection does it, to the last bit, several halvings answered by one call of the model.

Two ways to know early which middles will be asked about: all that any outcome leads to, 2^k − 1 for k halvings; or
those on the way to a guess of the crossing, one for each halving, where answers tell by how much the decision holds at
either end. A guess decides nothing: where the model decides otherwise than guessed, the rest of the way is thrown away.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from tauscope.weights.arrays import Bools, Floats, Ints

FULL_LEVELS = ((2, 3), (4, 2))
"""Brackets up to which every outcome of so many halvings is asked about: of a single row calls cost more than rows."""
FIRST_TRUST, FINE_TRUST = 4, 10
"""Halvings asked about on the strength of a first guess: of one drawn far out, and of one between near points."""
TRUSTED = 4
"""Halvings of a guess that has held, from which on other outcomes are not asked about."""
MOST_LEVELS = 40
LEVELS = np.arange(MOST_LEVELS)
POWERS = 2.0**LEVELS
N_BITS = np.array([part.bit_length() for part in range(2 ** max(n_levels for _, n_levels in FULL_LEVELS))])


@dataclass(frozen=True, eq=False)
class Middles:
    """Points of m brackets to ask about.

    Attributes
    ----------
    n_full : int
        Halvings of which every outcome is asked about: the first 2^n_full − 1 points, the nearest first.
    shares : ndarray of shape (m, k)
        Of the bracket as it is now; after the first ones those on the way to the guess, the coarsest first.
    asked : ndarray of bool, shape (m, k)
        Whether each is needed.
    leaf : ndarray of shape (m,)
        Which of the 2^n_full equal parts the guess lies in; −1 without a guess.
    guessed : ndarray of bool, shape (m, k − 2^n_full + 1)
        Whether points on the way to the guess are beyond the boundary if it is right.
    """

    n_full: int
    shares: Floats
    asked: Bools
    leaf: Ints
    guessed: Bools

    @property
    def n_inner(self) -> int:
        """Points for which every outcome is asked about."""
        return 2**self.n_full - 1


class Halving:
    """Brackets between a near end and one beyond the boundary, as shares of their way.

    Parameters
    ----------
    length : ndarray of shape (n,)
        Of the whole of each.
    tolerance : float
        Length of a bracket that is narrow enough.
    leaning : tuple of two ndarrays of shape (n,)
        By how much the model favours the decision of the near end, at the ends; NaN where it is not known.
    trust : int
        Halvings for which a first guess is trusted.

    Attributes
    ----------
    low, high : ndarray of shape (n,)
    """

    def __init__(self, length: Floats, tolerance: float, leaning: tuple[Floats, Floats], trust: int) -> None:
        n = len(length)
        self.low, self.high = np.zeros(n), np.ones(n)
        self._length, self._tolerance = length, tolerance
        self._at_low, self._at_high = (end.copy() for end in leaning)
        self._before, self._at_before = np.full(n, np.nan), np.full(n, np.nan)  # the last near end but one
        self._trust = np.full(n, trust)

    def is_wide(self, index: Ints) -> Bools:
        """Tell which brackets are wider than the tolerance, and hold a number between their ends."""
        low, high = self.low[index], self.high[index]
        return ((high - low) * self._length[index] > self._tolerance) & (np.nextafter(low, high) < high)

    def guess(self, index: Ints) -> Floats:
        """Guess where brackets cross, as shares of what they are now, from the answers at two points; NaN for none."""
        low, high = self._at_low[index], self._at_high[index]
        with np.errstate(divide="ignore", invalid="ignore"):
            between = low / (low - high)
            steps = (self.low[index] - self._before[index]) / (self.high[index] - self.low[index])
            onwards = steps * low / (self._at_before[index] - low)
        share = np.where(np.isnan(high), onwards, between)
        return np.where((share > 0) & (share < 1), share, np.nan)

    def shares(self, index: Ints, guess: Floats) -> Floats:
        """Give shares of brackets as they are now as shares of the whole."""
        return self.low[index] + (self.high[index] - self.low[index]) * guess

    def middles(self, index: Ints, guess: Floats, left: float, enough: Floats | None = None) -> Middles:
        """Choose what to ask about.

        Parameters
        ----------
        index : ndarray of shape (m,)
        guess : ndarray of shape (m,)
            As from `guess`.
        left : float
            Most points; the middles alone where more do not fit.
        enough : ndarray of shape (m,), optional
            Share of the whole from which on a bracket need not be narrowed.
        """
        there = np.isfinite(guess)
        trust = np.where(there, self._trust[index], 0)
        n_full = _n_full(len(index)) if (trust < TRUSTED).any() else 1
        chosen = self._choose(index, np.where(there, guess, 0.0), there, trust, n_full, enough)
        if chosen.asked.sum() <= left:
            return chosen
        return self._choose(index, np.zeros(len(index)), np.zeros(len(index), dtype=np.bool_), trust * 0, 1, None)

    def _choose(
        self, index: Ints, guess: Floats, there: Bools, trust: Ints, n_full: int, enough: Floats | None
    ) -> Middles:
        tree = tree_of(n_full)
        low = self.low[index]
        width = self.high[index] - low
        powers = POWERS[n_full : max(n_full, int(trust.max(initial=0)))]
        n_inner, n_levels = len(tree.shares), len(powers)
        shape = len(index), n_inner + n_levels
        shares, asked = np.empty(shape), np.ones(shape, dtype=np.bool_)
        shares[:, :n_inner] = tree.shares
        cells = np.floor(guess[:, None] * powers)
        way = shares[:, n_inner:] = (cells + 0.5) / powers
        asked[:, n_inner:] = trust[:, None] > LEVELS[n_full : n_full + n_levels]
        if enough is not None:
            asked[:, n_inner:] &= low[:, None] + width[:, None] * cells / powers < enough[:, None]
        halves = np.concatenate([tree.halves, 1 / powers])
        asked &= (width * self._length[index])[:, None] * halves > self._tolerance
        leaf = np.where(there, np.floor(guess * (n_inner + 1)), -1).astype(np.int64)
        return Middles(n_full, shares, asked, leaf, guess[:, None] < way)

    def narrow(self, index: Ints, middles: Middles, beyond: Bools, leaning: Floats) -> None:
        """Halve brackets as often as the answers at hand allow.

        Parameters
        ----------
        index : ndarray of shape (m,)
        middles : Middles
        beyond : ndarray of bool, shape (m, k)
            Whether the points are beyond the boundary; of no matter where they were not asked about.
        leaning : ndarray of shape (m, k)
            As at the ends.
        """
        met, held = _met(middles, beyond)
        self._learn(index, middles, held)
        rows, low = np.arange(len(index)), self.low[index]
        width = self.high[index] - low
        near, far = np.where(met & ~beyond, middles.shares, -1.0), np.where(met & beyond, middles.shares, 2.0)
        last, first = near.argmax(axis=1), far.argmin(axis=1)
        share = near[rows, last]
        moved = share >= 0
        at, before = index[moved], self._at_low[index]
        self._before[at], self._at_before[at] = low[moved], before[moved]
        self.low[at] = (low + width * share)[moved]
        self._at_low[at] = leaning[rows, last][moved]
        share = far[rows, first]
        moved = share <= 1
        at = index[moved]
        self.high[at] = (low + width * share)[moved]
        self._at_high[at] = leaning[rows, first][moved]

    def _learn(self, index: Ints, middles: Middles, held: Ints) -> None:
        """Trust guesses twice as far where they held, and elsewhere only so far as they held."""
        most = middles.n_full + middles.asked[:, middles.n_inner :].sum(axis=1)
        there = middles.leaf >= 0
        self._trust[index[there]] = np.where(held == most, 2 * held + 1, held)[there]


def _n_full(n_brackets: int) -> int:
    return next((n_levels for most, n_levels in FULL_LEVELS if n_brackets <= most), 1)


class Tree(NamedTuple):
    """The middles of all outcomes of some halvings, the nearest first.

    Attributes
    ----------
    shares : ndarray of shape (2^n − 1,)
        They cut a bracket into 2^n equal parts.
    halves : ndarray of shape (2^n − 1,)
        How much of the bracket is left to be halved where each is the middle: of four parts ½, 1, ½.
    """

    shares: Floats
    halves: Floats


@cache
def tree_of(n_levels: int) -> Tree:
    """Return the middles of all outcomes of so many halvings."""
    place = np.arange(1, 1 << n_levels, dtype=np.int64)
    return Tree(place / (1 << n_levels), (place & -place) / (1 << (n_levels - 1)))


def _met(middles: Middles, beyond: Bools) -> tuple[Bools, Ints]:
    """Tell which points halving one by one would have met, shape (m, k), and for how many halvings the guess held."""
    m, n_inner = len(beyond), middles.n_inner
    rows, met = np.arange(m), np.zeros(beyond.shape, dtype=np.bool_)
    first, part = np.zeros(m, dtype=np.int64), n_inner + 1
    while part > 1:
        part //= 2
        at = first + part - 1
        met[rows, at] = middles.asked[rows, at]
        first = np.where(beyond[rows, at], first, first + part)
    held = middles.n_full - N_BITS[np.maximum(middles.leaf, 0) ^ first]
    if beyond.shape[1] > n_inner:
        as_guessed = beyond[:, n_inner:] == middles.guessed
        before = np.concatenate([(first == middles.leaf)[:, None], as_guessed[:, :-1]], axis=1)
        met[:, n_inner:] = middles.asked[:, n_inner:] & np.logical_and.accumulate(before, axis=1)
        held += (met[:, n_inner:] & as_guessed).sum(axis=1)
    return met, held
