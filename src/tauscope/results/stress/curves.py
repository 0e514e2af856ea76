"""The answer to "what happens to decisions and errors when the population shifts": curves along τ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from numbers import Real
from typing import TYPE_CHECKING, Any, get_args

from tauscope.errors import InputError, InputTypeError
from tauscope.results import show
from tauscope.results.base import records
from tauscope.results.stress import text
from tauscope.results.stress.harm import StressHarm, Worse, rank as rank_shifts, worse_side
from tauscope.results.stress.numbers.curve_numbers import CurveNumbers

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.stress.curves_by_group import CurvesByGroup


@dataclass(frozen=True, repr=False, eq=False)
class StressCurves(CurveNumbers):
    """Every metric of a study along τ, for every feature, with what it takes to believe it.

    Made by `Study.stress_curves`. Shown in a notebook it is the widget; where no widget can live, a picture and
    a table.

    Attributes
    ----------
    features : tuple of Feature
        In the order of the study's columns.
    skipped : tuple of (str, str)
        Features left out, with the reason.
    n_rows : int
    model_name : str
    task : {"binary", "multiclass", "regression"}

    Examples
    --------
    >>> curves = study.stress_curves(taus=5, metrics="error_rate")
    >>> curves.rank("error_rate").shape
    (4,)
    >>> curves.save("curves.csv")
    """

    @property
    def title(self) -> str:
        """Which model: "Stress curves of LogisticRegression, other means held"."""
        return text.title(self)

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        return f"{self.title}, {text.extent(self)}"

    def chart(
        self,
        metrics: str | Sequence[str] | None = None,
        features: str | int | Sequence[str | int] | None = None,
        highlight: str | int | Sequence[str | int] | None = None,
    ) -> alt.ConcatChart:
        """Draw small multiples, one per metric, as an Altair chart to restyle or save.

        Parameters
        ----------
        metrics : str or sequence of str, optional
            Which metrics, one panel each; all by default.
        features : str or int, or several, optional
            Features, by name or position of the column; by default the 30 that move the first panel's metric most.
        highlight : str or int, or several, optional
            Which of them carry colour, a band and their name; by default those asked for with `features`, or
            the five that move most. The others stay grey.

        Returns
        -------
        altair.ConcatChart
            Data inline; curves are drawn faded where ESS < 30 or Pareto k > 0.5.

        Notes
        -----
        A notebook shows it as a picture, which needs no network, by the `export` extra; without that, its words.
        Altair's renderers draw it when one is enabled, such as ``alt.renderers.enable("jupyter", offline=True)``,
        and ``chart.save("x.html", inline=True)`` writes it with their scripts.

        It carries no `config` of its own, so that charts combine with ``|``, ``&`` and ``+``. Its look is the theme
        "tauscope", used while no other is enabled: ``alt.theme.enable("dark")`` restyles it, and
        ``alt.theme.enable("tauscope")`` gives the look to every chart. A combination has it and is shown without a
        network where its first chart is one of these; of ``alt.hconcat`` and its like, Altair decides.
        """
        return show.draw(self, metrics=metrics, features=features, highlight=highlight)

    def roc_chart(
        self,
        features: str | int | Sequence[str | int] | None = None,
        highlight: str | int | Sequence[str | int] | None = None,
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

    def widget(
        self, *, n_taus: int | None = None, beside: StressCurves | None = None, **traits: Any
    ) -> show.StressCurvesView:
        """Make the widget: a slider per feature, curves, readout.

        Parameters
        ----------
        n_taus : int, optional
            Steps of τ the sliders move in, odd; by default 101, 41 or 21, as many as fit 1 MB. All are computed.
        beside : StressCurves, optional
            Of another model on the same rows: its curve of the chosen feature is drawn in the same axes.
        **traits
            First values of `tau`, `feature`, `metric`, `rank_by`; `by`, groups of rows as `by()` takes them, 2 to 12 of
            them, and `within`; see `StressCurvesView`.

        Returns
        -------
        StressCurvesView
        """
        return show.view(self, n_taus=n_taus, beside=beside, **traits)

    def harm(self, metric: str | None = None, distance: float = 0.1, *, worse: Worse | None = None) -> StressHarm:
        """Say which shift of the population harms a metric most, every shift being equally large.

        Each feature is moved up and down until `distance` of the weight has changed hands, so that no rare level at
        100 % stands beside three more hours of work. What few rows carry stands last, and is marked.

        Parameters
        ----------
        metric : str, optional
            One of `metric_names`; by default the error rate or RMSE, else the leading one.
        distance : float, default 0.1
            Total variation of each shift from the rows as they are, in (0, 1).
        worse : {"higher", "lower", "either"}, optional
            Which way the metric gets worse. By default up for errors, down for scores, and "either", by the size of
            the change, for a portion of a class or a metric that is not known.

        Returns
        -------
        StressHarm
            `.frame`, `.chart()`, a widget of bars to choose from, and a text and a picture of the first ten. Each
            target is solved for, so that `study.reweight` to it has the same distance and the same metric. The
            interval of a change is paired: it counts that both values, the target, and the means that `hold` keeps are
            of the same rows.

        Raises
        ------
        UnknownName
            For a metric that is not there.
        InputError, InputTypeError
            For a distance outside (0, 1), or another side; for curves read from a record, which have left their study.
        """
        name = self._harmed(metric)
        check_distance(distance)
        side = worse_side(name) if worse is None else worse
        if side not in get_args(Worse):
            sides = ", ".join(get_args(Worse))
            raise InputError(f"worse must be one of {sides}; got {worse!r}. Leave it out where the metric says it.")
        place = self._metric_place(name)
        shifts = self._require_source()._equal_shifts(self, name, float(distance))
        return StressHarm(
            metric=self._curves.metrics[place],
            worse=side,
            _asked=float(distance),
            confidence=self.confidence,
            shifts=rank_shifts(shifts, side),
            n_rows=self.n_rows,
            model_name=self.model_name,
            hold=self.hold,
            source=self.source,
        )

    def by(self, by: Any, *, within: bool = False) -> CurvesByGroup:
        """Follow every group of rows along τ, and the gaps between them: what becomes of women and men, say.

        Parameters
        ----------
        by : str, sequence of str, or column of shape (n_rows,)
            Name of a column with levels, or with at most 10 distinct numbers; several names, whose levels are crossed;
            a mask; or a label for each row. Rows without a value are a group "missing".
        within : bool, default False
            False, a marginal shift: the population moves as a whole, so that its mean is what τ stands for; all groups
            have the weights of that one stress, and their shares follow. True, a shift within groups: each group moves
            by itself to what τ stands for among its own rows, and the shares stay.

        Returns
        -------
        CurvesByGroup
            Each metric of each group with its interval and the group's own effective rows; `.gaps` between the groups.

        Raises
        ------
        UnknownName
            For a column that is not there, with the nearest names.
        InputError, InputTypeError
            For a column of too many numbers, more than 200 groups, another number of rows, what names no groups,
            curves with `hold` or replicates, and metrics that take all rows at once, as ROC AUC does; of rows in chunks
            for anything but names of columns, and for `within`.

        Notes
        -----
        Away from τ = 0, intervals of groups of few rows cover more often than they say, and so do those of gaps: .97 at
        τ = ±0.5 and .98 to .99 at τ = ±1 for 95 %, in 120 samples of 600 rows (.95 at τ = 0). At τ = ±1 the few rows
        that carry the weight widen them, by their leverage and by Student's t. What a row adds to the end of τ and to
        the metric is summed apart, though it partly cancels.

        Examples
        --------
        >>> curves = study.stress_curves("mean radius", metrics="error_rate", taus=3)
        >>> curves.by(X_test["mean texture"] > 20, within=True).frame["group"].unique().tolist()
        ['False', 'True']
        """
        return self._require_source()._curves_by_group(self, by, within=within)

    def _harmed(self, metric: str | None) -> str:
        """Return the metric that harm is asked of; by default the first that says how wrong the model is."""
        if metric is not None:
            return self.metric_names[self._metric_place(metric)]
        of_errors = [name for name in ("error_rate", "rmse") if name in self.metric_names]
        return of_errors[0] if of_errors else self._leading_metric.name

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        curves = self._curves
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
                    "reached": [None if isnan(level) else level for level in curves.reached[row].tolist()],
                }
                for row, feature in enumerate(self.features)
            ],
            "skipped": [{"name": name, "reason": reason} for name, reason in self.skipped],
            "notes": {name: list(words) for name, words in self.feature_notes.items()},
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        return text.stress_summary(self)


def check_distance(distance: object) -> None:
    """Ask for a total variation that some shift can have."""
    rule = f"distance must be a total variation in (0, 1), the share of the weight moved; got {distance!r}. Try 0.1."
    if isinstance(distance, bool) or not isinstance(distance, Real):
        raise InputTypeError(rule)
    if not 0 < float(distance) < 1:
        raise InputError(rule)
