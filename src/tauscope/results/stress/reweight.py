"""The weights of one stress, what they achieve and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.frames import take_rows
from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.formatting import number, share
from tauscope.results.reliability import Judged, judge_size
from tauscope.results.stress.numbers.population import population
from tauscope.results.stress.numbers.reweight_tables import given_note
from tauscope.stress.distances import mean_shift, wasserstein
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.joint.projection import ProjectionStatus
from tauscope.stress.joint.terms import Term
from tauscope.weights.carriers import Carriers
from tauscope.weights.concentration import mass_concentration
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.features import Feature
    from tauscope.results.stress.by_group import MetricsByGroup

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows drawn from a stressed population, with replacement.

    Attributes
    ----------
    rows : ndarray of shape (n,)
        Positions among the study's rows; a row can come more than once.
    X : DataFrame or ndarray of n rows
        Those rows, in the container the study was given.
    y : ndarray of shape (n,) or None
        Their labels as given.
    random_state : int
        Seed that repeats the draw.
    """

    rows: NDArray[np.int64]
    X: Any
    y: NDArray[Any] | None
    random_state: int


@dataclass(frozen=True, repr=False, eq=False)
class Reweighting(Charted):
    """The weights closest to the present ones under which a stress holds.

    Made by `Study.reweight`. Of rows in chunks it has no weight per row, and nothing that needs one: `weights` is
    None, and `frame`, `balance`, `sample` and `chart` say so.

    Attributes
    ----------
    stress : Stress
        As requested; a function of the user's by its name.
    weights : ndarray of shape (n_rows,) or None
        One per row, the study's sample weight included; non-negative, mean 1. None for rows in chunks.
    before : ndarray of shape (n_rows,) or None
        The study's sample weight, mean 1; None where all rows count alike.
    n_rows : int
    features : tuple of Feature
        Those of `balance`, in the order of the study's columns; none for rows in chunks.
    values : ndarray of shape (n_terms,)
        What each has become.
    multipliers : pandas.Series
        ξ by constraint, per unit of its Φ; ±inf where the target is as far as the rows go. Φ of a variance or
        covariance are products of deviations from the required means.
    residual : float
        Largest ``|achieved - required|``, unstressed standard deviations of Φ.
    iterations : int
        Passes over the rows that it took.
    ess : float
        Effective sample size (Σw)²/Σw², rows.
    degrees_of_freedom : float
        Those of Student's t, (Σw²)²/Σw⁴ of the weights.
    kl : float
        Kullback-Leibler divergence of the stressed from the unstressed rows, nats.
    tv : float
        Total variation between them, in [0, 1].
    pareto_k : float
        Pareto k̂ of the largest weights; above 0.7 means of values do not settle, above 0.5 no metric of a long tail.
    largest_weight : float
        In multiples of the mean weight.
    carriers : Carriers
        The fewest rows that hold half of the weight moved and their share of all weight, where they are few: `n` and
        `share`, both 0 where they are not.
    status : {"solved", "limit", "unconverged"}
        "limit": a target lies as far as the rows go, and only some of them keep weight.
    message : str
        The status in words.
    tau_notes : tuple of str
        Where τ does not stand for the plain quantile.
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float
        Level of the intervals in `metrics`.
    model_name : str

    Examples
    --------
    >>> larger = study.reweight(ts.Mean("mean radius", tau=0.3))
    >>> len(larger.weights), larger.status
    (284, 'solved')
    >>> larger.sample(3, random_state=0).X.shape
    (3, 4)
    """

    stress: Stress
    weights: Array | None
    before: Array | None
    n_rows: int
    features: tuple[Feature, ...]
    _terms: tuple[Term, ...]
    """The constraints in numbers: those requested, then those that had to be held."""

    values: Array
    multipliers: pd.Series
    residual: float
    iterations: int
    ess: float
    degrees_of_freedom: float
    kl: float
    tv: float
    pareto_k: float
    largest_weight: float
    carriers: Carriers
    status: ProjectionStatus
    message: str
    tau_notes: tuple[str, ...]
    quantile: float
    confidence: float
    model_name: str
    _metrics: pd.DataFrame

    @property
    def half_share(self) -> float | None:
        """Smallest share of the rows that together hold half of the weight; None for rows in chunks."""
        return None if self.weights is None else mass_concentration(self.weights)

    @property
    def title(self) -> str:
        """Which model: "Reweighting of LogisticRegression"."""
        return f"Reweighting of {self.model_name}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of: the population."""
        return self.population

    @property
    def notes(self) -> tuple[str, ...]:
        """Where τ does not stand for the plain quantile, and which targets are the same in any rows."""
        return (*self.tau_notes, *given_note(self._terms))

    @property
    def achieved(self) -> pd.DataFrame:
        """Per constraint, what was required and what the weights achieve; `constraint, required, achieved`."""
        names, required = [term.name for term in self._terms], [term.required for term in self._terms]
        return pd.DataFrame({"constraint": names, "required": required, "achieved": self.values})

    @property
    def metrics(self) -> pd.DataFrame:
        """Every metric of the task before and under the stress.

        Columns: metric, before, value, lower, upper (ends of the analytic interval at `confidence`), reliability
        ("reliable"; "wide": read the interval, not the number; "unreliable"), note (why, "" when there is nothing to
        say). The interval is that of the same stress in the population the rows were drawn from: what τ, a factor or
        the present value ask for would be another number in other rows. A target in units is the same in all of them,
        and a metric that such targets alone determine has no interval: its note says so.
        """
        return self._metrics.copy()

    @property
    def _caveats(self) -> tuple[str, ...]:
        """What of the weights speaks against any number computed with them; empty when nothing does.

        A metric has reasons of its own, in `metrics`.
        """
        unmet = (self.message,) if self.status == "unconverged" else ()
        return (*unmet, *self._judged.caveats)

    @property
    def _judged(self) -> Judged:
        """What of the weights speaks against any number computed with them, as a reason's code and its numbers."""
        return judge_size(self.degrees_of_freedom, self.pareto_k, self.carriers)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per row of the study: `row` (position), `before` and `weight` (both of mean 1)."""
        weights = self._row_weights("a table of them")
        before = np.ones(self.n_rows) if self.before is None else self.before.copy()
        return pd.DataFrame({"row": np.arange(self.n_rows), "before": before, "weight": weights.copy()})

    @property
    def balance(self) -> pd.DataFrame:
        """What the stress did to every feature, largest difference first: the numbers of a love plot.

        Columns: feature; mean_before and mean_after (rows with a value); smd, their difference in standard
        deviations before; wasserstein, the mean distance its values travel, in the feature's unit (exact).
        """
        return self._balance.copy()

    @cached_property
    def _balance(self) -> pd.DataFrame:
        weights = self._row_weights("the balance of the features")
        rows: list[tuple[str, float, float, float, float]] = []
        for feature in self.features:
            values = feature.values()
            before, after, difference = mean_shift(values, self.before, weights)
            distance = abs(after - before) if feature.kind == "share" else wasserstein(values, self.before, weights)
            rows.append((feature.name, before, after, difference, distance))
        frame = pd.DataFrame(rows, columns=["feature", "mean_before", "mean_after", "smd", "wasserstein"])
        order = np.argsort(-np.abs(frame["smd"].to_numpy()), kind="stable")
        return frame.iloc[order].reset_index(drop=True)

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
                "Study(model, X, y).reweight(…) on rows that fit in memory, a sample of them for instance."
            )
        return self.weights

    @property
    def population(self) -> str:
        """Which population this is: "age 45.0 on average (was 38.6); effective sample 4,210 of 6,400"."""
        return population(self._terms, self.values.tolist(), self.ess, self.n_rows)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if self.weights is not None:
            self.weights.flags.writeable = False  # pickling forgets it

    def _check_usable(self, n_rows: int) -> None:
        """Refuse to put these weights on other rows, or on any where they do not meet their constraints.

        Raises
        ------
        InputError
        """
        if self.n_rows != n_rows:
            raise InputError(
                f"Weights must be of this study's rows; got {self.n_rows:,} for {n_rows:,}. Give the stress itself."
            )
        check_met(self.status, self.message)

    def sample(self, n: int | None = None, random_state: Any = None) -> Sample:
        """Draw rows with probabilities proportional to the weights: a stressed test set.

        Parameters
        ----------
        n : int, optional
            Rows to draw, with replacement; as many as the study has by default.
        random_state : int, RandomState, Generator or None
            The sample's own `random_state` is an int that repeats the draw.

        Returns
        -------
        Sample
            `rows`, `X`, `y`, `random_state`.

        Raises
        ------
        InputError, InputTypeError
            For a number of rows below 1, or a random state of another kind.
        """
        weights, source = self._row_weights("a sample"), self._require_source()
        size: object = self.n_rows if n is None else n
        if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
            raise InputError(f"n must be a number of rows, at least 1; got {size!r}.")
        seed = seed_of(random_state)
        rows = np.random.default_rng(seed).choice(self.n_rows, size=int(size), p=weights / weights.sum())
        return Sample(rows, take_rows(source.X, rows), None if source.y is None else source.y[rows], seed)

    def by(self, by: Any, *, metrics: str | Sequence[str] | None = None) -> MetricsByGroup:
        """Take every metric group by group: what the stress makes of women and men, say.

        The population moves as a whole, a marginal shift: it is the same weights for all groups, and the shares of the
        groups follow. No group is moved by itself.

        Parameters
        ----------
        by : str, sequence of str, or column of shape (n_rows,)
            Name of a column with levels, or with at most 10 distinct numbers; several names, whose levels are crossed;
            a mask; or a label for each row. Rows without a value are a group "missing".
        metrics : str, or several, optional
            Names such as "error_rate", "true_positive_rate". By default those of this reweighting.

        Returns
        -------
        MetricsByGroup
            Each metric of each group before and under the stress, with its interval; `.gaps` between the groups.

        Raises
        ------
        UnknownName
            For a column or metric that is not there, with the nearest names.
        InputError, InputTypeError
            For a column of too many numbers, more than 200 groups, another number of rows, what names no groups,
            anything but names for rows in chunks, and weights that do not meet their constraints.

        Examples
        --------
        >>> larger = study.reweight(ts.Mean("mean radius", shift=1))
        >>> larger.by(X_test["mean texture"] > 20, metrics="error_rate").frame["group"].tolist()
        ['False', 'True']
        """
        return self._require_source()._metrics_by_group(self, by, metrics=metrics)

    def chart(
        self,
        kind: Literal["balance", "histograms"] = "balance",
        features: str | int | Sequence[str | int] | None = None,
    ) -> alt.LayerChart | alt.ConcatChart:
        """Draw what the stress did to the features, as an Altair chart to restyle or save.

        Parameters
        ----------
        kind : {"balance", "histograms"}
            "balance", a love plot: how far each mean moved, in standard deviations before. "histograms": the share of
            the rows in each bar (or with the level) before and after.
        features : str or int, or several, optional
            By default the 30 that moved most, or for histograms the features the stress asks for, else the 6 that
            moved most.

        Returns
        -------
        altair.LayerChart or altair.ConcatChart
            Data inline.

        Raises
        ------
        UnknownName
            For a feature that is not there, with the nearest names.
        InputError
            For another kind.
        """
        return show.draw(self, kind, features)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        names = ("residual", "iterations", "ess", "kl", "tv", "pareto_k", "largest_weight", "half_share")
        return {
            "schema": "tauscope.reweighting",
            "version": 1,
            "stress": repr(self.stress),
            "quantile": self.quantile,
            "confidence": self.confidence,
            "model": self.model_name,
            "n_rows": self.n_rows,
            "status": self.status,
            "message": self.message,
            "notes": list(self.notes),
            "population": self.population,
            "doubts": list(self._caveats),
            **{name: getattr(self, name) for name in names},
            "carriers": self.carriers._asdict(),
            "constraints": records(self.achieved.assign(multiplier=self.multipliers.to_numpy())),
            "metrics": records(self.metrics),
            "balance": None if self.weights is None else records(self.balance),
            "weights": None if self.weights is None else self.weights.tolist(),
        }

    def save(self, path: str | Path, kind: Literal["balance", "histograms"] = "balance", **options: Any) -> None:
        """Write to a file, .csv the weights row by row; see `Result.save`.

        Parameters
        ----------
        path : str or Path
        kind : {"balance", "histograms"}
            Which chart.
        **options
            As in `chart`.
        """
        super().save(path, kind=kind, **options)

    def __repr__(self) -> str:
        half = "" if self.half_share is None else f"half the weight on {share(self.half_share)} of rows, "
        largest = f"the largest{'' if half else ' weight'} {number(self.largest_weight)} times the mean"
        status = () if self.status == "unconverged" else (self.message,)
        lines = [
            self.population,
            f"  KL {number(self.kl)} nats, total variation {number(self.tv)}, Pareto k̂ {number(self.pareto_k)}; "
            f"{half}{largest}",
        ]
        return "\n".join([*lines, *(f"  {word}" for word in (*status, *self._caveats, *self.notes))])


def check_met(status: ProjectionStatus, message: str) -> None:
    """Refuse weights that do not meet their constraints.

    Raises
    ------
    InputError
    """
    if status == "unconverged":
        raise InputError(f"These weights do not meet their constraints. {message}")
