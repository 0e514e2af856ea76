"""Populations with names side by side: every metric as tested and under each scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import aligned, number, share
from tauscope.results.reliability import level_of
from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.results.stress.numbers.reweight_tables import metric_table
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import Level
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

AS_TESTED = "as tested"
ALONE = "Intervals are those of each population by itself, not of differences between them."
FRAME = ("scenario", "metric", "before", "value", "lower", "upper", "reliability", "note", "ess")
CELL = ("value", "lower", "upper", "reliability", "note")


@dataclass(frozen=True)
class ScenarioPopulation:
    """What a scenario makes of the rows.

    Attributes
    ----------
    words : str
        What moved: "age 45.0 on average (was 38.6); effective sample 4,210 of 6,400".
    ess : float
        Effective sample size (Σw)²/Σw², rows.
    tv, kl, pareto_k : float
        As in `Reweighting`.
    caveats : tuple of str
        What of the weights speaks against any number computed with them.
    level : {"reliable", "wide", "unreliable"}
        How far any number of this population can be relied on at most.
    doubt : str
        Why no further; "" where it is reliable.
    """

    words: str
    ess: float
    tv: float
    kl: float
    pareto_k: float
    caveats: tuple[str, ...]
    level: Level = "reliable"
    doubt: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class ScenarioComparison(Charted):
    """Every metric as tested and under several scenarios.

    Made by `Study.compare_scenarios`.

    Attributes
    ----------
    scenarios : tuple of Scenario
    populations : tuple of ScenarioPopulation
        One for each scenario.
    metrics : tuple of Metric
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
    model_name : str

    Examples
    --------
    >>> small, large = ts.Scenario("small", {"mean radius": -0.2}), ts.Scenario("large", {"mean radius": 0.2})
    >>> compared = study.compare_scenarios([small, large], metrics="error_rate")
    >>> compared.frame["scenario"].tolist()
    ['as tested', 'small', 'large']
    """

    scenarios: tuple[Scenario, ...]
    populations: tuple[ScenarioPopulation, ...]
    metrics: tuple[Metric, ...]
    quantile: float
    confidence: float
    n_rows: int
    model_name: str
    _frame: pd.DataFrame

    @property
    def title(self) -> str:
        """Which model: "Scenarios of LogisticRegression"."""
        return f"Scenarios of {self.model_name}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        names = ", ".join(scenario.name for scenario in self.scenarios)
        return f"{self.title}: {names}; {count(self.n_rows, 'row')}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What each scenario moves, what speaks against it, and what the intervals are."""
        return (*self._said, ALONE)

    @property
    def _said(self) -> tuple[str, ...]:
        pairs = zip(self.scenarios, self.populations, strict=True)
        return tuple(f"{one.name}: {words}" for one, found in pairs for words in (found.words, *found.caveats))

    @property
    def frame(self) -> pd.DataFrame:
        """One row per population and metric, that as tested first.

        Columns: scenario ("as tested", then the names); metric; before (as tested); value; lower, upper (interval at
        `confidence`); reliability, note, as in `Reweighting.metrics`; ess (effective rows of the population).
        """
        return self._frame.copy()

    @property
    def table(self) -> pd.DataFrame:
        """One row per metric; for each population, "as tested" and then each scenario, a value with its interval.

        Columns of two levels: the population, and value, lower, upper, reliability.
        """
        parts = {
            name: part.set_index("metric")[list(CELL)] for name, part in self._frame.groupby("scenario", sort=False)
        }
        return pd.concat(parts, axis=1)

    def chart(self, metrics: str | Sequence[str] | None = None) -> alt.ConcatChart:
        """Draw each metric as tested and under each scenario with its interval, as an Altair chart to restyle or save.

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
        pairs = zip(self.scenarios, self.populations, strict=True)
        return {
            "schema": "tauscope.scenario_comparison",
            "version": 1,
            "model": self.model_name,
            "quantile": self.quantile,
            "confidence": self.confidence,
            "n_rows": self.n_rows,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "scenarios": [{"name": one.name, **one.stress, **asdict(found)} for one, found in pairs],
            "records": finite_records(self._frame),
        }

    def __repr__(self) -> str:
        names = [AS_TESTED, *(scenario.name for scenario in self.scenarios)]
        cells = [("metric", *names)]
        rows = records(self._frame)
        for metric in self.metrics:
            write = share if metric.kind == "share" else number
            mine = [row for row in rows if row["metric"] == metric.name]
            cells.append((metric.name, *(_cell(row, write) for row in mine)))
        first = [row["ess"] for row in rows if row["metric"] == self.metrics[0].name]
        cells.append(("effective rows", *(f"{ess:,.0f}" for ess in first)))
        lines = aligned(cells)
        return "\n".join([self._caption, *(f"  {line}" for line in (*lines, *self.notes))])


def scenario_population(solved: Reweighting) -> ScenarioPopulation:
    """Return what a scenario made of the rows."""
    judged = solved._judged
    return ScenarioPopulation(
        words=solved.population,
        ess=solved.ess,
        tv=solved.tv,
        kl=solved.kl,
        pareto_k=solved.pareto_k,
        caveats=(*solved._caveats, *solved.notes),
        level=level_of(judged.reason),
        doubt=judged.words,
    )


def comparison_frame(
    metrics: Sequence[Metric],
    as_tested: Sequence[MetricEstimate],
    n_effective: float,
    solved: Sequence[tuple[Scenario, Reweighting]],
) -> pd.DataFrame:
    """Return the numbers of `ScenarioComparison.frame`.

    Parameters
    ----------
    metrics : sequence of Metric
    as_tested : sequence of MetricEstimate
    n_effective : float
        Effective rows as tested.
    solved : sequence of (Scenario, Reweighting)
    """
    first = metric_table(metrics, [one.value for one in as_tested], as_tested)
    parts = [first.assign(scenario=AS_TESTED, ess=n_effective)]
    parts += [found.metrics.assign(scenario=one.name, ess=found.ess) for one, found in solved]
    return pd.concat(parts, ignore_index=True)[list(FRAME)]


def _cell(row: dict[str, Any], write: Any) -> str:
    doubt = "" if row["reliability"] == "reliable" else f", {row['reliability']}"
    return f"{write(row['value'])} ({write(row['lower'])} … {write(row['upper'])}){doubt}"
