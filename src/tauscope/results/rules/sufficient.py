"""Which few values suffice for a decision: minimal sets of features, and how often each feature is in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Charted, ChartedParts, finite_records, records
from tauscope.results.rules.text import (
    INTERVAL,
    agreement_sentence,
    forest_sentence,
    status_sentence,
    substituted_sentence,
    sufficient_rows_summary,
    sufficient_summary,
)
from tauscope.rules.agreement import mean_share
from tauscope.words import count

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
    stand_in : str
        What the forest that stands in for the model answers for this row, where that is another decision; else "".
    n_substituted : int
        Rows that the values were put into to ask the model itself; 0 where probabilities are the projected forest's.
    n_model_rows : int
        Rows the model was asked about.

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
    stand_in: str = ""
    n_substituted: int = 0
    n_model_rows: int = 0

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
        """Share of the sufficient sets (A-SE) that each feature is in, by name; NaN where there are none."""
        return self._importance_in(self.all_sets)

    @property
    def minimal_importance(self) -> pd.Series:
        """Share of the smallest sufficient sets (M-SE) that each feature is in, by name; NaN where there are none."""
        return self._importance_in(self.minimal_sets)

    def _importance_in(self, sets: tuple[tuple[int, ...], ...]) -> pd.Series:
        share = [np.mean([j in subset for subset in sets]) if sets else np.nan for j in self._candidates]
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
                "sufficient": [any(set(one) <= set(subset) for one in self.all_sets) for subset in numbers.subsets]
                if self.n_substituted
                else numbers.sdp >= self._spec.pi,
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
        if self.n_substituted:
            return (*self._extra_notes, substituted_sentence(self), agreement_sentence(self._forest))
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


@dataclass(frozen=True, repr=False, eq=False)
class SufficientExplanations(ChartedParts[SufficientExplanation]):
    """The sufficient sets of several rows, and how important each feature is over them.

    A sequence of `SufficientExplanation`, one a row. Made by `Study.sufficient`.

    Attributes
    ----------
    model_name : str
    explanations : tuple of SufficientExplanation
    weight : ndarray of shape (n_rows,)
        What each row counts: its weight in the study, 1 for new values.

    Examples
    --------
    >>> found = forest_study.sufficient(range(3))
    >>> found.frame["size"].tolist()
    [1, 1, 2]
    """

    _spec: RulesSpec
    """The options they were searched with."""

    model_name: str
    explanations: tuple[SufficientExplanation, ...]
    weight: Floats

    @property
    def title(self) -> str:
        """Name them: "Sufficient values of 60 rows"."""
        return f"Sufficient values of {count(len(self), 'row')}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.model_name}"

    @property
    def n_explained(self) -> int:
        """Rows some set of which reaches π."""
        return sum(bool(one.all_sets) for one in self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know: that of any row, once."""
        return tuple(dict.fromkeys([note for one in self for note in one.notes]))

    @property
    def frame(self) -> pd.DataFrame:
        """One line per row: row, answer, status, features, size, sdp, lower, upper, n_sets.

        Features and what follows are of the first minimal set; where none reaches π, of the one that comes nearest.
        `row` is a position, −1 for new values; `n_sets` counts the sets none of whose features can be left out.
        """
        return pd.DataFrame(
            [
                {
                    "row": -1 if one.row is None else one.row,
                    "answer": one._answer,
                    "status": one.status,
                    "features": one.best,
                    "size": len(one.best),
                    "sdp": one.sdp,
                    "lower": one.interval[0],
                    "upper": one.interval[1],
                    "n_sets": len(one.all_sets),
                }
                for one in self
            ]
        )

    @property
    def importance(self) -> pd.DataFrame:
        """Mean local importance over all sufficient sets (A-SE), one line per feature: importance, lower, upper.

        Over the rows that have a sufficient set, each by its weight. The intervals are for the chance in drawing rows,
        95 %, Student's t at their effective number; NaN where fewer than two rows have one.
        """
        return self._mean_importance([one.importance for one in self])

    @property
    def minimal_importance(self) -> pd.DataFrame:
        """The same over the smallest sets of each row (M-SE)."""
        return self._mean_importance([one.minimal_importance for one in self])

    def _mean_importance(self, local: list[pd.Series]) -> pd.DataFrame:
        names = list(dict.fromkeys(name for one in local for name in one.index))
        values = pd.DataFrame([one.reindex(names, fill_value=0.0) for one in local]).to_numpy()
        known = np.array([bool(one.all_sets) for one in self]) & (self.weight > 0)
        numbers = np.full((len(names), 3), np.nan)
        if known.any():
            numbers = np.array([mean_share(column, self.weight[known]) for column in values[known].T])
        frame = pd.DataFrame(numbers, index=pd.Index(names, name="feature"), columns=["importance", "lower", "upper"])
        return frame.sort_values("importance", ascending=False, kind="stable")

    def _document(self) -> dict[str, Any]:
        """Return what .json holds."""
        return {
            "schema": "tauscope.sufficient_rows",
            "version": 1,
            "model": self.model_name,
            "pi": self._spec.pi,
            "rows": records(self.frame),
            "importance": finite_records(self.importance.reset_index()),
            "notes": list(self.notes),
        }

    def chart(self, sets: Literal["all", "minimal"] = "all") -> alt.LayerChart:
        """Draw the mean importance of each feature with its interval.

        Parameters
        ----------
        sets : {"all", "minimal"}, default "all"
            Over all sufficient sets of a row, or the smallest.

        Returns
        -------
        altair.LayerChart

        Raises
        ------
        InputError
            For other sets.
        """
        return show.draw(self, name="draw_rows", sets=sets)

    @property
    def _parts(self) -> tuple[SufficientExplanation, ...]:
        return self.explanations

    def __repr__(self) -> str:
        return sufficient_rows_summary(self)
