"""Sufficient explanations: the smallest subsets of a row's features that make its decision probable enough."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np
from scipy import stats

from tauscope.errors import InputError
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.min_rows import MIN_ROWS, MinRows
from tauscope.rules.packed import LATTICE
from tauscope.rules.probability import mean_over_trees
from tauscope.weights.arrays import Floats
from tauscope.weights.checks import check_share

Features = tuple[int, ...]
Status = Literal["sufficient", "none reaches π"]

MOST_EXACT = 20
"""Most features of which every subset may be tried."""
MOST_AT_ONCE = 12
"""Most features of which the subsets of more than four are tried in one go, whatever their size."""
RULED_OUT = 2000
"""Most subsets of a size that a greedy search tries all, to say how small a sufficient set cannot be."""
ROUNDING = 1e-12
"""Of a mean of shares: what is that near π reaches it, and what is that near another is as probable."""


@dataclass(frozen=True)
class SearchOptions:
    """What to look for.

    Attributes
    ----------
    pi : float
        Least same-decision probability of a sufficient set, in (0, 1].
    n_features : int
        How many features are searched, the most used by the forest first.
    order : {"splits", "importance"}
        What makes a feature much used: splits of the forest on it, or impurity importance. Also decides between sets
        of one size and the same probability.
    features : tuple of int or None
        The features to search instead, in their order of preference.
    every : bool
        All minimal sets (A-SE), or the smallest one alone (M-SE), which takes less time.
    search : {"exhaustive", "greedy"}
        Every subset, for at most 20 features; or adding the best feature at a time and dropping what is not needed.
    min_rows : int or "paper"
        As in `ProjectedForest`.
    confidence : float or None
        Of the interval over trees; None: no interval.
    """

    pi: float = 0.95
    n_features: int = 10
    order: Literal["splits", "importance"] = "splits"
    features: Features | None = None
    every: bool = True
    search: Literal["exhaustive", "greedy"] = "exhaustive"
    min_rows: MinRows = MIN_ROWS
    confidence: float | None = 0.95


@dataclass(frozen=True, eq=False)
class SufficientSets:
    """The sufficient explanations of one row.

    Attributes
    ----------
    status : {"sufficient", "none reaches π"}
    minimal : tuple of int
        The smallest sufficient set (M-SE): of several of its size the most probable one, of those as probable the
        first in the order of the features. Where none reaches π, empty.
    best : tuple of int
        `minimal`; where none reaches π the most probable set of all that were tried.
    sdp : float
        Same-decision probability of `best`.
    interval : (float, float) or None
        Of that, over trees: see `tree_interval`.
    every : tuple of tuple of int
        All sufficient sets none of whose parts is sufficient (A-SE), smallest first; without `every` and in a greedy
        search `minimal` alone.
    every_sdp : ndarray of shape (len(every),)
    importance : ndarray of shape (n_features of the forest,)
        Local explanatory importance: the share of `every` that have the feature.
    sdp_of_none : float
        Same-decision probability when nothing is known. The empty set is no explanation, and is not searched.
    features : tuple of int
        What was searched, most preferred first.
    search : {"exhaustive", "greedy"}
    ruled_out : int
        No set of at most so many of these features is sufficient.
    tried : tuple of tuple of int
        Sets whose probability was computed, the empty one left out.
    tried_sdp : ndarray of shape (len(tried),)
    n_dropped : int
        Further sets that were asked about in some trees, after which the others could not raise them to π: only
        without `every`.
    """

    status: Status
    minimal: Features
    best: Features
    sdp: float
    interval: tuple[float, float] | None
    every: tuple[Features, ...]
    every_sdp: Floats
    importance: Floats
    sdp_of_none: float
    features: Features
    search: Literal["exhaustive", "greedy"]
    ruled_out: int
    tried: tuple[Features, ...]
    tried_sdp: Floats
    n_dropped: int = 0

    @property
    def n_evaluated(self) -> int:
        """Number of sets tried, in some trees or all, the empty one among them."""
        return len(self.tried) + self.n_dropped + 1


def find_sufficient(
    forest: ProjectedForest,
    row: Floats,
    same: SameDecision,
    options: SearchOptions | None = None,
    *,
    weight: Floats | None = None,
) -> SufficientSets:
    """Find the sufficient explanations of one row.

    Parameters
    ----------
    forest : ProjectedForest
    row : ndarray of shape (n_columns,)
    same : SameDecision
        Of that one row.
    options : SearchOptions or None
    weight : ndarray of shape (n_rows,) or None
        As in `ProjectedForest`.

    Returns
    -------
    SufficientSets

    Raises
    ------
    InputError
        Where π lies outside (0, 1], a feature is unknown or named twice, more than 20 are to be searched
        exhaustively, or as in `ProjectedForest`.
    """
    options = options or SearchOptions()
    asked, features = _ask_row(forest, row, same, options, weight)
    return search_sets(asked, features, options, forest.n_features)


def search_sets(asked: SetSearch, features: Features, options: SearchOptions, n_features: int) -> SufficientSets:
    """Find the sufficient sets of one row among features of `n_features`; see `find_sufficient`."""
    sdp_of_none = float(asked.sdp([()])[0])
    found, ruled_out = _search(asked, features, options)
    status: Status = "sufficient" if found else "none reaches π"
    best = found[0] if found else asked.best(features)
    every_sdp = np.array([asked.known[one] for one in found])
    importance = np.zeros(n_features)
    for one in found:
        importance[list(one)] += 1 / len(found)
    tried = tuple(one for one in asked.known if one)
    return SufficientSets(
        status=status,
        minimal=found[0] if found else (),
        best=best,
        sdp=asked.known[best],
        interval=asked.interval(best),
        every=tuple(found),
        every_sdp=every_sdp,
        importance=importance,
        sdp_of_none=sdp_of_none,
        features=features,
        search=options.search,
        ruled_out=ruled_out,
        tried=tried,
        tried_sdp=np.array([asked.known[one] for one in tried]),
        n_dropped=len(asked.dropped),
    )


def smallest_sufficient(
    forest: ProjectedForest, row: Floats, same: SameDecision, options: SearchOptions, *, weight: Floats | None = None
) -> Features:
    """Find `SufficientSets.minimal` of one row alone; () where none reaches π.

    Parameters as in `find_sufficient`, which then looks for the most probable set; that is left out here.
    """
    asked, features = _ask_row(forest, row, same, options, weight)
    found, _ = _search(asked, features, options)
    return found[0] if found else ()


class SetSearch(ABC):
    """One row's sets and their probabilities, each asked for once."""

    def __init__(self, options: SearchOptions) -> None:
        self._options, self.drops = options, not options.every
        """The second: whether a set that cannot suffice may be left without a probability."""
        self.known: dict[Features, float] = {}
        self.dropped: set[Features] = set()

    @abstractmethod
    def ask(self, sets: Sequence[Features], least: float | None) -> Floats:
        """Compute the probabilities of sets; NaN for those that are found to be less than `least` on the way."""

    @abstractmethod
    def interval(self, one: Features) -> tuple[float, float] | None:
        """Return the interval of a set's probability."""

    def reaches(self, values: Floats, least: float) -> list[bool]:
        """Tell which probabilities suffice."""
        return (values >= least).tolist()

    def sdp(self, sets: Sequence[Features], least: float | None = None) -> Floats:
        """Their probabilities; NaN for those that were found to be less than `least`, without being computed."""
        new = [one for one in sets if one not in self.known]
        if new:
            values = self.ask(new, least)
            for one, value in zip(new, values.tolist(), strict=True):
                if value == value:
                    self.known[one] = value
            self.dropped = self.dropped.union(new).difference(self.known)
        return np.array([self.known.get(one, np.nan) for one in sets])

    def sufficient(self, sets: Sequence[Features]) -> list[Features]:
        """Those that reach π, smallest first; of one size the most probable first, in the order given."""
        least = self._options.pi - ROUNDING
        values = self.sdp(sets, least if self.drops else None)
        reach = [i for i, enough in enumerate(self.reaches(values, least)) if enough]
        # probabilities that differ by rounding count as equal, and the order given stands
        reach.sort(key=lambda i: (len(sets[i]), -round(values[i] / ROUNDING)))
        return [sets[i] for i in reach]

    def best(self, features: Features) -> Features:
        """Most probable set that was tried; of those as probable the smallest, then the first."""
        rank = {feature: i for i, feature in enumerate(features)}
        if self.dropped:
            # some large sets first: what cannot be as probable as they are is not computed
            large = sorted(self.dropped, key=len)[-len(features) :]
            self.sdp(large)
            self.sdp(sorted(self.dropped), max(self.known.values()) - 2 * ROUNDING)
        tried = [one for one in self.known if one]
        most = max(self.known[one] for one in tried)
        near = [one for one in tried if self.known[one] >= most - ROUNDING]
        return min(near, key=lambda one: (len(one), [rank[feature] for feature in one]))


