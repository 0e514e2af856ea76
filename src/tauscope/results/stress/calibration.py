"""Calibration of predicted probabilities, as tested and under a stress: a reliability diagram and its measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import aligned, number, points, share, signed
from tauscope.results.stress.by_group import Group, labels_of, left_out
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.calibration.calibration import ECE

if TYPE_CHECKING:
    import altair as alt

Strategy = Literal["quantile", "uniform"]

IN_THE_LARGE, INTERCEPT, SLOPE = "calibration_in_the_large", "calibration_intercept", "calibration_slope"
FITTED = (IN_THE_LARGE, INTERCEPT, SLOPE)
MEASURES = (*FITTED, ECE)
LABELS = {
    IN_THE_LARGE: "mean score less share of positives",
    INTERCEPT: "intercept, slope held at 1",
    SLOPE: "slope",
    ECE: "expected calibration error",
}
OF_ERROR = (
    "An expected calibration error is above 0 by chance alone: of a calibrated model these rows would show "
    "`if_calibrated` on average. Its interval allows for that, and is of these bins; what a stress changes in it is "
    "not estimated."
)
SHARED = "The population moves as a whole; each group has its weights, and the bins are those of all rows."
PARTED = "No slope fits where no two rows of different classes have scores in each other's order."
POPULATIONS = ("as tested", "under the stress")
"""Short words for the first and the second population."""
SHOWN = 40


class CalibrationAsked(NamedTuple):
    """What was asked besides the stress.

    Attributes
    ----------
    n_bins : int
    code : int
        Place of the class among those of the study.
    codes : ndarray of shape (n_rows,) or None
        Each row's place among the groups; None without groups.
    quantile : float
    columns : tuple of str
        Those that tell groups apart where rows come in chunks, in the place of codes.
    """

    n_bins: int
    code: int
    codes: NDArray[np.int32] | None
    quantile: float
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False, eq=False)
class Calibration(Charted):
    """How predicted probabilities agree with what was true, as tested and under a stress.

    Made by `Study.calibration` and `ChunkedStudy.calibration`.

    Attributes
    ----------
    target_class : str
        The class whose probability it is, by name.
    edges : ndarray of shape (n_bins + 1,)
        Of the bins, ascending; a bin has its right edge.
    strategy : {"quantile", "uniform"}
        How they were cut.
    grouped_by : str
        What the groups are told apart by; "" without groups.
    groups : tuple of Group
        With their own effective rows in the last population; none without groups.
    populations : tuple of str
        In words: the rows as they are, then the population under the stress, where there is one.
    reweighting : Reweighting or None
        Weights of the stress; None where nothing is moved.
    ess : float
        Effective sample size of the last population, in rows.
    n_extreme : int
        Probabilities of exactly 0 or 1.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
    model_name : str
    bounds : tuple of str
        How far parts of the Brier score can be off, of rows in chunks.

    Examples
    --------
    >>> calibration = study.calibration(n_bins=5)
    >>> calibration.summary["measure"].tolist()
    ['calibration_in_the_large', 'calibration_intercept', 'calibration_slope', 'expected_calibration_error']
    >>> len(calibration.frame)
    5
    """

    target_class: str
    edges: NDArray[np.float64]
    strategy: Strategy
    grouped_by: str
    groups: tuple[Group, ...]
    populations: tuple[str, ...]
    reweighting: Reweighting | None
    ess: float
    n_extreme: int
    confidence: float
    n_rows: int
    model_name: str
    _frame: pd.DataFrame
    _summary: pd.DataFrame
    _changes: pd.DataFrame
    _gaps: pd.DataFrame
    _decomposition: pd.DataFrame
    _scores: pd.DataFrame
    _asked: CalibrationAsked
    bounds: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What this is, and of which model."""
        by = f" by {self.grouped_by}" if self.grouped_by else ""
        return f"Calibration of {self.model_name}, probability of {self.target_class}{by}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of: the population."""
        return f"{self.title}: {self.populations[-1]}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What chance does to the expected calibration error, and what there is to know of scores and groups."""
        clipped = f"{self.n_extreme:,} scores of 0 or 1 count as half way to the nearest other one in the fits."
        labels = {name: LABELS[name] for name in FITTED}
        last = self._summary[self._summary["population"] == self.populations[-1]]
        slopes = self._summary.loc[self._summary["measure"] == SLOPE, "value"]
        return (
            OF_ERROR,
            *((clipped,) if self.n_extreme else ()),
            *((PARTED,) if slopes.isna().any() else ()),
            *((SHARED, *left_out(last.rename(columns={"measure": "metric"}), labels)) if self.grouped_by else ()),
            *self.bounds,
        )

    @property
    def frame(self) -> pd.DataFrame:
        """The reliability diagram, one row per group, population and bin that has rows.

        Columns: group, where there are groups; population; bin; left, right (its edges); predicted (weighted mean of
        the probability); observed (weighted share of the class), lower, upper (its interval at `confidence`, Clopper
        and Pearson's at the effective size as of any rate, see `Reweighting.metrics`); n_rows; ess (effective rows);
        share (of the weight); reliability; note.
        """
        return self._frame.copy()

    @property
    def summary(self) -> pd.DataFrame:
        """The measures, one row per group, population and measure.

        Columns: group, where there are groups; population; measure; value; lower, upper (interval at `confidence`);
        if_calibrated (what a calibrated model has: 0, 0, 1, and of the expected calibration error what chance makes of
        it on these rows); reliability; note. The measures: "calibration_in_the_large", the mean probability less the
        share of the class; "calibration_intercept", in log odds with the slope held at 1; "calibration_slope", of the
        truth on the log odds, below 1 where probabilities are too far apart; "expected_calibration_error", the mean
        size of predicted less observed over the bins.
        """
        return self._summary.copy()

    @property
    def changes(self) -> pd.DataFrame:
        """What the stress changes, with the interval of the difference itself; no rows without a stress.

        Columns: group, where there are groups; measure; change (under the stress less as tested); lower, upper. The
        expected calibration error has no such interval, as its error is not one of a mean, and is left out.
        """
        return self._changes.copy()

    @property
    def gaps(self) -> pd.DataFrame:
        """How far groups are apart in each measure but the last; no rows without groups.

        Columns as of `MetricsByGroup.gaps`, under the stress.
        """
        return self._gaps.copy()

    @property
    def decomposition(self) -> pd.DataFrame:
        """What the Brier score is made of, without bins: miscalibration - discrimination + uncertainty.

        Columns: group, where there are groups; population; brier_score; miscalibration (what recalibrating the scores
        by a rising function would gain); discrimination; uncertainty. They have no intervals: the function is fitted
        to the same rows, which adds to miscalibration and to discrimination alike.

        References
        ----------
        Dimitriadis, Gneiting, Jordan, "Stable reliability diagrams for probabilistic classifiers", PNAS 118, 2021.
        """
        return self._decomposition.copy()

    @property
    def scores(self) -> pd.DataFrame:
        """A histogram of the probabilities, 20 bins of one width, for each group and population.

        Columns: group, where there are groups; population; left, right; share (of the weight).
        """
        return self._scores.copy()

    def under(self, stress: Any) -> Calibration:
        """Compare again under another stress.

        Parameters
        ----------
        stress : Constraint, Stress, Scenario, Reweighting or None
            As in `Study.calibration`.

        Raises
        ------
        InfeasibleTarget, DependentConstraints, UnknownName, InputError, InputTypeError
            As `Study.calibration`.
        """
        return self._require_source().calibration(stress, **self._options)

    @property
    def _options(self) -> dict[str, Any]:
        """The arguments by which it was computed, besides the stress."""
        source, asked = self._require_source(), self._asked
        return {
            "n_bins": asked.n_bins,
            "strategy": self.strategy,
            "by": list(asked.columns) or labels_of(asked.codes, self.groups, self.grouped_by, source),
            "target_class": source.classes[asked.code],
            "quantile": asked.quantile,
            "confidence": self.confidence,
        }

    def widget(self, **traits: Any) -> show.CalibrationView:
        """Make the widget: the reliability diagram and every measure, as tested and under the stress.

        Parameters
        ----------
        **traits
            First values of `group`, `stress`; see `CalibrationView`.

        Returns
        -------
        CalibrationView
        """
        return show.view(self, **traits)

    def chart(self) -> alt.VConcatChart:
        """Draw the reliability diagram over a histogram of the probabilities, as an Altair chart to restyle or save.

        Returns
        -------
        altair.VConcatChart
            Data inline. Of groups a line each, under the stress.
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.calibration",
            "version": 1,
            "model": self.model_name,
            "target_class": self.target_class,
            "by": self.grouped_by,
            "populations": list(self.populations),
            "strategy": self.strategy,
            "edges": self.edges.tolist(),
            "confidence": self.confidence,
            "n_rows": self.n_rows,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "summary": finite_records(self._summary),
            "changes": finite_records(self._changes),
            "gaps": finite_records(self._gaps),
            "decomposition": finite_records(self._decomposition),
            "scores": finite_records(self._scores),
            "records": finite_records(self._frame),
        }

    def __repr__(self) -> str:
        level = f"{100 * self.confidence:g} %"
        head = ("group",) if self.grouped_by else ()
        short = dict(zip(self.populations, POPULATIONS, strict=False))
        measures = [(*head, "measure", "", "value", level, "if calibrated", "")]
        measures += [_measure_cells(row, short[row["population"]]) for row in records(self._summary)[:SHOWN]]
        bins = [(*head, "scores", "", "predicted", "observed", level, "rows", "")]
        bins += [_bin_cells(row, short[row["population"]]) for row in records(self._frame)[:SHOWN]]
        more = len(self._frame) - SHOWN
        lines = [*aligned(measures), "", *aligned(bins), *([f"and {more:,} more in .frame"] if more > 0 else []), ""]
        lines += [_change_words(row, level) for row in records(self._changes)[:SHOWN]]
        moved = [f"{POPULATIONS[1]}: {self.populations[1]}"] if len(self.populations) > 1 else []
        return "\n".join([self.title, *(f"  {line}".rstrip() for line in (*moved, *lines, *self.notes))])


def write_measure(measure: str, value: float) -> str:
    """Write a measure's value in its unit."""
    if measure == IN_THE_LARGE:
        return signed(points(value))
    return share(value) if measure == ECE else number(value)


def _measure_cells(row: Mapping[str, Any], population: str) -> tuple[str, ...]:
    def write(name: str) -> str:
        return write_measure(row["measure"], row[name])

    return (
        *((str(row["group"]),) if "group" in row else ()),
        LABELS[row["measure"]],
        population,
        write("value"),
        f"{write('lower')} … {write('upper')}",
        write("if_calibrated"),
        str(row["reliability"]),
    )


def _bin_cells(row: Mapping[str, Any], population: str) -> tuple[str, ...]:
    return (
        *((str(row["group"]),) if "group" in row else ()),
        f"{share(row['left'])} … {share(row['right'])}",
        population,
        share(row["predicted"]),
        share(row["observed"]),
        f"{share(row['lower'])} … {share(row['upper'])}",
        f"{row['ess']:,.0f} of {row['n_rows']:,}",
        str(row["reliability"]),
    )


def _change_words(row: Mapping[str, Any], level: str) -> str:
    who = f"{row['group']}: " if "group" in row else ""
    write = points if row["measure"] == IN_THE_LARGE else number
    change, lower, upper = (signed(write(row[name])) for name in ("change", "lower", "upper"))
    return f"{who}{LABELS[row['measure']]} changed by {change} ({lower} … {upper}, {level})"
