"""The answer to "what does the model make of this feature": a curve, or a surface, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.effects import Effect
from tauscope.errors import InputError, UnknownName
from tauscope.results.base import Displayed
from tauscope.results.effects.numbers import Callback, EffectNumbers, Kind
from tauscope.results.effects.text import effect_summary

if TYPE_CHECKING:
    import altair as alt

    from tauscope.effects import Lipschitz
    from tauscope.results.effects.bounds import EffectBounds
    from tauscope.results.effects.breakdown import EffectBreakdown
    from tauscope.results.effects.comparison import EffectComparison, Supremum
    from tauscope.results.effects.regions import EffectRegions
    from tauscope.results.effects.shift import EffectShift
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.views.effects.effect import EffectView


@dataclass(frozen=True, repr=False, eq=False)
class FeatureEffect(EffectNumbers, Displayed):
    """What a model's answer is along one feature, or over two, with what stands behind each point.

    Made by `Study.effect`.

    Attributes
    ----------
    kind : {"pd", "cd", "ale", "dale"}
        Partial dependence, conditional dependence, accumulated local effect from differences or from derivatives
        (both centred: their mean over the rows is 0).
    axes : tuple of Axis
        The points of each feature.
    response : str
        What is followed: "probability of yes", "prediction".
    response_kind : {"share", "value"}
    classes : tuple of str
        The classes the effect is given for; empty for a regression.
    responses : tuple of str
        What is followed for each of them, "probability of yes"; `response` alone for a regression.
    computed : tauscope.effects.Effect
        The engine's arrays, individual curves and local effects among them.
    method : str
        How the numbers were had.
    notes : tuple of str
        What a reader of the curve must know.
    weighted : bool
        Whether the rows carry weights: the study's sample weight, or a stress.
    model_name : str
    study : Study or None
        Whose effect it is; None once it is under a stress of its own (`EffectShift.after`).
    origin : EffectOrigin or None
        What can still be asked of the model; None as for `study`.
    """

    def regions(
        self,
        features: Sequence[str] | None = None,
        *,
        min_share: float = 0.1,
        min_reduction: float = 0.1,
        target_class: object = None,
    ) -> EffectRegions:
        """Split the rows once, on another feature, where the curve hides two of different shapes.

        Parameters
        ----------
        features : sequence of str, optional
            Columns that may split; by default every other one.
        min_share : float, default 0.1
            Share of the rows each side must have, in (0, 1).
        min_reduction : float, default 0.1
            Part of the squared spread of the curves' shapes that a split must remove to be reported, in [0, 1].
        target_class : label, optional
            Which class, where the effect is given for several.

        Returns
        -------
        EffectRegions
            `.sentence`, `.frame`, `.mask(0)` for `Study.where`, `.chart()`. The model is asked nothing.

        Raises
        ------
        UnknownName
            For a column or class that is not there.
        InputError
            For another kind, two features, or where individual curves were not kept.
        """
        from tauscope.results.effects.regions import split

        return split(self, min_share, min_reduction, target_class, self._places_of(features))

    def _places_of(self, features: Sequence[str] | None) -> tuple[int, ...] | None:
        if features is None or self.study is None:
            return None
        names = self.study.feature_names
        for name in [features] if isinstance(features, str) else features:
            if name not in names:
                raise UnknownName.among("column", name, names)
        return tuple(names.index(name) for name in ([features] if isinstance(features, str) else features))

    def bounds(
        self,
        epsilon: float | None = None,
        *,
        kl: float | None = None,
        ratio: float | None = None,
        output_range: tuple[float, float] | None = None,
        lipschitz: Lipschitz | float | None = None,
        within_window: bool = False,
    ) -> EffectBounds:
        """Bound the curve against every reweighting of the rows within a distance; the model is asked nothing.

        Parameters
        ----------
        epsilon : float, optional
            Total variation, in [0, 1]; 0.1 where nothing else is given. Of the weights of all rows; for an
            accumulated effect, of those inside each bin.
        kl : float, optional
            Kullback-Leibler divergence in nats, instead. For conditional dependence inside each window.
        ratio : float, optional
            The most a row's weight may grow, at least 1, instead.
        output_range : (float, float), optional
            Known lowest and highest answers, such as (0, 1): the certified band of partial dependence then covers
            replacing a share epsilon of the rows by any others. By default the range seen on the rows, said in the
            notes.
        lipschitz : float or Lipschitz, optional
            For the paper's bound of an accumulated effect; by default the steepest local effect seen.
        within_window : bool, default False
            Conditional dependence: whether epsilon is the distance inside each window, as in the paper, and not that
            of all rows' weights, of which a window with a share p of the rows feels up to epsilon / p.

        Returns
        -------
        EffectBounds
            `.frame` with value, effect, certified_lower, certified_upper, paper_lower, paper_upper; `.chart()`.

        Raises
        ------
        InputError
            For a distance outside its range, two distances at once, or where individual curves were not kept.
        """
        from tauscope.results.effects.bounds import bound

        return bound(
            self,
            epsilon,
            kl=kl,
            ratio=ratio,
            output_range=output_range,
            lipschitz=lipschitz,
            within_window=within_window,
        )

    def breakdown(self, low: object = None, high: object = None, *, target_class: object = None) -> EffectBreakdown:
        """Find the smallest reweighting that turns the direction between two points; the model is asked nothing.

        Parameters
        ----------
        low, high : number, date or level, optional
            The nearest grid points are taken. By default those nearest to the 20th and 80th percentile of the
            feature; of levels, those with the lowest and the highest effect.
        target_class : label, optional
            Which class, where the effect is given for several.

        Returns
        -------
        EffectBreakdown
            `.epsilon`, `.sentence`, `.frame` with the rows it leans on.
        """
        from tauscope.results.effects.breakdown import break_down

        return break_down(self, low, high, target_class)

    def under(self, stress: Constraint | Stress | Reweighting, *, quantile: float = 0.05) -> EffectShift:
        """Give the same effect under a stress, beside every bound at exactly the distance moved.

        Parameters
        ----------
        stress : Constraint, Stress or Reweighting
            As in `Study.under`; solved from the study's own weights.
        quantile : float
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.

        Returns
        -------
        EffectShift
            The model is asked nothing: these are weighted means of the curves kept.

        Raises
        ------
        InputError
            For a stress that cannot be met, weights of other rows, or where individual curves were not kept.
        """
        from tauscope.results.effects.shift import moved

        weights, population = self._weights_under(stress, quantile)
        return moved(self, weights, population)

    def compare(
        self,
        other: Any,
        *,
        distance: Supremum | float | Sequence[float] = "rows",
        n_samples: int = 10_000,
        random_state: Any = None,
        progress: bool = True,
    ) -> EffectComparison:
        """Put another model's curve beside this one, with the bounds on how far the two can be apart.

        Parameters
        ----------
        other : model or FeatureEffect
            A fitted model or function for the same rows, which is then asked as this one was; or its effect, of the
            same kind, feature, points and rows.
        distance : {"rows", "box"}, float or sequence of float, default "rows"
            The largest difference of the two models' answers (of accumulated effects: of their slopes) that Lemma 2
            and Theorem 4.5 use. "rows": over the answers compared, certified for these rows. "box": over random
            points of the box the rows span too, an estimate from below of that over all its points. Or known, one
            for all classes or one each.
        n_samples : int, default 10_000
            Points of the box; each asks both models about one row.
        random_state : int, Generator or None
            Draws them.
        progress : bool, default True
            Whether a bar shows when asking the other model takes two seconds.

        Returns
        -------
        EffectComparison
            `.frame`, `.sentence`, `.covers`, `.chart()`.

        Raises
        ------
        InputError, InputTypeError
            For effects that differ in more than the model, a model of other classes, or anything that is no model.
        """
        from tauscope.results.effects.comparison import compare

        return compare(self, other, distance, n_samples, random_state, progress)

    def another(self, features: Sequence[str], kind: Kind, callback: Callback) -> FeatureEffect:
        """Compute the effect of other features, or of another kind, as this one was.

        Parameters
        ----------
        features : sequence of str
            One or two names.
        kind : {"pd", "cd", "ale", "dale"}
        callback : callable
            As in `Study.effect`.

        Raises
        ------
        InputError
            Where there is no such effect, or this one has left its study.
        """
        return self._another(features, kind, callback)

    def widget(self, *, compare: Sequence[Kind] = (), **traits: Any) -> EffectView:
        """Make the widget: the curve with its rows, the band of a distance to choose, the stress shown.

        Parameters
        ----------
        compare : sequence of {"pd", "cd", "ale", "dale"}
            Kinds computed now and sent along, to be laid over this one where there is no kernel.
        **traits
            First values of `features`, `kind`, `compared`, `target_class`, `epsilon`, `stress`; see `EffectView`.

        Returns
        -------
        EffectView
        """
        from tauscope.views.effects.effect import EffectView

        return EffectView(self, compare=compare, **traits)

    def chart(
        self, *, n_ice: int = 50, centred: object = False
    ) -> alt.VConcatChart | alt.HConcatChart | alt.LayerChart:
        """Draw the curve with its interval over where the rows are; levels as points, two features as a heat map.

        Parameters
        ----------
        n_ice : int, default 50
            Individual curves behind a partial dependence, spread evenly over its height; 0 for none.
        centred : bool, or a point, default False
            Partial dependence on one feature of numbers: draw every curve less its own value at the first point, or
            at the grid point nearest to the one given.

        Returns
        -------
        altair.VConcatChart, altair.HConcatChart or altair.LayerChart
            Data inline, to restyle or save.

        Notes
        -----
        Altair's default renderer fetches its scripts from a CDN when a chart is displayed. To stay offline show it as
        a picture, ``alt.renderers.enable("png")``, or with scripts of its own, ``alt.renderers.enable("jupyter",
        offline=True)``; in a file, ``chart.save("x.html", inline=True)``. These need the `export` extra. The result's
        own ``.save("x.html")`` needs no network.
        """
        from tauscope.figures.effects.effect import effect_chart

        return effect_chart(self, n_ice=n_ice, centred=centred)

    def save(self, path: str | Path) -> None:
        """Write the effect to a file, by its ending.

        Parameters
        ----------
        path : str or Path
            .html, an interactive page that needs no kernel and no network; .csv, the frame; .json, the frame with what
            it was computed from; .png, .svg or .pdf, the chart (needs the `export` extra).

        Raises
        ------
        InputError
            For another ending.
        ImportError
            For a picture without vl-convert; names the extra to install.
        """
        from tauscope.sharing.effects import save_effect

        save_effect(self, Path(path))

    def with_effect(self, computed: Effect) -> FeatureEffect:
        """Give the same with another curve of the same rows and grid, under weights of its own."""
        return replace(
            self,
            computed=computed,
            weighted=True,
            notes=computed.notes,
            study=None,
            _weights_under=_already_moved,
            _another=_left,
            origin=None,
        )

    def __repr__(self) -> str:
        return effect_summary(self)


def _already_moved(stress: object, quantile: float) -> tuple[NDArray[np.float64], str]:
    raise InputError(
        "This effect is under a stress already, and a second would start from other weights. "
        "Use study.under(first).effect(…).under(second), or join the two stresses with &."
    )


def _left(features: Sequence[str], kind: Kind, callback: Callback) -> FeatureEffect:
    raise InputError("This effect is under a stress of its own; other effects under it: study.under(stress).effect(…).")
