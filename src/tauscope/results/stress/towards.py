"""What a model does in another population: rows weighted to its margins, every metric there, what is new in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import aligned, number, share
from tauscope.results.reliability import Judged, judge_size
from tauscope.results.stress.numbers.observed import DIFFERENCE, difference_notes, write_difference
from tauscope.results.stress.other_population import BEYOND, Target, balance_table, missed_margins
from tauscope.results.stress.scenario import Scenario, StressState
from tauscope.results.stress.towards_stress import OF_CHUNKS, SliderStress, slider_stress
from tauscope.stress.metrics import Metric
from tauscope.stress.towards.approach import ApproachStatus
from tauscope.weights.carriers import Carriers
from tauscope.words import agree, count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.features import Feature

Array = NDArray[np.float64]
AMOUNTS = tuple(step / 10 for step in range(11))
"""Of a path from the rows as they are to the other population."""
LIMITS = (
    "Only these margins are carried over.",
    "Where the label depends on the features in another way there, these numbers cannot know.",
)


@dataclass(frozen=True, repr=False, eq=False)
class TargetPopulation(Charted):
    """A study's rows weighted to the margins of another population, and every metric there.

    Made by `Study.towards`.

    Attributes
    ----------
    target : Target
        The other population, as far as it is known.
    amount : float
        How much of the way is gone, in [0, 1].
    weights : ndarray of shape (n_rows,) or None
        One per row, the study's sample weight included; non-negative, mean 1. None where the rows came in chunks.
    before : ndarray of shape (n_rows,) or None
        The study's sample weight, mean 1; None where all rows count alike, or came in chunks.
    n_rows : int
    features : tuple of Feature
        Those of `balance`.
    price : float or None
        Of what is missed, nats per half a squared standard deviation; None where every margin is met.
    ess : float
        Effective sample size (Σw)²/Σw², rows.
    degrees_of_freedom : float
        Those of Student's t, (Σw²)²/Σw⁴ of the weights.
    kl : float
        Kullback-Leibler divergence of the weighted from the unweighted rows, nats.
    tv : float
        Total variation between them, in [0, 1].
    pareto_k : float
        Pareto k̂ of the largest weights; above 0.7 means of values do not settle, above 0.5 no metric of a long tail.
    carriers : Carriers
        The fewest rows that hold half of the weight moved and their share of all weight, where they are few.
    iterations : int
        Passes over the rows that it took.
    status : {"reached", "limit", "nearest", "unconverged"}
        "limit": reached, and some rows lose all weight. "nearest": not all margins are met; `margins` says by how much.
    confidence : float
        Level of the intervals.
    model_name : str
    bounds : tuple of str
        Of rows in chunks, how far metrics of ranks can be off.

    Examples
    --------
    >>> there = study.towards({"mean radius": 15.0})
    >>> there.status, round(there.margins.loc[0, "achieved"], 6)
    ('reached', np.float64(15.0))
    """

    target: Target
    amount: float
    weights: Array | None
    before: Array | None
    n_rows: int
    features: tuple[Feature, ...]
    price: float | None
    ess: float
    degrees_of_freedom: float
    kl: float
    tv: float
    pareto_k: float
    carriers: Carriers
    iterations: int
    status: ApproachStatus
    _metric_definitions: tuple[Metric, ...]
    """What the metrics are called and how they are written, in the order of `metrics`."""

    confidence: float
    model_name: str
    _margins: pd.DataFrame
    _metrics: pd.DataFrame
    _differences: pd.DataFrame | None = None
    _balance: pd.DataFrame | None = None
    bounds: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Which model, and where: "LogisticRegression in the population of 1,200 new rows"."""
        return f"{self.model_name} in the population of {self.target.name}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of: the population."""
        return self.population

    @property
    def population(self) -> str:
        """Which population this is: "12 margins of 1,200 new rows; effective sample 4,210 of 6,400"."""
        n = len(self._margins)
        way = "" if self.amount == 1 else f"{100 * self.amount:g} % of the way to "
        margins = f"{count(n, 'margin')} of {self.target.name}"
        return f"{way}{margins}; effective sample {self.ess:,.0f} of {self.n_rows:,}"

    @property
    def message(self) -> str:
        """The status in words: what is met, and what is not."""
        far = f": the farthest is the {self.missed[0]}" if self.status == "nearest" and self.missed else ""
        return f"{self.met}{far}."

    @property
    def met(self) -> str:
        """Whether the margins are met, in words: "2 of 12 margins are not met at a price of 10 nats"."""
        if self.status == "unconverged":
            return "No weights were found that are closest: the numbers beside them are of the last ones tried"
        if not self.missed:
            edge = (
                ". Some rows lose all weight: the other population has none like them" if self.status == "limit" else ""
            )
            return f"Every margin is met{edge}"
        priced = "" if self.price is None else f" at a price of {number(self.price)} nats"
        n = len(self.missed)
        return f"{n} of {count(len(self._margins), 'margin')} {agree(n, 'is', 'are')} not met{priced}"

    @cached_property
    def missed(self) -> tuple[str, ...]:
        """Each margin that is not met in words, the farthest first; empty where all are."""
        return missed_margins(self._margins)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is met, what of the other sample no row here is like, what was left out, and what these numbers are."""
        return (self.message, *self._compared, *self.target.notes, *self._caveats, *self.bounds, *LIMITS)

    @property
    def _compared(self) -> tuple[str, ...]:
        """What the labels of the new rows say of what was expected, all of the way there; empty without them."""
        if self._differences is None or self.amount < 1 or self.status == "unconverged":
            return ()
        return difference_notes(self._metric_definitions, self.metrics, all_met=not self.missed)

    @property
    def margins(self) -> pd.DataFrame:
        """One row for each margin that was asked for.

        Columns: margin ("mean of age"); before; there (in the other population); required (at this amount); achieved;
        missed (achieved - required, standard deviations of the rows before); lowest, highest (what the margin is the
        mean of, among the rows); status: "reached", "follows" (from those above it), "missed" (the others exclude it,
        or it was not worth its price), "out of range" (no weights could reach what is there).
        """
        return self._margins.copy()

    @property
    def metrics(self) -> pd.DataFrame:
        """Every metric of the task, before and in the other population.

        Columns: metric; before; value, lower, upper (expected there, with the ends of the interval at `confidence`,
        which counts the rows of both samples); reliability, note. With labels of the new rows also observed,
        observed_lower, observed_upper (on these rows, with their own interval); difference, difference_lower,
        difference_upper (expected less observed, with an interval that counts the rows of both samples, and that the
        new ones are behind both numbers); difference_reliability, difference_note (the worse of both); beyond_chance
        (whether the interval excludes 0 at the level at which those of all metrics hold together; None where the
        difference is unreliable or has no interval, and cannot be judged).
        """
        if self._differences is None:
            return self._metrics.copy()
        return pd.concat([self._metrics, self._differences], axis=1)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per row of the study: `row` (position), `before` and `weight` (both of mean 1)."""
        weights = self._row_weights("a table of them")
        before = np.ones(self.n_rows) if self.before is None else self.before.copy()
        return pd.DataFrame({"row": np.arange(self.n_rows), "before": before, "weight": weights.copy()})

    @property
    def balance(self) -> pd.DataFrame:
        """How far every feature is from the other population, before and after: the numbers of a love plot.

        Columns: feature; mean_before, mean_after, mean_there (rows with a value); smd_before, smd_after: the mean less
        that there, in standard deviations before. Features whose mean there is unknown are not in it. Largest
        difference before first.
        """
        return self._balanced.copy()

    @cached_property
    def _balanced(self) -> pd.DataFrame:
        if self._balance is not None:
            return self._balance
        return balance_table(self.features, self.target.means, self.before, self._row_weights("a balance"))

    @property
    def unlike(self) -> pd.DataFrame:
        """What of each column of the new sample lies beyond the rows here.

        Columns: feature; below, above (share of the new rows outside of the range here), unseen (share with a level
        that no row here has). No rows for a table of margins.
        """
        novelty = self.target.novelty
        empty = pd.DataFrame({name: pd.Series(dtype=float) for name in ("feature", *BEYOND)})
        return empty if novelty is None else novelty.beyond.copy()

    @property
    def _caveats(self) -> tuple[str, ...]:
        """What of the weights speaks against any number computed with them; empty when nothing does."""
        return self._judged.caveats

    @property
    def _judged(self) -> Judged:
        """What of the weights speaks against any number computed with them, as a reason's code and its numbers."""
        return judge_size(self.degrees_of_freedom, self.pareto_k, self.carriers)

    def _row_weights(self, what: str) -> Array:
        """Return the weights, for something that needs one per row.

        Raises
        ------
        InputError
            Where the rows came in chunks, and went.
        """
        if self.weights is None:
            raise InputError(
                f"For {what} a weight for each row is needed; these rows came in chunks, and none was kept. Use "
                "Study(model, X, y).towards(…) on rows that fit in memory, a sample of them for instance."
            )
        return self.weights

    def _check_usable(self, n_rows: int) -> None:
        """Refuse to put these weights on other rows, or on any where they are not the closest.

        Raises
        ------
        InputError
        """
        if self.n_rows != n_rows:
            raise InputError(
                f"Weights must be of this study's rows; got {self.n_rows:,} for {n_rows:,}. Use study.towards(…) again."
            )
        if self.status == "unconverged":
            raise InputError(self.message)

    def at(self, amount: float, price: float | None = None) -> TargetPopulation:
        """Go another part of the way to the same population.

        Parameters
        ----------
        amount : float
            In [0, 1].
        price : float, optional
            As in `Study.towards`.

        Raises
        ------
        InputError
            For an amount or a price out of range.
        """
        return self._require_source()._reweight_towards(self.target, amount=amount, price=price, **self._options)

    def path(self, amounts: Sequence[float] | None = None) -> pd.DataFrame:
        """Return every metric along the way.

        Parameters
        ----------
        amounts : sequence of float, optional
            In [0, 1]; by default 0, 0.1, … 1.

        Returns
        -------
        DataFrame
            One row per amount and metric: amount, metric, value, lower, upper, reliability, note, ess.

        Raises
        ------
        InputError
            For an amount out of range, or none.
        """
        steps = list(AMOUNTS if amounts is None else amounts)
        if not steps:
            raise InputError("A path has at least one amount; got none.")
        parts: list[pd.DataFrame] = []
        for step in steps:
            there = self.at(step, self.price)
            part = there._metrics.drop(columns="before")
            part.insert(0, "amount", step)
            parts.append(part.assign(ess=there.ess))
        return pd.concat(parts, ignore_index=True)

    def stress_at(self, amount: float | None = None) -> StressState:
        """Say a part of the way as the stress that views share, which sliders, curves and effects can follow.

        Parameters
        ----------
        amount : float, optional
            In [0, 1]; by default this result's own.

        Returns
        -------
        dict
            {"taus": {feature: τ}, "hold": "none"}: by feature τ times the amount. What follows from the others, such
            as the share of a last level, is left out. Weights under it are those of this population.

        Raises
        ------
        InputError
            Where sliders cannot say all of the way, and why: a margin that is no mean or share, is not met, stays as it
            is, or lies beyond τ = ±1; and for an amount out of range.
        """
        part = self.amount if amount is None else float(amount)
        if not 0 <= part <= 1:
            raise InputError(f"amount must lie between 0 and 1; got {part:g}. 1 is all of the way.")
        sliders = self._sliders
        if sliders.reason:
            raise InputError(
                f"Sliders cannot say this population: {sliders.reason}. Use study.under(…) of this result itself."
            )
        return sliders.at(part)

    def scenario(self, name: str, amount: float | None = None) -> Scenario:
        """Give a part of the way a name, to be kept and compared with other scenarios.

        Parameters
        ----------
        name : str
            One line of 1 to 80 characters: "next year".
        amount : float, optional
            In (0, 1]; by default this result's own.

        Returns
        -------
        Scenario

        Raises
        ------
        InputError
            As `stress_at`; for an amount of 0, which moves nothing, and another name.
        """
        return Scenario(name, **self.stress_at(amount))

    @cached_property
    def _sliders(self) -> SliderStress:
        if self.weights is None:
            return OF_CHUNKS
        source = self._require_source()
        return slider_stress(self if self.amount == 1 else self.at(1.0, self.price), source.joint_stress()._columns)

    @property
    def _options(self) -> dict[str, Any]:
        """The arguments by which metrics were estimated."""
        return {"confidence": self.confidence, "metrics": [metric.name for metric in self._metric_definitions]}

    def widget(self, **traits: Any) -> show.TargetPopulationView:
        """Make the widget: every metric on the way to the other population, on a slider.

        Parameters
        ----------
        **traits
            First value of `amount`; see `TargetPopulationView`.

        Returns
        -------
        TargetPopulationView
        """
        return show.view(self, **traits)

    def chart(self, kind: Literal["balance", "metrics", "difference"] = "balance") -> alt.LayerChart | alt.ConcatChart:
        """Draw how near the rows have come, or what is to be expected there, as an Altair chart to restyle or save.

        Parameters
        ----------
        kind : {"balance", "metrics", "difference"}
            "balance", a love plot: how far each mean is from the other population, before and after. "metrics": each
            metric before, expected there with its interval, and observed where the new rows have labels.
            "difference": expected less observed of each, with its interval.

        Returns
        -------
        altair.LayerChart or altair.ConcatChart
            Data inline.

        Raises
        ------
        InputError
            For another kind, and for "difference" without labels of the new rows.
        """
        return show.draw(self, kind)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.target_population",
            "version": 1,
            "model": self.model_name,
            "n_rows": self.n_rows,
            "n_new_rows": self.target.n_rows,
            "computed": self.computed_on.isoformat(),
            "amount": self.amount,
            "price": self.price,
            "confidence": self.confidence,
            "status": self.status,
            "notes": list(self.notes),
            **{name: getattr(self, name) for name in ("ess", "kl", "tv", "pareto_k", "iterations")},
            "margins": finite_records(self._margins),
            "metrics": finite_records(self.metrics),
            "balance": finite_records(self._balanced),
            "unlike": finite_records(self.unlike),
            "weights": None if self.weights is None else self.weights.tolist(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if self.weights is not None:
            self.weights.flags.writeable = False  # pickling forgets it

    def __repr__(self) -> str:
        observed = self._differences is not None
        head = ["metric", "before", "there", f"{100 * self.confidence:g} %"]
        head += ["observed", "difference", f"{100 * self.confidence:g} %"] if observed else []
        cells = [[*head, ""]]
        for metric, row in zip(self._metric_definitions, records(self.metrics), strict=True):
            level = row["difference_reliability" if observed else "reliability"]
            write = share if metric.kind == "share" else number
            before, there, lower, upper = (write(row[name]) for name in ("before", "value", "lower", "upper"))
            line = [row["metric"], before, there, f"{lower} to {upper}"]
            if observed:
                difference, *ends = (write_difference(metric, row[name]) for name in DIFFERENCE)
                line += [write(row["observed"]), difference, " to ".join(ends)]
            cells.append([*line, "" if level == "reliable" else level])
        lines = [self.population, *aligned(cells)]
        return "\n".join([lines[0], *(f"  {line}" for line in (*lines[1:], *self.notes))])