class _Asked(SetSearch):
    """The sets of a projected forest."""

    def __init__(
        self,
        forest: ProjectedForest,
        row: Floats,
        features: Features,
        same: SameDecision,
        options: SearchOptions,
        weight: Floats | None,
    ) -> None:
        super().__init__(options)
        self._forest, self._row, self._same, self._weight = forest, row, same, weight
        few = len(features) <= LATTICE
        self._kept = forest.ask_row(row, features, same, weight=weight, min_rows=options.min_rows) if few else None

    def ask(self, sets: Sequence[Features], least: float | None) -> Floats:
        if self._kept is not None:
            return self._kept.sdp(sets, least)
        return mean_over_trees(self._by_tree(sets))

    def _by_tree(self, sets: Sequence[Features]) -> Floats:
        if self._kept is not None:
            return self._kept.sdp_by_tree(sets)
        options = self._options
        return self._forest.sdp_by_tree(self._row, sets, self._same, weight=self._weight, min_rows=options.min_rows)[0]

    def interval(self, one: Features) -> tuple[float, float] | None:
        if self._options.confidence is None:
            return None
        lower, upper = tree_interval(self._by_tree([one])[0], confidence=self._options.confidence)
        return float(lower), float(upper)


def _ask_row(
    forest: ProjectedForest, row: Floats, same: SameDecision, options: SearchOptions, weight: Floats | None
) -> tuple[_Asked, Features]:
    check_share(options.pi, "pi", open_low=True)
    features = choose_features(forest, options)
    return _Asked(forest, np.atleast_2d(row), features, same, options, weight), features


