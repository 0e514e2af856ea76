"""Two models on the same rows: every metric of each, and their paired difference, as tested and under a stress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from tauscope.data.columns import name_of
from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import aligned, number, points, share
from tauscope.results.reliability import level_of
from tauscope.results.stress.harm import worse_side
from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.results.stress.numbers.taus import tau_grid
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.scenarios import AS_TESTED, ScenarioPopulation
from tauscope.stress.joint.paired import Difference
from tauscope.stress.metrics import Metric, SummedMetric
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import LEVEL_OF, LEVELS, REASONS, Level
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.stress.columns import StressColumns

UNDER = "under the stress"
MIN_DIFFERING = 10
"""Effective rows that two models count differently, below which a difference is read by its interval."""
OF_EVENTS = ("few_events", "few_non_events")
PAIRED = (
    "Differences, the second model less the first, are of the same rows: rows on which both err alike say nothing of "
    "them, so their intervals are narrower than those of the models suggest."
)
FRAME = (
    "population", "metric", "first", "first_lower", "first_upper", "second", "second_lower", "second_upper",
    "difference", "lower", "upper", "better", "n_differing", "reliability", "note", "ess",
)  # fmt: skip


def metrics_of_one(names: tuple[str, str], models: Sequence[Mapping[str, SummedMetric]]) -> tuple[tuple[str, str], ...]:
    """Return the labels of metrics that one model has and the other has not, each with the model's name."""
    return tuple(
        (metric.in_words().label, name)
        for name, own, other in zip(names, models, reversed(models), strict=True)
        for key, metric in own.items()
        if key not in other
    )


class PairedMetrics(NamedTuple):
    """The metrics of two models in one population, and second minus first of each."""

    first: tuple[MetricEstimate, ...]
    second: tuple[MetricEstimate, ...]
    differences: list[Difference]


@dataclass(frozen=True, repr=False, eq=False)
class ModelComparison(Charted):
    """Every metric of two models on the same rows, and their paired difference.

    Made by `tauscope.compare`.

    Attributes
    ----------
    names : (str, str)
        What the two models are called.
    population : ScenarioPopulation or None
        What the stress makes of the rows; None where there is none.
    metrics : tuple of Metric
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
    left_out : tuple of (str, str)
        Metrics that one of the models has and the other has not, and which has.

    Examples
    --------
    >>> other = ts.Study(forest, X_test, y_test)
    >>> compared = ts.compare(study, other, ts.Mean("mean radius", shift=1), metrics="error_rate")
    >>> compared.frame["population"].tolist()
    ['as tested', 'under the stress']
    """

    names: tuple[str, str]
    population: ScenarioPopulation | None
    metrics: tuple[Metric, ...]
    quantile: float
    confidence: float
    n_rows: int
    _outcomes: tuple[Outcomes, Outcomes]
    """What each model answered, and what was true; of no rows where they came in chunks."""

    _frame: pd.DataFrame
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """Which models: "RandomForestClassifier against LogisticRegression"."""
        return f"{self.names[1]} against {self.names[0]}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        return f"{self.title}: {count(self.n_rows, 'row')}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the stress moves, what speaks against it, which metrics are left out, and what the intervals are."""
        there = self.population
        alone = [
            f"Left out, as only {name} has {'it' if len(labels) == 1 else 'them'}: {', '.join(labels)}."
            for name in self.names
            if (labels := [label for label, of in self.left_out if of == name])
        ]
        return (*((there.words, *there.caveats) if there else ()), *alone, PAIRED)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per population and metric.

        Columns: population ("as tested", "under the stress"); metric; first, second with first_lower, first_upper,
        second_lower, second_upper (each model's value and its own interval); difference, second minus first, with
        lower, upper; better (the model whose metric is better with the whole interval of the difference, else "";
        always "" where neither side is worse); n_differing (effective rows that a rate counts differently for the two
        models; of other metrics, all effective rows); reliability, note (of the difference); ess (effective rows of the
        population). Intervals are at `confidence`.
        """
        return self._frame.copy()

    def under(self, stress: Any) -> ModelComparison:
        """Compare the same models under another stress.

        Parameters
        ----------
        stress : Constraint, Stress, Scenario, Reweighting or None
            As in `tauscope.compare`.

        Raises
        ------
        InfeasibleTarget, DependentConstraints, UnknownName, InputError, InputTypeError
            As `tauscope.compare`.
        """
        tested = self._frame[self._frame["population"] == AS_TESTED]
        return self._require_source()._compare_outcomes(
            self._outcomes, self.names, stress, **self._options, tested=tested
        )

    def along(self, feature: str | int, taus: int | Sequence[float] = 21) -> pd.DataFrame:
        """Compare the same models along τ of one feature: where the better one changes.

        Parameters
        ----------
        feature : str or int
            A feature of the first study, "age" or "sex = Female", or a column by position.
        taus : int or sequence of float, default 21
            As in `Study.stress_curves`; 0, the rows as tested, is among them.

        Returns
        -------
        DataFrame
            One row per τ and metric: tau; target (mean of the feature, its own unit); then the columns of `frame` but
            the population, with the numbers of a `Scenario` of that τ. `better` goes from one name to the other where
            the better one changes, and is "" where the interval of the difference does not tell; each interval is of
            one τ alone. Drawn, and said in words, by `chart(along=feature)`.

        Raises
        ------
        UnknownName
            For a feature that is not there, with the nearest names.
        InputError, InputTypeError
            For other τ than `Study.stress_curves` takes, and of rows in chunks, each τ of which is to be asked for.

        Examples
        --------
        >>> other = ts.Study(forest, X_test, y_test)
        >>> along = ts.compare(study, other, metrics="error_rate").along("mean radius", taus=3)
        >>> along["tau"].tolist()
        [-1.0, 0.0, 1.0]
        """
        feature = name_of(feature, self._require_source().feature_names)
        parts: list[pd.DataFrame] = []
        for tau in tau_grid(taus).tolist():
            there = self.under(Scenario(f"τ = {tau:g}", {feature: tau}) if tau else None).frame
            there = there[there["population"] == (UNDER if tau else AS_TESTED)].drop(columns="population")
            there.insert(0, "tau", tau)
            parts.append(there)
        found = pd.concat(parts, ignore_index=True)
        means: StressColumns = self._require_source().joint_stress([feature], quantile=self.quantile)._columns
        found.insert(1, "target", [means.target(feature, tau) for tau in found["tau"]])
        return found

    def widget(self, **traits: Any) -> show.ModelComparisonView:
        """Make the widget: each metric of both models, and their difference, under the stress that views share.

        Parameters
        ----------
        **traits
            First value of `stress`; by default the widget opens on the stress that this was made under. See
            `ModelComparisonView`.

        Returns
        -------
        ModelComparisonView
        """
        return show.view(self, **traits)

    def chart(
        self,
        metrics: str | Sequence[str] | None = None,
        *,
        along: str | int | None = None,
        taus: int | Sequence[float] = 21,
    ) -> alt.ConcatChart:
        """Draw each metric of both models with its interval, or their difference along τ, as an Altair chart.

        Parameters
        ----------
        metrics : str or several, optional
            By default all.
        along : str or int, optional
            A feature, as `along` takes it: the difference of each metric over τ, and in the title where which model is
            better with the whole interval. By default both models, as tested and under the stress.
        taus : int or sequence of float, default 21
            As in `along`; without a feature it changes nothing.

        Returns
        -------
        altair.ConcatChart
            A panel for each metric, data inline.

        Raises
        ------
        UnknownName
            For a metric or feature that is not there, with the nearest names.
        InputError, InputTypeError
            For no metric, and as `along`.
        """
        if along is None:
            return show.draw(self, metrics)
        return show.draw(self, along, metrics, taus, name="draw_along")

    @property
    def _options(self) -> dict[str, Any]:
        """The arguments by which it was computed, besides studies, names and stress."""
        names = [metric.name for metric in self.metrics]
        return {"quantile": self.quantile, "confidence": self.confidence, "metrics": names}

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.model_comparison",
            "version": 1,
            "models": list(self.names),
            "confidence": self.confidence,
            "n_rows": self.n_rows,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "records": finite_records(self._frame),
        }

    def __repr__(self) -> str:
        kinds = {metric.name: metric.kind for metric in self.metrics}
        cells = [("", "metric", *self.names, "difference", f"{100 * self.confidence:g} %", "")]
        for row in records(self._frame):
            write, apart = (share, points) if kinds[row["metric"]] == "share" else (number, number)
            doubt = (
                row["reliability"] if row["reliability"] != LEVELS[0] else row["better"] and f"{row['better']} better"
            )
            cells.append(
                (
                    row["population"],
                    row["metric"],
                    write(row["first"]),
                    write(row["second"]),
                    apart(row["difference"]),
                    f"{apart(row['lower'])} … {apart(row['upper'])}",
                    doubt,
                )
            )
        lines = aligned(cells)
        return "\n".join([self._caption, *(f"  {line}" for line in (*lines, *self.notes))])


