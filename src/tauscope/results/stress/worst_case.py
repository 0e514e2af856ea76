"""The reweighting that harms one metric most within limits: the value there, and what of the rows it leans on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.model.progress_bar import progress
from tauscope.results import show
from tauscope.results.base import Charted, finite_records, records
from tauscope.results.formatting import aligned, fixed, number, share, signed
from tauscope.results.reliability import Judged, judge_size, level_of
from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.tables.worst_margins import MovedMean, lean_words, moved_means, slider_taus
from tauscope.results.stress.worst_within import Within
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.metrics import Metric
from tauscope.stress.worst.search import SearchStatus
from tauscope.weights.carriers import Carriers

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.features import Feature

Array = NDArray[np.float64]
Side = Literal["higher", "lower"]
NO_INTERVAL = "no interval"
CHOSEN_ON = "too bad on average: chosen on these rows"
STEPS = 10
SHOWN = 8


def written(metric: Metric, value: float) -> str:
    """Write a value of a metric: a share as a percentage."""
    return share(value) if metric.kind == "share" else number(value)


@dataclass(frozen=True)
class HeldOut:
    """The stress found on one part of the rows, read on the other.

    Attributes
    ----------
    n_chosen_on, n_rows : int
        Rows that it was chosen on, and that it was read on.
    chosen : float
        The metric under it on the rows it was chosen on.
    before : float
        The metric of the other rows as they are.
    estimate : MetricEstimate
        Of the other rows under it.
    failed : str
        Why it cannot be read there, "" where it can.
    """

    n_chosen_on: int
    n_rows: int
    chosen: float
    before: float
    estimate: MetricEstimate
    failed: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class WorstCase(Charted):
    """The reweighting within limits that harms a metric most.

    Made by `Study.worst_case` and `ChunkedStudy.worst_case`.

    Attributes
    ----------
    metric : Metric
    worse : {"higher", "lower"}
        Which way the metric gets worse.
    over : {"rows", "means"}
        "rows": any row may be reweighted. "means": only a stress of means, as sliders make it.
    within : Within
        How far weights or means may move.
    reach : float or None
        The value of the metric that was to be reached with the smallest shift; None where the worst was asked for.
    weights : ndarray of shape (n_rows,) or None
        One per row, the study's sample weight included; non-negative, mean 1. None for rows in chunks.
    n_rows : int
    features : tuple of Feature
        Those of `frame`; none for rows in chunks, whose means are in `means`.
    stress : Stress or None
        The shifts of means whose reweighting this is; None over rows, which no means describe.
    moved : tuple of (str, float, float)
        Of each feature of the stress, its mean before and how far it is moved, in its unit; empty over rows.
    before : float
        The metric of the rows as they are.
    estimate : MetricEstimate
        The metric there, with its interval.
    held_out : HeldOut or None
        The same choice made on part of the rows, and read on the others; None where it was not asked for, and over
        rows, whose weights no other rows have.
    ess : float
        Effective sample size (Σw)²/Σw², rows.
    degrees_of_freedom : float
        Those of Student's t, (Σw²)²/Σw⁴ of the weights.
    kl : float
        Kullback-Leibler divergence from the rows as they are, nats.
    tv : float
        Total variation between them, in [0, 1].
    pareto_k : float
        Pareto k̂ of the largest weights.
    carriers : Carriers
        The fewest rows that hold half of the weight moved, where they are few.
    status : {"found", "limit", "out of reach"}
        "limit": nothing stopped the search but a KL of 2 nats, that none goes beyond. "out of reach": no stress allowed
        brings the metric to `reach`; this is the one that comes nearest.
    confidence : float
        Level of the intervals.
    model_name : str
    left_out : tuple of str
        Rare levels that were not moved by themselves: their rows weigh as those of the commonest level do.
    means : tuple of MovedMean
        Of rows in chunks, those of `frame`; else none, as they follow from the rows.

    Examples
    --------
    >>> worst = study.worst_case("error_rate", within={"tv": 0.05})
    >>> round(worst.value - worst.before, 6)
    0.05
    """

    metric: Metric
    worse: Side
    over: Literal["rows", "means"]
    within: Within
    reach: float | None
    weights: Array | None
    _sample_weight: Array | None
    """The study's, mean 1; None where all rows count alike."""

    n_rows: int
    features: tuple[Feature, ...]
    stress: Stress | None
    moved: tuple[tuple[str, float, float], ...]
    before: float
    estimate: MetricEstimate
    held_out: HeldOut | None
    ess: float
    degrees_of_freedom: float
    kl: float
    tv: float
    pareto_k: float
    carriers: Carriers
    status: SearchStatus
    _options: Mapping[str, Any]
    """Further arguments it was asked with."""

    confidence: float
    model_name: str
    left_out: tuple[str, ...] = ()
    means: tuple[MovedMean, ...] = ()

    @property
    def value(self) -> float:
        """The metric under the worst reweighting, on the rows it was chosen on."""
        return self.estimate.value

    @property
    def lower(self) -> float:
        """Lower end of the interval of `value`."""
        return self.estimate.lower

    @property
    def upper(self) -> float:
        """Upper end of the interval of `value`."""
        return self.estimate.upper

    @property
    def title(self) -> str:
        """What is asked, of which model: "Worst error rate of LogisticRegression"."""
        if self.reach is not None:
            return f"Smallest shift to {self.metric.label} {written(self.metric, self.reach)} of {self.model_name}"
        word = "Highest" if self.worse == "higher" else "Lowest"
        # over means it is the end of a search
        return f"{word} {self.metric.label} {'of' if self.over == 'rows' else 'found for'} {self.model_name}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        return f"{self.title}, {self.allowed}"

    @property
    def allowed(self) -> str:
        """What was allowed, in words: "any row reweighted, up to 10 % of the weight moved"."""
        return self.within.words(self.over, [name for name, _, _ in self.moved])

    @property
    def population(self) -> str:
        """What is left to estimate from: "effective sample 4,210 of 6,400; KL 0.05; 12.8 % of the weight moved"."""
        return (
            f"effective sample {self.ess:,.0f} of {self.n_rows:,}; KL {number(self.kl)}; {share(self.tv)} of the "
            "weight moved"
        )

    @property
    def leans_on(self) -> str:
        """The features whose means it moves most, in words: "more sex = Male (66.9 % → 71 %); lower age (38 → 36)"."""
        return lean_words(self.margins)

    @property
    def message(self) -> str:
        """The status in words, "" where there is nothing to say."""
        if self.status == "out of reach":
            assert self.reach is not None
            return (
                f"Not reachable: the {self.metric.label} comes to {written(self.metric, self.value)}, not to "
                f"{written(self.metric, self.reach)}, within {self._farthest}. Allow more features, or more of a move."
            )
        if self.status == "limit":
            return (
                "Only the KL of 2 nats that no search goes beyond stopped it: so few rows count there that a worse "
                "value would mean little. Allow smaller moves."
            )
        return ""

    @property
    def _farthest(self) -> str:
        distance = self.within.distance
        if distance is None:
            return "these moves of means" if self.within.moves else "a KL of 2 nats"
        size = f"a {'KL' if distance.kind == 'kl' else 'total variation'} of {number(distance.limit)}"
        return f"these moves of means and {size}" if self.within.moves else size

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of the answer: how it was chosen, and what it cannot say."""
        said = [self.message] if self.message else []
        if self.over == "rows":
            said.append(
                "Any row may be reweighted, so this is a bound: weight goes to the rows that make the metric worst, "
                "which no real population need have in common. Name features"
                f"{' of a sample' if self.weights is None else ''} for shifts that means can describe."
            )
        elif self.held_out is None:
            said.append(
                "Chosen to be the worst on these rows, so it looks worse than it is: ask for held_out to read the "
                "choice on other rows."
            )
        elif self.held_out.failed:
            said.append(f"Not read on other rows: {self.held_out.failed}")
        if self.left_out:
            more = f" and {len(self.left_out) - SHOWN} more" if len(self.left_out) > SHOWN else ""
            names = ", ".join(self.left_out[:SHOWN])
            said.append(f"Not moved by themselves, levels of fewer than 1 % of rows: {names}{more}.")
        doubt = note_of(self.metric, self.estimate)
        doubts = [doubt] if doubt else []
        if self.held_out is not None and not self.held_out.failed:
            of_held_out = note_of(self.metric, self.held_out.estimate)
            doubts += [f"rows held out: {of_held_out}"] if of_held_out else []
        return tuple(dict.fromkeys([*said, *self._caveats, *doubts]))

    @property
    def _caveats(self) -> tuple[str, ...]:
        """What of the weights speaks against any number computed with them; empty when nothing does."""
        return self._judged.caveats

    @property
    def _judged(self) -> Judged:
        """What of the weights speaks against any number computed with them, as a reason's code and its numbers."""
        return judge_size(self.degrees_of_freedom, self.pareto_k, self.carriers)

    @property
    def frame(self) -> pd.DataFrame:
        """What it leans on, one row for each feature, the largest difference first.

        Columns: feature; mean_before and mean_after (of the rows with a value, or the share of rows with the level);
        smd, their difference in standard deviations before.
        """
        columns = ["feature", "mean_before", "mean_after", "smd"]
        return pd.DataFrame([asdict(margin) for margin in self.margins], columns=columns)

    @cached_property
    def margins(self) -> tuple[MovedMean, ...]:
        """The rows of `frame`."""
        return self.means if self.weights is None else moved_means(self.features, self._sample_weight, self.weights)

    @property
    def estimates(self) -> pd.DataFrame:
        """The metric under the worst reweighting, on the rows it was chosen on and on others.

        Columns: rows ("all", of the choice made on all rows; "chosen" and "held out", of the one made on a part);
        n_rows; before; value; lower, upper (ends of the interval at `confidence`); reliability ("" where nothing is
        judged), note. A value on the rows it was chosen on is too bad on average; that held out is not, and is not the
        worst of all rows either.
        """
        nothing = MetricEstimate(np.nan, np.nan, np.nan)
        unread = {"all": NO_INTERVAL, "chosen": CHOSEN_ON, "held out": self.held_out.failed if self.held_out else ""}
        rows = [("all", self.n_rows, self.before, self.estimate)]
        if self.held_out is not None:
            held = self.held_out
            chosen = MetricEstimate(held.chosen, np.nan, np.nan)
            rows.append(("chosen", held.n_chosen_on, np.nan, chosen))
            rows.append(("held out", held.n_rows, held.before, nothing if held.failed else held.estimate))
        return pd.DataFrame(
            [
                {
                    "rows": name,
                    "n_rows": n,
                    "before": before,
                    "value": one.value,
                    "lower": one.lower,
                    "upper": one.upper,
                    "reliability": level_of(one.reason) if judged else "",
                    "note": note_of(self.metric, one) if judged else unread[name],
                }
                for name, n, before, one in rows
                for judged in (one.reason > 0 or np.isfinite(one.lower),)
            ]
        )

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
                "Study(model, X, y).worst_case(…) on rows that fit in memory, a sample of them for instance."
            )
        return self.weights

    def _check_usable(self, n_rows: int) -> None:
        """Refuse to put these weights on other rows.

        Raises
        ------
        InputError
        """
        if self.n_rows != n_rows:
            raise InputError(
                f"Weights must be of this study's rows; got {self.n_rows:,} for {n_rows:,}. Use study.worst_case(…) "
                "again."
            )

    def scenario(self, name: str) -> Scenario:
        """Give the stress a name, as sliders show it: for the workspace, and to be compared with other scenarios.

        Parameters
        ----------
        name : str
            One line of 1 to 80 characters: "worst within 0.05 nats".

        Returns
        -------
        Scenario
            Weights under it are these.

        Raises
        ------
        InputError
            Over rows, which no means describe; and where sliders do not reach so far, or a mean stays.
        """
        if self.stress is None:
            raise InputError(
                "Sliders move means, and the worst reweighting of single rows is described by none. Name features="
                "[…] for the worst stress of their means, or use study.under(…) of this result itself."
            )
        return Scenario(name, slider_taus(self.moved, self._require_source().joint_stress()._columns))

    def path(self, steps: int = STEPS) -> pd.DataFrame:
        """Return the worst value at growing distances: how soon the metric gets how bad.

        Parameters
        ----------
        steps : int, default 10
            How many, from a first part of what was allowed to all of it; or from the metric as it is to the value to
            be reached. Each is searched anew.

        Returns
        -------
        DataFrame
            One row per step, the rows as they are first: amount (of what was allowed, in [0, 1]), value, lower, upper,
            kl, tv, ess, reliability, note, status.

        Raises
        ------
        InputError
            For fewer than one step.
        """
        if steps < 1:
            raise InputError(f"A path has at least one step; got {steps}.")
        first = {"amount": 0.0, "value": self.before, "lower": np.nan, "upper": np.nan, "kl": 0.0, "tv": 0.0}
        rows: list[dict[str, Any]] = [
            {**first, "ess": np.nan, "reliability": "", "note": NO_INTERVAL, "status": "found"}
        ]
        for step in progress(range(1, steps + 1), "Searching", steps, "step"):
            rows.append(self._step(step / steps))
        return pd.DataFrame(rows)

    def at(self, amount: float) -> WorstCase:
        """Search again within a part of what was allowed.

        Parameters
        ----------
        amount : float
            In (0, 1], of the distance and of each move; or of the way from the metric as it is to the value to be
            reached. At 1 this result itself.

        Returns
        -------
        WorstCase
            Not read on rows held out, below 1.

        Raises
        ------
        InputError
            For another amount.
        """
        if not 0 < amount <= 1:
            raise InputError(f"amount must be above 0 and at most 1, all that was allowed; got {amount:g}.")
        if amount == 1:
            return self
        within, reach = self.within, self.reach
        if reach is None:
            within = within.part(amount)
        else:
            reach = self.before + amount * (reach - self.before)
        options: dict[str, Any] = {**self._options, "held_out": 0}
        return self._require_source().worst_case(
            self.metric.name, within=within.as_argument() or None, reach=reach, **options, progress=False
        )

    def widget(self, **traits: Any) -> show.WorstCaseView:
        """Make the widget: the worst value on a slider of how much is allowed, and what it leans on.

        Parameters
        ----------
        **traits
            First values of `amount`, `stress`; see `WorstCaseView`.

        Returns
        -------
        WorstCaseView
        """
        return show.view(self, **traits)

    def _step(self, amount: float) -> dict[str, Any]:
        there = self.at(amount)
        names = ("value", "lower", "upper", "kl", "tv", "ess")
        numbers = {name: getattr(there, name) for name in names}
        doubt = {"reliability": level_of(there.estimate.reason), "note": note_of(self.metric, there.estimate)}
        return {"amount": amount, **numbers, **doubt, "status": there.status}

    def chart(self, kind: Literal["margins", "path"] = "margins") -> alt.LayerChart:
        """Draw what it leans on, or the worst value along growing distances, as an Altair chart to restyle or save.

        Parameters
        ----------
        kind : {"margins", "path"}
            "margins", a love plot: how far each mean is moved, in standard deviations before. "path": the metric from
            the rows as they are to all that was allowed, with its interval; searched for ten distances.

        Returns
        -------
        altair.LayerChart
            Data inline.

        Raises
        ------
        InputError
            For another kind.
        """
        return show.draw(self, kind)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.worst_case",
            "version": 1,
            "model": self.model_name,
            "n_rows": self.n_rows,
            "computed": self.computed_on.isoformat(),
            "metric": self.metric.name,
            "worse": self.worse,
            "over": self.over,
            "within": self.within.as_argument(),
            "reach": self.reach,
            "stress": None if self.stress is None else repr(self.stress),
            "status": self.status,
            "confidence": self.confidence,
            "notes": list(self.notes),
            **{name: getattr(self, name) for name in ("ess", "kl", "tv", "pareto_k")},
            "estimates": finite_records(self.estimates),
            "margins": finite_records(self.frame),
            "weights": None if self.weights is None else self.weights.tolist(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if self.weights is not None:
            self.weights.flags.writeable = False  # pickling forgets it

    def __repr__(self) -> str:
        lines = [self._caption, *(f"  {line}" for line in aligned(self._cells())), f"  {self.population}"]
        shown = [margin for margin in self.margins if np.isfinite(margin.smd) and not margin.twin][:SHOWN]
        if shown:
            head: Sequence[str] = ("leans on", "before → after", "in sd")
            cells = [(margin.feature, margin.words, signed(fixed(margin.smd, 2))) for margin in shown]
            lines += [f"  {line}" for line in aligned([head, *cells])]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    def _cells(self) -> list[tuple[str, ...]]:
        where = {"all": "all rows", "chosen": "half chosen on", "held out": "rows held out"}
        out: list[tuple[str, ...]] = [("", "before", "there", f"{100 * self.confidence:g} %", "")]
        for row in records(self.estimates):
            if row["rows"] == "chosen":
                continue
            doubt = "" if row["reliability"] == "reliable" else row["reliability"]
            ends = f"{written(self.metric, row['lower'])} to {written(self.metric, row['upper'])}"
            out.append(
                (
                    where[row["rows"]],
                    written(self.metric, row["before"]),
                    written(self.metric, row["value"]),
                    ends,
                    doubt,
                )
            )
        return out