def choose_features(forest: ProjectedForest, options: SearchOptions) -> Features:
    """Name the features to search, most preferred first."""
    if options.features is None:
        if options.n_features < 1:
            raise InputError(f"n_features must be at least 1, got {options.n_features}.")
        features = tuple(int(feature) for feature in forest.order(options.order)[: options.n_features])
    else:
        features = tuple(int(feature) for feature in options.features)
        if not features or len(set(features)) < len(features):
            raise InputError(f"features must name some features, each once; got {features}.")
    if options.search == "exhaustive" and len(features) > MOST_EXACT:
        raise InputError(
            f"An exhaustive search takes at most {MOST_EXACT} features, got {len(features)}: their subsets are too "
            'many. Search fewer, or with search="greedy".'
        )
    return features


def _search(asked: SetSearch, features: Features, options: SearchOptions) -> tuple[list[Features], int]:
    """Return the sufficient sets, smallest first, and the size up to which none is."""
    search = _exhaustive if options.search == "exhaustive" else _greedy
    return search(asked, features, options)


def _exhaustive(asked: SetSearch, features: Features, options: SearchOptions) -> tuple[list[Features], int]:
    """All minimal sufficient sets, sizes ascending, without those that contain one that was found."""
    found: list[Features] = []
    for sizes in _batches(len(features), options.every):
        sets = [one for size in sizes for one in combinations(features, size) if not _has_part(one, found)]
        for one in asked.sufficient(sets):
            if not _has_part(one, found):
                found.append(one)
        if not sets or (found and not options.every):
            break
    ruled_out = len(found[0]) - 1 if found else len(features)
    return found if options.every else found[:1], ruled_out


