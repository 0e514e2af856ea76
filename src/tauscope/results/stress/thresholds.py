"""Metrics and cost at every threshold of a score, as tested and under a stress, and the threshold that costs least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import distinct, number, share
from tauscope.results.stress.by_group import Group, labels_of, left_out
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.metrics import Metric
from tauscope.stress.thresholds import COST, Costs
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

BEST_MEANS = (
    "The interval of a best threshold holds every threshold compared that cannot be told from the best; the cost there "
    "is of the rows that it was chosen on, and of others will be higher."
)
SHARED = "The population moves as a whole; each group has its weights, and a best threshold of its own."
SHOWN = 12


class ThresholdsAsked(NamedTuple):
    """What was asked besides the stress, the costs and the metrics.

    Attributes
    ----------
    thresholds : ndarray or None
        None where they were chosen by the scores.
    codes : ndarray of shape (n_rows,) or None
        Each row's place among the groups; None without groups.
    quantile : float
    columns : tuple of str
        Those that tell groups apart where rows come in chunks, in the place of codes.
    """

    thresholds: NDArray[np.float64] | None
    codes: NDArray[np.int32] | None
    quantile: float
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdCurves(Charted):
    """Metrics and cost of the decisions at every threshold of the score.

    Made by `Study.threshold_curves` and `ChunkedStudy.threshold_curves`.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Ascending; a row is decided positive where its score is at least that.
    present : float or None
        Which of them made the predictions of the study; None where no threshold of the score does.
    costs : Costs
    metrics : tuple of Metric
        The cost last, where the truth is known.
    grouped_by : str
        What the groups are told apart by; "" without groups.
    groups : tuple of Group
        With their own effective rows; none without groups.
    reweighting : Reweighting or None
        Weights of the stress; None where nothing is moved.
    population : str
        Which population this is, in words.
    ess : float
        Its effective sample size, in rows.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
    model_name : str
    bounds : tuple of str
        What a threshold that was not compared could cost less, of rows in chunks.
    n_reached : tuple of int
        How many of the thresholds some row of each group reaches, or of all rows; at the others every row is decided
        negative.
    present_above : float or None
        The largest score decided negative, where the threshold of the study is only known to lie between it and
        `present`; else None.

    Examples
    --------
    >>> curves = study.threshold_curves(cost={"fp": 1, "fn": 5})
    >>> curves.present
    0.5
    >>> curves.best["population"].tolist()
    ['the rows as they are']
    """

    thresholds: NDArray[np.float64]
    present: float | None
    costs: Costs
    metrics: tuple[Metric, ...]
    grouped_by: str
    groups: tuple[Group, ...]
    reweighting: Reweighting | None
    population: str
    ess: float
    confidence: float
    n_rows: int
    model_name: str
    _frame: pd.DataFrame
    _best: pd.DataFrame
    _gaps: pd.DataFrame
    _asked: ThresholdsAsked
    bounds: tuple[str, ...] = ()
    n_reached: tuple[int, ...] = ()
    present_above: float | None = None

    @property
    def title(self) -> str:
        """What this is, and of which model."""
        by = f" by {self.grouped_by}" if self.grouped_by else ""
        return f"Thresholds of {self.model_name}{by}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of: the population."""
        return f"{self.title}: {self.population}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a best threshold is, where predictions follow none, and what gaps leave out."""
        labels = {each.name: each.label for each in self.metrics}
        none = "The predictions of this study follow no threshold of its scores."
        return (
            *((none,) if self.present is None else ()),
            *((BEST_MEANS,) if len(self._best) else ("Which threshold costs least needs the truth.",)),
            *((SHARED, *left_out(self._frame, labels)) if self.grouped_by else ()),
            *self.bounds,
        )

    @property
    def _present_words(self) -> str:
        """The threshold of the study in words: "0.5", "between 0.48 and 0.53"; "" where it has none."""
        if self.present is None:
            return ""
        ends = (self.present,) if self.present_above is None else (self.present_above, self.present)
        words = distinct(*ends)
        return words[0] if len(words) == 1 else f"between {words[0]} and {words[1]}"

    @property
    def frame(self) -> pd.DataFrame:
        """One row per group, threshold and metric.

        Columns: group, where there are groups; threshold; metric; before (as tested), value, lower, upper (under the
        stress, with the interval at `confidence`, as of `Reweighting.metrics`); reliability; note.
        """
        return self._frame.copy()

    @property
    def best(self) -> pd.DataFrame:
        """The threshold of least cost, as tested and under the stress; no rows without the truth.

        Columns: group, where there are groups; population; threshold; lower, upper (the ends of the thresholds that
        cannot be told from the best at `confidence`); cost (of a row, on average); present_cost (at the threshold of
        the study, NaN where it has none); note (where the threshold lies above every score, so that no row is decided
        positive).
        """
        return self._best.copy()

    @property
    def gaps(self) -> pd.DataFrame:
        """How far groups decided at the same threshold are apart; no rows without groups.

        Columns: threshold, and those of `MetricsByGroup.gaps`.
        """
        return self._gaps.copy()

    def at(self, threshold: float) -> pd.DataFrame:
        """Return the rows of `frame` of the nearest threshold that was compared.

        Parameters
        ----------
        threshold : float

        Raises
        ------
        InputError
            For a threshold that is no number.
        """
        if not np.isfinite(float(threshold)):
            raise InputError(f"A threshold is a finite number; got {threshold}.")
        nearest = self.thresholds[np.argmin(np.abs(self.thresholds - float(threshold)))]
        rows = np.flatnonzero(self._frame["threshold"] == nearest)
        return self._frame.iloc[rows].reset_index(drop=True)

    def under(self, stress: Any) -> ThresholdCurves:
        """Decide at other thresholds under another stress.

        Parameters
        ----------
        stress : Constraint, Stress, Scenario, Reweighting or None
            As in `Study.threshold_curves`.

        Raises
        ------
        InfeasibleTarget, DependentConstraints, UnknownName, InputError, InputTypeError
            As `Study.threshold_curves`.
        """
        return self._require_source().threshold_curves(stress, **self._options)

    @property
    def _options(self) -> dict[str, Any]:
        """The arguments by which it was computed, besides the stress."""
        return {
            "thresholds": self._asked.thresholds,
            "by": list(self._asked.columns) or labels_of(self._asked.codes, self.groups, self.grouped_by, self.source),
            "quantile": self._asked.quantile,
            "cost": asdict(self.costs),
            "metrics": [metric.name for metric in self.metrics if metric.name != COST],
            "confidence": self.confidence,
        }

    def widget(self, **traits: Any) -> show.ThresholdCurvesView:
        """Make the widget: a slider of the threshold, and what metrics, gaps and cost are at it.

        Parameters
        ----------
        **traits
            First values of `thresholds`, `metric`, `stress`; see `ThresholdCurvesView`.

        Returns
        -------
        ThresholdCurvesView
        """
        return show.view(self, **traits)

    def chart(self, metrics: str | Sequence[str] | None = None) -> alt.ConcatChart:
        """Draw every metric over the thresholds, as an Altair chart to restyle or save.

        Parameters
        ----------
        metrics : str or several, optional
            By default all.

        Returns
        -------
        altair.ConcatChart
            A panel for each metric, data inline.

        Raises
        ------
        UnknownName
            For a metric that is not there, with the nearest names.
        InputError
            For none.
        """
        return show.draw(self, metrics)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.threshold_curves",
            "version": 1,
            "model": self.model_name,
            "by": self.grouped_by,
            "population": self.population,
            "confidence": self.confidence,
            "n_rows": self.n_rows,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "present": self.present,
            "costs": asdict(self.costs),
            "best": finite_records(self._best),
            "gaps": finite_records(self._gaps),
            "records": finite_records(self._frame),
        }

    def __repr__(self) -> str:
        head = f"{self._caption}, {count(len(self.thresholds), 'threshold')}"
        lines = [_best_words(row, self.confidence) for row in records(self._best)[:SHOWN]]
        now = self.present
        at = [] if now is None else [f"now {self._present_words}: {words}" for words in self._words_at(now)[:SHOWN]]
        return "\n".join([head, *(f"  {line}" for line in (*at, *lines, *self.notes))])

    def _words_at(self, threshold: float) -> list[str]:
        """Say every metric at a threshold, of each group."""
        kinds = {metric.name: metric.kind for metric in self.metrics}
        rows, n = records(self.at(threshold)), len(self.metrics)
        return [self._group_words(rows[start : start + n], kinds) for start in range(0, len(rows), n)]

    def _group_words(self, rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, str]) -> str:
        write = {name: share if kind == "share" else number for name, kind in kinds.items()}
        said = ", ".join(f"{row['metric']} {write[row['metric']](row['value'])}" for row in rows)
        return f"{rows[0]['group']}: {said}" if self.grouped_by else said


def _best_words(row: Mapping[str, Any], confidence: float) -> str:
    who = f"{row['group']}, " if "group" in row else ""
    ends = f"{number(row['lower'])} to {number(row['upper'])}, {100 * confidence:g} %"
    at = ", ".join([number(row["threshold"]), *([row["note"]] if row["note"] else [])])
    return f"{who}{row['population']}: best at {at} ({ends}), cost {number(row['cost'])} a row"
