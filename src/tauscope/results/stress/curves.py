"""The answer to "what happens to decisions and errors when the population shifts": curves along τ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import place_of
from tauscope.results.base import Displayed
from tauscope.results.reliability import reliable, trusted_ends
from tauscope.results.stress.frame import curve_columns
from tauscope.results.stress.metrics import WithMetrics
from tauscope.results.stress.notes import FeatureNotes, feature_notes
from tauscope.results.stress.taus import tau_grid
from tauscope.results.stress.text import stress_summary
from tauscope.stress.curves import Curves
from tauscope.stress.joint.adjusted import Hold
from tauscope.stress.metrics import Metric
from tauscope.stress.outcomes import Task

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.features import Feature
    from tauscope.views.stress.curves import StressCurvesView

Interval = Literal["analytic", "bootstrap-t"]


@dataclass(frozen=True, repr=False, eq=False)
class StressCurves(WithMetrics, Displayed):
    """Every metric of a study along τ, for every feature, with what it takes to believe it.

    Made by `Study.stress_curves`. Shown in a notebook it is the widget; where no widget can live, a picture and
    a table.

    Attributes
    ----------
    features : tuple of Feature
        In the order of the study's columns.
    curves : Curves
        The engine's arrays, shape (n_features, n_metrics, n_taus) and (n_features, n_taus).
    skipped : tuple of (str, str)
        Features left out, with the reason.
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles, unless a note says otherwise.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
    model_name : str
    task : {"binary", "multiclass", "regression"}
    sample_weight : ndarray of shape (n_rows,) or None
        Mean 1.
    refinable : bool
        False where more τ would be dear, as for scikit-learn's metrics: the widget then keeps to its grid.
    hold : {"means", "uncorrelated"} or None
        What stayed while a feature moved: the means of all others, and their being uncorrelated with it.
    computed : datetime.date
        The day, for the pages saved from it.
    """

    features: tuple[Feature, ...]
    curves: Curves
    skipped: tuple[tuple[str, str], ...]
    quantile: float
    confidence: float
    n_rows: int
    model_name: str
    task: Task
    _recompute: Callable[[NDArray[np.float64]], Curves]
    sample_weight: NDArray[np.float64] | None = None
    interval: Interval = "analytic"
    random_state: int | None = None
    refinable: bool = True
    hold: Hold | None = None
    computed: date = field(default_factory=date.today)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return tuple(feature.name for feature in self.features)

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        return self.curves.metrics

    @property
    def taus(self) -> NDArray[np.float64]:
        """The grid, ascending, with 0 (the unstressed population) in it."""
        return self.curves.taus

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature, τ and metric: the tidy table, fresh for the caller to change.

        Columns: feature, tau, target (mean of the feature, its own unit), metric, value, lower, upper (interval
        at `confidence`), ess (effective rows), pareto_k, kl (nats), tv (in [0, 1]), note ("" when none).
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        subject = {"feature": np.array(self.feature_names, dtype=object)}
        notes = np.array([note.by_tau for note in self.tau_notes], dtype=object).reshape(-1, len(self.taus))
        return pd.DataFrame(curve_columns(self.curves, subject, self.metric_names, notes))

    @property
    def notes(self) -> Mapping[str, tuple[str, ...]]:
        """What must be said about a feature's τ: widened sides, extremes, numbers not to believe.

        Features with nothing unusual are absent.
        """
        named = zip(self.feature_names, self.tau_notes, strict=True)
        return {name: note.words for name, note in named if note.words}

    @cached_property
    def tau_notes(self) -> tuple[FeatureNotes, ...]:
        """Per feature, the words about each side of τ, about each τ, and what to doubt."""
        return tuple(
            feature_notes(feature, self.curves, row, self.quantile, self.sample_weight)
            for row, feature in enumerate(self.features)
        )

    def at(self, taus: int | Sequence[float] | NDArray[np.floating]) -> StressCurves:
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
            For τ outside [-1, 1].
        """
        grid = tau_grid(taus)
        if np.array_equal(grid, self.taus):
            return self
        return replace(self, curves=self._recompute(grid))

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
        name = self.leading_metric.name if metric is None else metric
        place = self.metric_place(name)
        source = self
        if not (np.isin([low, high], self.taus)).all():
            source = self.at([low, high])
        value = source.curves.value[:, place, :]
        ends = np.searchsorted(source.taus, [low, high])
        return self._ranked(value[:, ends[1]] - value[:, ends[0]], name)

    def influence(self, metric: str | None = None) -> pd.Series:
        """Score each feature by how far a metric moves over the τ that can be trusted.

        A rare level can turn any metric round at τ = 1, on a handful of rows; here a feature counts as far as its
        effective sample and Pareto k̂ hold. The order of the widget's sliders, the summary and the charts.

        Parameters
        ----------
        metric : str, optional
            One of `metric_names`; by default the leading one.

        Returns
        -------
        pandas.Series
            Difference of the metric between the ends of the trusted stretch around τ = 0, by feature, largest size
            first. Of the whole grid where no τ but 0 can be trusted for any feature.

        Raises
        ------
        UnknownName
            For a metric that is not there.
        """
        name = self.leading_metric.name if metric is None else metric
        value = self.curves.value[:, self.metric_place(name), :]
        good = reliable(self.curves.ess, self.curves.pareto_k)
        ends = trusted_ends(good, int(self.taus.searchsorted(0.0)))
        first, last = (np.take_along_axis(value, end[:, None], 1)[:, 0] for end in ends)
        return self._ranked(last - first, name)

    def _ranked(self, moved: NDArray[np.float64], name: str) -> pd.Series:
        order = np.argsort(-np.abs(moved), kind="stable")
        names = np.array(self.feature_names, dtype=object)[order]
        return pd.Series(moved[order], index=pd.Index(names, name="feature"), name=name)

    def feature_place(self, name: str) -> int:
        """Place of a feature among `feature_names`; UnknownName, with the nearest, when it is not there."""
        return place_of("feature", name, self.feature_names)

    def chart(
        self,
        metrics: str | Sequence[str] | None = None,
        features: str | Sequence[str] | None = None,
        highlight: str | Sequence[str] | None = None,
    ) -> alt.ConcatChart:
        """Draw small multiples, one per metric, as an Altair chart to restyle or save.

        Parameters
        ----------
        metrics : str or sequence of str, optional
            Which metrics, one panel each; all by default.
        features : str or sequence of str, optional
            Which features; by default the 30 that move the first panel's metric most.
        highlight : str or sequence of str, optional
            Which of them carry colour, a band and their name; by default those asked for with `features`, or
            the five that move most. The others stay grey.

        Returns
        -------
        altair.ConcatChart
            Data inline; curves are drawn faded where ESS < 30 or Pareto k > 0.5.

        Notes
        -----
        Altair's default renderer fetches its scripts from a CDN when a chart is displayed. To stay offline show it as
        a picture, ``alt.renderers.enable("png")``, or with scripts of its own, ``alt.renderers.enable("jupyter",
        offline=True)``; in a file, ``chart.save("x.html", inline=True)``. These need the `export` extra. The result's
        own ``.save("x.html")`` needs no network, nor does its display.
        """
        from tauscope.figures.stress.curves import stress_curves_chart

        return stress_curves_chart(self, metrics=metrics, features=features, highlight=highlight)

    def roc_chart(
        self, features: str | Sequence[str] | None = None, highlight: str | Sequence[str] | None = None
    ) -> alt.LayerChart:
        """Draw the true against the false positive rate along τ, a path per feature [EVP Fig 7].

        The decision threshold stays and the people change, so that this is no ROC curve of the model; all paths
        cross where nothing is stressed.

        Parameters
        ----------
        features, highlight
            As in `chart`; ranked by the true positive rate.

        Returns
        -------
        altair.LayerChart

        Raises
        ------
        InputError
            Where the curves do not hold both rates.
        UnknownName
            For a feature that is not there.

        Notes
        -----
        Shown without a network as the notes of `chart` say.
        """
        from tauscope.figures.stress.roc import stress_roc_chart

        return stress_roc_chart(self, features=features, highlight=highlight)

    def widget(self, *, n_taus: int | None = None, **traits: Any) -> StressCurvesView:
        """Make the widget: a slider per feature, curves, readout.

        Parameters
        ----------
        n_taus : int, optional
            Steps of τ the sliders move in, odd; by default 101, 41 or 21, as many as fit 1 MB. All are computed.
        **traits
            First values of `tau`, `feature`, `metric`, `rank_by`; see `StressCurvesView`.

        Returns
        -------
        StressCurvesView
        """
        from tauscope.views.stress.curves import StressCurvesView

        return StressCurvesView(self, n_taus=n_taus, **traits)

    def save(self, path: str | Path) -> None:
        """Write the curves to a file, by its ending.

        Parameters
        ----------
        path : str or Path
            .html, an interactive page that needs no kernel and no network; .png, .svg or .pdf, the chart (needs
            the `export` extra); .csv, the frame; .json, the frame with what it was computed from.

        Raises
        ------
        InputError
            For another ending.
        ImportError
            For a picture without vl-convert; names the extra to install.
        """
        from tauscope.sharing.stress_curves import save_stress_curves

        save_stress_curves(self, Path(path))

    def __repr__(self) -> str:
        return stress_summary(self)
