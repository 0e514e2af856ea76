"""The answer to "what happens to decisions and errors when the population shifts": curves along τ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tauscope.results import show
from tauscope.results.base import records
from tauscope.results.stress import text
from tauscope.results.stress.curve_numbers import CurveNumbers

if TYPE_CHECKING:
    import altair as alt


@dataclass(frozen=True, repr=False, eq=False)
class StressCurves(CurveNumbers):
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
    n_rows : int
    model_name : str
    task : {"binary", "multiclass", "regression"}
    options : CurvesOptions
        How they were computed.
    sample_weight : ndarray of shape (n_rows,) or None
        Mean 1.
    refinable : bool
        False where more τ would be slow, as for scikit-learn's metrics: the widget then keeps to its grid.
    """

    @property
    def title(self) -> str:
        """Which model: "Stress curves of LogisticRegression, other means held"."""
        return text.title(self)

    @property
    def caption(self) -> str:
        """What a page saved from this is a copy of."""
        return f"{self.title}, {text.extent(self)}"

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
        return show.draw(self, metrics=metrics, features=features, highlight=highlight)

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
        return show.draw(self, name="draw_roc", features=features, highlight=highlight)

    def widget(self, *, n_taus: int | None = None, **traits: Any) -> show.StressCurvesView:
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
        return show.view(self, n_taus=n_taus, **traits)

    def document(self) -> dict[str, Any]:
        """See `Result.document`."""
        curves = self.curves
        return {
            "schema": "tauscope.stress_curves",
            "version": 1,
            "model": self.model_name,
            "task": self.task,
            "n_rows": self.n_rows,
            "quantile": self.quantile,
            "confidence": self.confidence,
            "computed": self.computed_on.isoformat(),
            "metrics": [{"name": metric.name, "label": metric.label, "kind": metric.kind} for metric in curves.metrics],
            "features": [
                {
                    "name": feature.name,
                    "column": feature.column,
                    "level": feature.level,
                    "kind": feature.kind,
                    "mean": float(curves.mean[row]),
                    "n_missing": int(curves.n_missing[row]),
                    "reached": curves.reached[row].tolist(),
                }
                for row, feature in enumerate(self.features)
            ],
            "skipped": [{"name": name, "reason": reason} for name, reason in self.skipped],
            "notes": {name: list(words) for name, words in self.feature_notes.items()},
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        return text.stress_summary(self)
