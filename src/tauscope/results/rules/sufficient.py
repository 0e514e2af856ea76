"""Which few values suffice for a decision: minimal sets of features, and how often each feature is in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.rules.text import INTERVAL, forest_sentence, status_sentence, sufficient_summary

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.rules.columns import RuleColumn
    from tauscope.results.rules.spec import ForestInfo, RulesSpec
    from tauscope.results.rules.sufficient_under import SufficientUnder
    from tauscope.weights.arrays import Floats

Status = Literal["sufficient", "none reaches π"]


@dataclass(frozen=True, eq=False)
class SubsetNumbers:
    """What is known of the subsets that were looked at, those of one size together, best first.

    Attributes
    ----------
    subsets : tuple of tuple of int
        Positions of features, ascending.
    sdp, lower, upper : ndarray of shape (m,)
        Same-decision probability and its interval.
    """

    subsets: tuple[tuple[int, ...], ...]
    sdp: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True, repr=False, eq=False)
class SufficientExplanation(Charted):
    """The smallest sets of features whose values leave the decision probable enough.

    Made by `Study.sufficient`.

    Attributes
    ----------
    model_name : str
    row : int or None
        Position among the study's rows; None for new values.
    all_sets : tuple of tuple of int
        Every inclusion-minimal sufficient set, positions ascending.
    greedy : bool
        Whether sets were grown one feature at a time, so that a smaller one may have been missed.

    Examples
    --------
    >>> forest_study.sufficient(0).frame.columns.tolist()[:3]
    ['features', 'size', 'sdp']
    """

    _spec: RulesSpec
    """The options it was searched with."""

    model_name: str
    row: int | None
    _answer: str
    """What is decided: "predicted >50K", "predicted 12.1 to 14.5"."""

    _columns: tuple[RuleColumn, ...]
    _entries: Floats
    """The row, as the forest holds it."""

    _candidates: tuple[int, ...]
    """Positions of the features that were searched, the most important first."""

    all_sets: tuple[tuple[int, ...], ...]
    _numbers: SubsetNumbers
    _forest: ForestInfo
    greedy: bool = False
    _extra_notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Name the explanation: "Sufficient values of row 17"."""
        return "Sufficient values of the row given" if self.row is None else f"Sufficient values of row {self.row}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.model_name}"

    @property
    def status(self) -> Status:
        """Whether any set reaches π."""
        return "sufficient" if self.all_sets else "none reaches π"

    @property
    def message(self) -> str:
        """What the status means."""
        return status_sentence(self)

    @property
    def minimal(self) -> list[tuple[str, ...]]:
        """The smallest sufficient sets, the most probable first; empty where none reaches π."""
        return [self._names(subset) for subset in self.minimal_sets]

    @property
    def minimal_sets(self) -> tuple[tuple[int, ...], ...]:
        """The same, as positions of features."""
        least = min((len(subset) for subset in self.all_sets), default=0)
        return tuple(subset for subset in self.all_sets if len(subset) == least)

    @property
    def all(self) -> list[tuple[str, ...]]:
        """Every sufficient set none of whose features can be left out."""
        return [self._names(subset) for subset in self.all_sets]

    @property
    def best(self) -> tuple[str, ...]:
        """The first minimal set; where none reaches π, the one that comes nearest."""
        return self._names(self.best_set)

    @property
    def best_set(self) -> tuple[int, ...]:
        """The same, as positions of features."""
        return self._numbers.subsets[self._best]

    @property
    def sdp(self) -> float:
        """Same-decision probability of `best`."""
        return float(self._numbers.sdp[self._best])

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of `sdp`."""
        return float(self._numbers.lower[self._best]), float(self._numbers.upper[self._best])

    @property
    def _best(self) -> int:
        if self.all_sets:
            return self._numbers.subsets.index(self.minimal_sets[0])
        return int(np.argmax(self._numbers.sdp))

    @property
    def importance(self) -> pd.Series:
        """Share of the sufficient sets that each feature is in, by name; NaN where there are none."""
        n = len(self.all_sets)
        share = [sum(j in subset for subset in self.all_sets) / n if n else np.nan for j in self._candidates]
        names = [self._columns[j].name for j in self._candidates]
        return pd.Series(share, index=names, name="importance").sort_values(ascending=False, kind="stable")

    @property
    def frame(self) -> pd.DataFrame:
        """One line per subset looked at: features, size, sdp, lower, upper, sufficient, minimal."""
        numbers = self._numbers
        return pd.DataFrame(
            {
                "features": [self._names(subset) for subset in numbers.subsets],
                "size": [len(subset) for subset in numbers.subsets],
                "sdp": numbers.sdp,
                "lower": numbers.lower,
                "upper": numbers.upper,
                "sufficient": numbers.sdp >= self._spec.pi,
                "minimal": [subset in self.all_sets for subset in numbers.subsets],
            }
        )

    @property
    def values(self) -> pd.Series:
        """The row's values, by feature."""
        names = [column.name for column in self._columns]
        entries = [column.value(entry) for column, entry in zip(self._columns, self._entries, strict=True)]
        return pd.Series(entries, index=names, dtype=object)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        return (*self._extra_notes, forest_sentence(self._forest, self.model_name), INTERVAL)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds."""
        return {
            "schema": "tauscope.sufficient",
            "version": 1,
            "model": self.model_name,
            "row": self.row,
            "answer": self._answer,
            "pi": self._spec.pi,
            "status": self.status,
            "subsets": records(self.frame),
            "notes": list(self.notes),
        }

    def under(self, stress: Any, *, quantile: float = 0.05) -> SufficientUnder:
        """Return what becomes of these sets when rows count as a stress has them.

        Parameters
        ----------
        stress : Constraint, Stress, Scenario or Reweighting
        quantile : float, default 0.05
            As in `Study.under`.

        Returns
        -------
        SufficientUnder
            The probability of each minimal set before and after, and which still reach π; of the best set where none
            did.

        Raises
        ------
        InputError
            As `Study.under`; and for an explanation that stands alone, without a study, or is of new values.
        """
        return self._require_source()._sufficient_under(self, stress, quantile=quantile)

    def chart(self) -> alt.Chart:
        """Draw the subsets by size with their same-decision probability, and the line of π.

        Returns
        -------
        altair.Chart
        """
        return show.draw(self)

    def __repr__(self) -> str:
        return sufficient_summary(self)

    def _names(self, subset: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self._columns[j].name for j in subset)