def _batches(k: int, every: bool) -> list[range]:
    """Sizes tried together: where all minimal sets are sought, a step costs more than a few sets too many."""
    if not every:
        return [range(size, size + 1) for size in range(1, k + 1)]
    small = [range(1, min(2, k) + 1), range(3, min(3, k) + 1), range(4, min(4, k) + 1)]
    large = [range(5, k + 1)] if k <= MOST_AT_ONCE else [range(size, size + 1) for size in range(5, k + 1)]
    return [sizes for sizes in (*small, *large) if sizes]


def _has_part(one: Features, found: list[Features]) -> bool:
    return any(set(part) <= set(one) for part in found)


def _greedy(asked: SetSearch, features: Features, options: SearchOptions) -> tuple[list[Features], int]:
    """One inclusion-minimal set, by adding the best feature at a time; and the sizes tried exhaustively."""
    ruled_out = 0
    for size in range(1, len(features) + 1):
        if comb(len(features), size) > RULED_OUT:
            break
        found = asked.sufficient(list(combinations(features, size)))
        if found:
            return found[:1], ruled_out
        ruled_out = size
    chosen: Features = ()
    while len(chosen) < len(features):
        larger = [_ordered((*chosen, feature), features) for feature in features if feature not in chosen]
        values = asked.sdp(larger)
        chosen = larger[int(np.argmax(values >= values.max() - ROUNDING))]
        if asked.sufficient([chosen]):
            return [_without_spare(asked, chosen)], ruled_out
    return [], ruled_out


def _without_spare(asked: SetSearch, chosen: Features) -> Features:
    """Drop features while what remains is sufficient, the one that leaves the most probable set first."""
    while len(chosen) > 1:
        smaller = asked.sufficient([tuple(f for f in chosen if f != spare) for spare in reversed(chosen)])
        if not smaller:
            break
        chosen = smaller[0]
    return chosen


def _ordered(chosen: Features, features: Features) -> Features:
    return tuple(feature for feature in features if feature in chosen)


PSEUDO = 0.5
"""What one more tree is taken to answer: without it, trees that all answer 1 would be beyond doubt."""


def tree_interval(by_tree: Floats, *, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Interval for what a forest of ever more trees, grown on the same rows, would answer.

    Student's t about the mean of the trees, with the standard error of independent answers (the jackknife over trees)
    and one more tree that answers ½. It covers the forest's Monte Carlo error alone: that another sample of rows would
    have given another forest is not in it. In simulations 95 % intervals of 10 to 50 trees covered in 96 to 97 % of
    cases, without the tree more in 86 to 92 %, and a bootstrap over trees in 81 to 90 %; the probability in the
    population, from other rows each time, was covered in some 60 %.

    Parameters
    ----------
    by_tree : ndarray of shape (..., n_trees)
        Each tree's answer, in [0, 1]; NaN where a tree has no say.
    confidence : float
        In (0, 1).

    Returns
    -------
    lower, upper : ndarray of shape (...)
        In [0, 1], the mean between them.

    Raises
    ------
    InputError
        Where fewer than two trees have a say.
    """
    check_share(confidence, "confidence", open_low=True, open_high=True)
    n_trees = (~np.isnan(by_tree)).sum(axis=-1)
    if (n_trees < 2).any():
        raise InputError(f"An interval over trees needs at least two; got {int(n_trees.min())}. Fit a larger forest.")
    answers = np.concatenate([by_tree, np.full((*by_tree.shape[:-1], 1), PSEUDO)], axis=-1)
    centre = np.nanmean(answers, axis=-1)
    error = np.nanstd(answers, axis=-1, ddof=1) / np.sqrt(n_trees + 1)
    reach = stats.t.ppf((1 + confidence) / 2, n_trees) * error
    mean = np.nanmean(by_tree, axis=-1)
    lower, upper = np.minimum(centre - reach, mean), np.maximum(centre + reach, mean)
    return np.clip(lower, 0, 1), np.clip(upper, 0, 1)
