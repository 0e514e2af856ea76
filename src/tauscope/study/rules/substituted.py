"""Same-decision probability of the model itself: a row's values put into other rows, and the model asked."""

# Decided in docs/decisions/0049-the-model-is-asked-where-its-stand-in-answers-otherwise.md.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tauscope.data import labels
from tauscope.prediction.stopping import steps
from tauscope.results.rules.distribution import SetDistribution
from tauscope.rules.grid import Grid
from tauscope.rules.rule import GrownRule, grow_rule, proportion_interval
from tauscope.rules.sufficient import (
    MOST_AT_ONCE,
    ROUNDING,
    Features,
    SearchOptions,
    SetSearch,
    SufficientSets,
    choose_features,
    search_sets,
)
from tauscope.study.rules.table import study_points
from tauscope.weights.arrays import Bools, Floats, Ints, sums_by
from tauscope.weights.measures import effective_size
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.study.base import StudyBase
    from tauscope.study.rules.explained import ExplainedRow
    from tauscope.study.rules.forest import StudyForest

MOST_ROWS = 400
"""Rows that values are put into, drawn at random of more."""
FEWEST_ROWS = 64
"""Rows that tell which features to search, and which sets come nowhere near."""
MOST_CANDIDATES = 60
"""Features that the search may take up, those the forest splits on most."""
MOST_ASKED = 1_000_000
"""Rows the model is asked about for one rule, about."""
AT_ONCE = 2**23
"""Values in memory together."""