def comparison_rows(
    population: str, names: tuple[str, str], metrics: Sequence[Metric], found: PairedMetrics, ess: float
) -> pd.DataFrame:
    """Return the rows of `ModelComparison.frame` of one population."""
    return pd.DataFrame(
        [
            (
                population, metric.name, *_ends(one), *_ends(other), apart.value, apart.lower, apart.upper,
                _better(metric.name, names, apart), apart.n_differing, *_judge(metric, one, other, apart), ess,
            )
            for metric, one, other, apart in zip(metrics, *found, strict=True)
        ],
        columns=[*FRAME],
    )  # fmt: skip


def _ends(estimate: MetricEstimate) -> tuple[float, float, float]:
    return estimate.value, estimate.lower, estimate.upper


def _better(metric: str, names: tuple[str, str], apart: Difference) -> str:
    """Name the model that is better with the whole interval, "" where none is or neither side is worse."""
    side = worse_side(metric)
    if side == "either" or not (apart.lower > 0 or apart.upper < 0):
        return ""
    return names[int((apart.upper < 0) == (side == "higher"))]


def _judge(metric: Metric, one: MetricEstimate, other: MetricEstimate, apart: Difference) -> tuple[Level, str]:
    """Return the lower reliability of the two, and what speaks against the difference.

    Few events speak against each model's own rate; of a difference, rows that the two count differently are the events.
    """
    worst = max((_without_events(one), _without_events(other)), key=lambda estimate: LEVEL_OF[estimate.reason])
    level, note = level_of(worst.reason), note_of(metric, worst)
    if level != LEVELS[0] or apart.n_differing >= MIN_DIFFERING:
        return level, note
    many = f"only {apart.n_differing:.0f} effective rows" if apart.n_differing >= 2 else "hardly any row"
    many = many if apart.n_differing else "no row"
    return LEVELS[1], f"{LEVELS[1]}: the models differ on {many}: read the interval, not the number"


def _without_events(estimate: MetricEstimate) -> MetricEstimate:
    return replace(estimate, reason=0) if REASONS[estimate.reason].name in OF_EVENTS else estimate
