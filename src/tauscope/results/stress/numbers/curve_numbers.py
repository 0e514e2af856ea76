"""The numbers of stress curves, and what is worked out from them alone: table, notes, rankings, other τ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import place_of
from tauscope.results.base import Charted
from tauscope.results.reliability import counted_levels, usable, usable_ends
from tauscope.results.stress.notes import FeatureNotes, feature_notes, unstressed_caveats
from tauscope.results.stress.numbers.frame import curve_columns
from tauscope.results.stress.numbers.metrics import WithMetrics
from tauscope.results.stress.numbers.taus import tau_grid
from tauscope.stress.curves import Curves
from tauscope.stress.functions import NamedFunction
from tauscope.stress.joint.adjusted import Hold
from tauscope.stress.metrics import Metric
from tauscope.stress.outcomes import Task

if TYPE_CHECKING:
    from tauscope.data.features import Feature

IntervalMethod = Literal["analytic", "bootstrap-t"]


@dataclass(frozen=True)
class CurvesOptions:
    """How stress curves are computed: the arguments of `Study.stress_curves`, so that they can be asked for again.

    Attributes
    ----------
    quantile, confidence, interval, random_state, hold, progress
        As in `Study.stress_curves`; a seed in place of a generator.
    metrics : tuple of str and NamedFunction, or None
        None for the task's own.
    hold_features : tuple of str or None
    """

    quantile: float = 0.05
    metrics: tuple[str | NamedFunction, ...] | None = None
    confidence: float = 0.95
    interval: IntervalMethod = "analytic"
    random_state: int | None = None
    hold: Hold | None = None
    hold_features: tuple[str, ...] | None = None
    progress: bool = True


@dataclass(frozen=True, repr=False, eq=False)
class CurveNumbers(WithMetrics, Charted):
    """Curves of every metric along τ for every feature, and the numbers in them; attributes as in `StressCurves`."""

    features: tuple[Feature, ...]
    _curves: Curves
    """The engine's arrays, shape (n_features, n_metrics, n_taus) and (n_features, n_taus)."""

    skipped: tuple[tuple[str, str], ...]
    n_rows: int
    model_name: str
    task: Task
    _options: CurvesOptions = CurvesOptions()
    """How they were computed."""

    _sample_weight: NDArray[np.float64] | None = None
    """Mean 1."""

    _refinable: bool = True
    """False where more τ would be slow, as for scikit-learn's metrics: the widget then keeps to its grid."""

    _warned: tuple[str, ...] = ()
    """What is unusual about the model's answers, and what functions that are not the task's own metrics warned of, a
    sentence each; of rows in chunks, how far metrics of ranks can be off.
    """

    @property
    def quantile(self) -> float:
        """τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles, unless a note says otherwise."""
        return self._options.quantile

    @property
    def confidence(self) -> float:
        """Level of the intervals, in (0, 1)."""
        return self._options.confidence

    @property
    def interval(self) -> IntervalMethod:
        """How the intervals are made."""
        return self._options.interval

    @property
    def random_state(self) -> int | None:
        """Seed of the replicates; None for analytic intervals."""
        return self._options.random_state

    @property
    def hold(self) -> Hold | None:
        """What stayed while a feature moved: the means of all others, or also their being uncorrelated with it."""
        return self._options.hold

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return tuple(feature.name for feature in self.features)

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        return self._curves.metrics

    @property
    def taus(self) -> NDArray[np.float64]:
        """The grid, ascending, with 0 (the unstressed population) in it."""
        return self._curves.taus

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature, τ and metric: the tidy table, fresh for the caller to change.

        Columns: feature, tau, target (mean of the feature, its own unit), metric, value, lower, upper (interval
        at `confidence`), reliability ("reliable"; "wide": read the interval, not the number; "unreliable"), ess
        (effective rows), pareto_k, kl (nats), tv (in [0, 1]), note (with the reason, "" when there is nothing to say).
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        subject = {"feature": np.array(self.feature_names, dtype=object)}
        notes = np.array([note.by_tau for note in self.tau_notes], dtype=object).reshape(-1, len(self.taus))
        return pd.DataFrame(curve_columns(self._curves, subject, self.metric_names, notes))

    @property
    def notes(self) -> tuple[str, ...]:
        """Metrics that are not reliable without any stress, what others warned of, then what is said of features' τ."""
        about_features = (f"{name}: {word}" for name, words in self.feature_notes.items() for word in words)
        return (*unstressed_caveats(self._curves), *self._warned, *about_features)

    @property
    def feature_notes(self) -> Mapping[str, tuple[str, ...]]:
        """What must be said about a feature's τ: widened sides, extremes, unreliable and wide numbers.

        Features with nothing unusual are absent.
        """
        named = zip(self.feature_names, self.tau_notes, strict=True)
        return {name: note.words for name, note in named if note.words}

    @cached_property
    def tau_notes(self) -> tuple[FeatureNotes, ...]:
        """Per feature, the words about each side of τ, about each τ, and where numbers are unreliable or wide."""
        return tuple(
            feature_notes(feature, self._curves, row, self.quantile, self._sample_weight)
            for row, feature in enumerate(self.features)
        )

    def at(self, taus: int | Sequence[float] | NDArray[np.floating]) -> Self:
        """Compute the same curves, exactly, at other τ.

        Parameters
        ----------
        taus : int or sequence of float
            As in `Study.stress_curves`: an odd number of steps, or values in [-1, 1]; 0 is always among them.

        Returns
        -------
        StressCurves

        Raises
        ------
        InputError
            For τ outside [-1, 1]; where a metric is a function that was left behind, as in a pickled result.
        """
        grid = tau_grid(taus)
        if np.array_equal(grid, self.taus):
            return self
        ask = self._require_source().stress_curves
        return replace(self, _curves=ask(self.feature_names, taus=grid.tolist(), **vars(self._options))._curves)

    def rank(self, metric: str | None = None, low: float = -1, high: float = 1) -> pd.Series:
        """Score each feature by how far a metric moves between two τ.

        Parameters
        ----------
        metric : str, optional
            One of `metric_names`; by default the leading one.
        low, high : float
            τ in [-1, 1]; computed exactly where they are not on the grid.

        Returns
        -------
        pandas.Series
            value(high) - value(low) by feature, largest size first; features without a value last.

        Raises
        ------
        UnknownName
            For a metric that is not there.
        InputError
            For τ outside [-1, 1].

        References
        ----------
        Bachoc et al., "Explaining machine learning models using entropic variable projection", Table 1.
        """
        name = self._leading_metric.name if metric is None else metric
        place = self._metric_place(name)
        source = self
        if not (np.isin([low, high], self.taus)).all():
            source = self.at([low, high])
        value = source._curves.value[:, place, :]
        ends = np.searchsorted(source.taus, [low, high])
        return self._ranked(value[:, ends[1]] - value[:, ends[0]], name)

    def influence(self, metric: str | None = None) -> pd.Series:
        """Score each feature by how far a metric moves over the τ at which it is reliable.

        A rare level can turn any metric round at τ = 1, on a handful of rows; here a feature counts as far as the
        metric is reliable under its stress. Where it is so at no step for any feature, as a rate that ten rows make up,
        the τ count at which its interval can be read ("wide"), and where there are none either, all of them. The order
        of the widget's sliders, the summary and the charts.

        Parameters
        ----------
        metric : str, optional
            One of `metric_names`; by default the leading one.

        Returns
        -------
        pandas.Series
            Difference of the metric between the ends of that stretch around τ = 0, by feature, largest size first.

        Raises
        ------
        UnknownName
            For a metric that is not there.
        """
        name = self._leading_metric.name if metric is None else metric
        place, zero = self._metric_place(name), int(self.taus.searchsorted(0.0))
        value = self._curves.value[:, place, :]
        good, _ = usable(counted_levels(self._curves.reason[:, place], self._curves.amount[:, place]), zero)
        ends = usable_ends(good, zero)
        first, last = (np.take_along_axis(value, end[:, None], 1)[:, 0] for end in ends)
        return self._ranked(last - first, name)

    def _ranked(self, moved: NDArray[np.float64], name: str) -> pd.Series:
        order = np.argsort(-np.abs(moved), kind="stable")
        names = np.array(self.feature_names, dtype=object)[order]
        return pd.Series(moved[order], index=pd.Index(names, name="feature"), name=name)

    def _feature_place(self, name: str) -> int:
        """Place of a feature among `feature_names`; UnknownName, with the nearest, when it is not there."""
        return place_of("feature", name, self.feature_names)