@dataclass(frozen=True, eq=False)
class ModelProbability:
    """What the model decides where some values of a row are put into other rows.

    Attributes
    ----------
    study : Study
    forest : StudyForest
        Names the features.
    explained : ExplainedRow
        Whose decision counts.
    seed : int
        Of the rows drawn.
    drawn : ndarray of int or None
        Those that values are put into instead.
    """

    study: StudyBase
    forest: StudyForest
    explained: ExplainedRow
    seed: int
    drawn: Ints | None = None

    @classmethod
    def of(cls, study: StudyBase, forest: StudyForest, explained: ExplainedRow, spec: RulesSpec) -> ModelProbability:
        """Ask for a row under the options of a search."""
        return cls(study, forest, explained, seed_of(spec.random_state))

    @cached_property
    def others(self) -> Ints:
        """The rows that values are put into: of positive weight, and not the row itself."""
        if self.drawn is not None:
            return self.drawn
        weight = self.study.sample_weight
        counted = np.arange(self.study.n_rows) if weight is None else np.flatnonzero(weight > 0)
        counted = counted[counted != self.explained.position]
        random = np.random.default_rng([self.seed, len(counted)])
        return np.sort(random.choice(counted, min(MOST_ROWS, len(counted)), replace=False))

    @cached_property
    def weight(self) -> Floats:
        """Their shares of the weight."""
        weight = self.study.sample_weight
        own = np.ones(len(self.others)) if weight is None else weight[self.others]
        return own / own.sum()

    @property
    def ess(self) -> float:
        """Effective number of these rows."""
        return effective_size(self.weight)

    def interval(self, share: float) -> tuple[float, float]:
        """Return Clopper and Pearson's interval of a share of these rows, 95 %."""
        return proportion_interval(share, self.ess)

    def decisions(self, sets: Sequence[Features]) -> tuple[Floats, Floats]:
        """Return what is decided with the row's values of each set put in, and how near that is to its decision.

        Returns
        -------
        decided, nearness : ndarray of shape (n_sets, n_others)
        """
        return self._ask([(one, self.explained.point) for one in sets])

    def shares(self, sets: Sequence[Features]) -> Floats:
        """Return the probability of the row's decision with its values of each set put in: (n_sets,)."""
        decided, _ = self.decisions(sets)
        return np.minimum(self.explained.agrees(decided) @ self.weight, 1.0)

    def thinned(self, n: int) -> ModelProbability:
        """Ask about fewer others, no fewer than n where there are as many."""
        return replace(self, drawn=self.others[:: max(1, len(self.others) // n)])

    def at(self, one: Features, points: Floats) -> Floats:
        """Return the probability of the row's decision where other rows' values (m, p) of a set are put in: (m,)."""
        some = self.thinned(max(FEWEST_ROWS, MOST_ASKED // len(points)))
        decided, _ = some._ask([(one, point) for point in points])
        return np.minimum(self.explained.agrees(decided) @ some.weight, 1.0)

    def _ask(self, put: Sequence[tuple[Features, Floats]]) -> tuple[Floats, Floats]:
        """Ask the model about the others with values of some features put in, a pair of both at a time."""
        rows = study_points(self.study, self.others)
        n, p = rows.shape
        decided, nearness = np.empty((len(put), n)), np.empty((len(put), n))
        together = max(1, AT_ONCE // (n * p))
        for first in steps(range(0, len(put), together)):
            some = put[first : first + together]
            points = np.concatenate([self._with_values(rows, *one) for one in some])
            table = self.study._table_rows.substituted(np.zeros(len(points), dtype=np.int64), tuple(range(p)), points)
            here = slice(first, first + len(some))
            decided[here], nearness[here] = (one.reshape(-1, n) for one in self._answers(table))
        return decided, nearness

    def _with_values(self, rows: Floats, one: Features, point: Floats) -> Floats:
        if not one:
            return rows
        columns = self.forest.table.sources_of(list(one))
        points = rows.copy()
        points[:, columns] = point[columns]
        for group in self.study._table_rows.one_hot:  # no row has two levels of one
            own = [place for place, column in enumerate(group.columns) if column in columns]
            if 0 < len(own) < len(group.columns):
                points[:, list(group.columns)] = group.with_put(points[:, list(group.columns)], own)
        return points

    def _answers(self, table: object) -> tuple[Floats, Floats]:
        answered = self.study.predict(table)
        decided, own = answered.predicted.astype(np.float64), self.explained.decided
        if self.study._task == "regression":
            return decided, -np.abs(decided - own)
        if answered.scores is not None:
            return decided, answered.scores[:, int(own)]
        if answered.score is not None:
            return decided, answered.score if own == 1 else -answered.score
        return decided, self.explained.agrees(decided).astype(np.float64)


def find_by_model(probability: ModelProbability, options: SearchOptions) -> SufficientSets:
    """Search a row's sufficient sets by what the model decides, of the features that keep its decision best.

    A set is sufficient where its whole interval lies above π: sets are chosen among many because few rows agree, and
    the share alone would promise more than other rows keep.
    """
    projected = probability.forest.projected
    features = choose_features(projected, options)
    if options.features is None:
        features = _best_features(probability, options.n_features)
    if len(features) > MOST_AT_ONCE:  # a set takes as many rows of the model as there are others
        options = replace(options, search="greedy")
    return search_sets(_ModelSearch(probability, options), features, options, projected.n_features)


def _best_features(probability: ModelProbability, n_features: int) -> Features:
    """Add the feature at a time with which the decision is nearest the row's own, a few rows asked."""
    few = probability.thinned(FEWEST_ROWS)
    candidates: list[int] = probability.forest.projected.order()[:MOST_CANDIDATES].tolist()
    chosen: Features = ()
    while len(chosen) < min(n_features, len(candidates)):
        larger = [(*chosen, feature) for feature in candidates if feature not in chosen]
        _, nearness = few.decisions(larger)
        chosen = larger[int(np.argmax(nearness @ few.weight))]
    return chosen


class _ModelSearch(SetSearch):
    """One row's sets and the model's probabilities, each asked for once."""

    def __init__(self, probability: ModelProbability, options: SearchOptions) -> None:
        super().__init__(options)
        self._probability, self._few, self.drops = probability, probability.thinned(FEWEST_ROWS), True

    def ask(self, sets: Sequence[Features], least: float | None) -> Floats:
        values = np.full(len(sets), np.nan)
        some = np.arange(len(sets))
        if least is not None and len(self._few.others) < len(self._probability.others):
            # a few rows tell most sets that come nowhere near
            some = np.flatnonzero([self._few.interval(one)[1] >= least for one in self._few.shares(sets).tolist()])
        values[some] = self._probability.shares([sets[place] for place in some.tolist()])
        return values

    def reaches(self, values: Floats, least: float) -> list[bool]:
        return [value >= 1 - ROUNDING or self._probability.interval(value)[0] >= least for value in values.tolist()]

    def interval(self, one: Features) -> tuple[float, float]:
        return self._probability.interval(self.known[one])


def model_distribution(probability: ModelProbability, features: Features) -> SetDistribution:
    """Return what the model decides with the row's values of a set put into the other rows."""
    row, study = probability.explained, probability.study
    (decided,), _ = probability.decisions([features])
    classes = tuple(labels.names(study.classes)) if study._task != "regression" else ()
    values, of_value = np.unique(decided, return_inverse=True)
    if classes:
        values, of_value = np.arange(len(classes), dtype=np.float64), decided.astype(np.int64)
    return SetDistribution(
        tuple(probability.forest.table.columns[j].name for j in features),
        values,
        sums_by(of_value, probability.weight, len(values)),
        classes,
        row.decided,
        row.low,
        row.high,
        row.t,
        float(min(study.predicted.min(), values.min())),
        float(max(study.predicted.max(), values.max())),
        probability.ess,
    )


MADE_ROWS = 300
"""Rows put together of others' values that a rule is checked at, where few rows of the study lie."""
MOST_CUTS = 32
"""Cuts of a column between which a rule's sides lie."""


def grow_by_model(
    probability: ModelProbability, features: Features, rows: Ints, weight: Floats, *, pi: float
) -> GrownRule:
    """Grow the rule of a row where the model itself keeps the decision with probability π.

    It is asked at rows of the study, and at rows put together of the values of several, since those of a rare decision
    are few and far between.

    Parameters
    ----------
    probability : ModelProbability
    features : tuple of int
        A sufficient set.
    rows : ndarray of int
        Positions of the rows that the rule is grown over.
    weight : ndarray, same length
        What they count.
    pi : float
    """
    table, own, at = probability.forest.table, probability.explained, np.array(features)
    random = np.random.default_rng([probability.seed, len(rows)])
    points = study_points(probability.study, rows)
    asked: Bools = own.agrees(probability.study.predicted[rows].astype(np.float64))
    if len(rows) * FEWEST_ROWS <= MOST_ASKED:
        asked = np.ones(len(rows), dtype=np.bool_)  # of more rows those decided otherwise are left outside
    made = np.repeat(own.point[None], MADE_ROWS, axis=0)
    for feature in features:
        columns = table.sources_of([feature])
        moved = np.flatnonzero(random.random(MADE_ROWS) < 0.5)
        made[np.ix_(moved, columns)] = points[np.ix_(random.integers(len(points), size=len(moved)), columns)]
    sdp = np.zeros(len(rows) + MADE_ROWS)
    sdp[np.append(asked, np.ones(MADE_ROWS, dtype=np.bool_))] = probability.at(
        features, np.concatenate([points[asked], made])
    )
    values = np.concatenate([table.rows[rows][:, at], table.encode(made)[:, at]])
    entries = own.entries[at]
    grid = Grid(tuple(_cuts(*one) for one in zip(values[: len(rows)].T, entries.tolist(), strict=True)))
    of_row = float(probability.shares([features])[0])
    sdp[(grid.cells(values) == grid.cells(entries[None])).all(axis=1)] = of_row  # the row's own values
    least = float(weight[weight > 0].min(initial=1.0)) / (1000 * MADE_ROWS)
    counts = np.concatenate([weight, np.full(MADE_ROWS, least)])
    rule = grow_rule(at, grid, values, entries, sdp, of_row, pi, counts, seed=probability.seed)
    return replace(rule, inside=rule.inside[: len(rows)], row_sdp=sdp[: len(rows)])


def _cuts(values: Floats, own: float) -> Floats:
    """Return cuts half way between distinct values: those beside the row's own, of others at most so many."""
    known = values[~np.isnan(values)]
    distinct = np.unique(known if np.isnan(own) else np.append(known, own))
    cuts = distinct[:-1] + np.diff(distinct) / 2
    if len(cuts) <= MOST_CUTS:
        return cuts
    place = int(np.searchsorted(cuts, own))
    ranks = np.quantile(known, np.arange(1, MOST_CUTS + 1) / (MOST_CUTS + 1))
    kept = np.append(np.searchsorted(cuts, ranks), [place - 1, place])
    return np.unique(cuts[np.clip(kept, 0, len(cuts) - 1)])
