"""The verb `same_decision`: how probable the decision of each of many rows is, given some of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import pandas as pd

from tauscope.results.rules.spec import ForestOptions, RulesSpec
from tauscope.rules.decision import SameDecision
from tauscope.rules.min_rows import MinRows
from tauscope.rules.shared import shared_sdp
from tauscope.rules.sufficient import choose_features
from tauscope.study.rows import choose_rows
from tauscope.study.rules.explained import squared_reach
from tauscope.study.rules.forest import StudyForest, study_forest, training_weight
from tauscope.study.rules.options import check_names, search_options, settle_spec
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def same_decision(
    self: StudyBase, subset: str | int | Sequence[str | int], rows: Any = None, **options: Unpack[ForestOptions]
) -> pd.Series:
    """Say how probable the decision of each row is, given its values of some features alone.

    Parameters
    ----------
    subset : name, position, or sequence of them
        The features whose values are given.
    rows : positions, mask, frame of new rows, or None
        By default all of the study's rows.
    **options
        As in `sufficient`: t, which is a quantile or a number here, groups, min_rows, explained, n_estimators,
        held_out, random_state.

    Returns
    -------
    Series of shape (n_rows,)
        Same-decision probabilities, named "sdp", by the position of the row; of new rows by their place.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `sufficient`, and for no rows.

    Examples
    --------
    >>> forest_study.same_decision(["mean radius"]).head(2).round(2)
    0    0.95
    1    0.04
    Name: sdp, dtype: float64
    """
    check_names(options, "subset", "rows", known=ForestOptions.__optional_keys__)
    probabilities = OwnDecisions.of(self, subset, options)
    chosen, forest = choose_rows(self, rows), probabilities.forest
    if chosen.points is None:
        entries, decided = forest.table.rows[chosen.position], self.predicted[chosen.position]
    else:
        every, points = tuple(range(len(self._columns))), chosen.points
        asked = self._table_rows.substituted(np.zeros(len(points), dtype=np.int64), every, points)
        entries, decided = forest.table.encode(points), self.predict(asked).predicted
    index = chosen.position if chosen.points is None else np.arange(chosen.n)
    return pd.Series(probabilities(entries, decided.astype(np.float64)), index=index, name="sdp")


@dataclass(frozen=True, eq=False)
class OwnDecisions:
    """Probabilities of rows' own decisions given one set of features.

    Attributes
    ----------
    forest : StudyForest
    spec : RulesSpec
        As the study settled it.
    subset : tuple of int
    min_rows : int or "paper"
    weight : ndarray or None
        Of the forest's rows.
    reach : float
        Up to which values count as the same; NaN for classes.
    """

    forest: StudyForest
    spec: RulesSpec
    subset: tuple[int, ...]
    min_rows: MinRows
    weight: Floats | None
    reach: float

    @classmethod
    def of(cls, study: StudyBase, subset: str | int | Sequence[str | int], options: ForestOptions) -> OwnDecisions:
        """Read the options, and find or fit the forest."""
        spec = settle_spec(study, RulesSpec(features=subset, search="greedy", **options))  # no number is too many
        forest, asked = study_forest(study, spec), search_options(study, spec)
        weight, reach = training_weight(study, forest), float(np.sqrt(squared_reach(study, forest, spec)))
        return cls(forest, spec, choose_features(forest.projected, asked), asked.min_rows, weight, reach)

    def __call__(self, entries: Floats, decided: Floats) -> Floats:
        """Return the probabilities of rows as the forest takes them, each of its own decision: shape (n,)."""
        projected = self.forest.projected
        if projected.classes is None:
            same = SameDecision.between(decided - self.reach, decided + self.reach)
            return projected.sdp(entries, [self.subset], same, weight=self.weight, min_rows=self.min_rows)[:, 0]
        labels, label_of = np.unique(decided, return_inverse=True)
        known = projected.classes == labels[:, None]
        codes = np.where(known.any(axis=1), known.argmax(axis=1), -1).astype(np.float64)
        same = SameDecision.of_class(codes)
        sdp = shared_sdp(projected, entries, self.subset, same, weight=self.weight, min_rows=self.min_rows)
        return sdp[np.arange(len(entries)), label_of]
