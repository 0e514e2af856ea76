"""The effect of one feature, or two, on the model's prediction: a curve or surface, and the questions it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tauscope.effects import Effect
from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.effects.numbers import EffectNumbers
from tauscope.results.effects.spec import EffectKind
from tauscope.results.effects.text import effect_summary
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    import altair as alt

    from tauscope.effects import Lipschitz
    from tauscope.results.effects.bounds import EffectBounds
    from tauscope.results.effects.breakdown import EffectBreakdown
    from tauscope.results.effects.by_group import EffectByGroup
    from tauscope.results.effects.comparison import EffectComparison, Supremum
    from tauscope.results.effects.regions import EffectRegions
    from tauscope.results.effects.shift import EffectShift
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.scenario import Scenario
    from tauscope.stress.joint.constraints import Constraint, Stress

Callback = Callable[[int, int], object]


@dataclass(frozen=True, repr=False, eq=False)
class FeatureEffect(EffectNumbers):
    """A model's prediction along one feature, or over two, with an interval and the number of rows at each point.

    Made by `Study.effect`. Of rows in chunks it has no individual curves, and nothing that needs them: `bounds`,
    `breakdown`, `regions`, `under`, `compare` and `ice` say so; `by` asks the model again.

    Attributes
    ----------
    quantity : {"probability", "score", "predicted label", "value"}
        What of the model's answer is followed; `response` and `responses` name it.
    model_name : str
    n_rows : int
    ess : float
        Effective sample size (Σw)²/Σw² of the rows' weights, rows.
    source : Study or None
        Whose effect it is, and what further questions go to.

    Examples
    --------
    >>> effect = study.effect("mean radius", grid=5)
    >>> effect.bounds(0.1).epsilon
    0.1
    >>> print(effect.breakdown(12, 16).sentence)
    the direction between 11.7 and 16.1 survives any reweighting of these rows
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
            `.sentence`, `.frame`, `.mask(0)` for `Study.where`, `.chart()`. The model is not called.

        Raises
        ------
        UnknownName
            For a column or class that is not there.
        InputError
            For another kind, two features, or where individual curves were not kept.
        """
        from tauscope.results.effects.regions import split

        return split(self, features, min_share, min_reduction, target_class)

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
        """Bound the curve against every reweighting of the rows within a distance; the model is not called.

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
        """Find the smallest reweighting that turns the direction between two points; the model is not called.

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

    def under(self, stress: Constraint | Stress | Scenario | Reweighting, *, quantile: float = 0.05) -> EffectShift:
        """Compute the same effect under a stress, with every bound at exactly the distance of its weights.

        Parameters
        ----------
        stress : Constraint, Stress, Scenario or Reweighting
            As in `Study.under`; solved from the study's own weights.
        quantile : float
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.

        Returns
        -------
        EffectShift
            The model is not called: these are weighted means of the individual curves. Their interval takes the
            weights as known, and not as met anew on other rows.

        Raises
        ------
        InputError
            For a stress that cannot be met, weights of other rows, or where individual curves were not kept.
        """
        from tauscope.results.effects.shift import shift

        return shift(self, stress, quantile)

    def by(
        self,
        by: Any,
        stress: Constraint | Stress | Scenario | Reweighting | None = None,
        *,
        within: bool = False,
        quantile: float = 0.05,
    ) -> EffectByGroup:
        """Give every group of rows its own curve, and the gaps between the curves.

        The model is not called, but for rows in chunks, of which no answers were kept: again on as many rows as for
        this effect, and `n_model_rows` of the result counts them.

        Parameters
        ----------
        by : str, sequence of str, or column of shape (n_rows,)
            Name of a column with levels, or with at most 10 distinct numbers; several names, whose levels are crossed;
            a mask; or a label for each row. Rows without a value are a group "missing". Of rows in chunks names alone.
        stress : Constraint, Stress, Scenario or Reweighting, optional
            As in `under`. By default the rows have the weights of this effect.
        within : bool, default False
            False, a marginal shift: the population moves as a whole; all groups have the weights of that one stress,
            and their shares follow. True, a shift within groups: the stress is solved among the rows of each group, τ
            standing for its own quantiles, and the shares stay; a group whose rows cannot meet it has no curve, and
            the notes say why. This takes the rows in memory.
        quantile : float
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.

        Returns
        -------
        EffectByGroup
            `.frame`, each group's curve with its interval and effective rows; `.gaps`; `.difference(a, b)`;
            `.chart()`. Points, windows, bins and the order of levels are those of all rows, so that curves can be
            compared.

        Raises
        ------
        UnknownName
            For a column that is not there, with the nearest names.
        InputError, InputTypeError
            For a column of too many numbers, more than 200 groups, another number of rows, what names no groups, two
            features, individual curves that were not kept, and `n_neighbors`: the nearest rows of a group are others
            than its rows among the nearest of all. For rows in chunks also for a mask, labels, a shift within groups,
            a scenario, and where the model was left behind.

        Notes
        -----
        Rows in chunks are read three times, and once more for each of these: a column of groups that holds numbers,
        conditional dependence, and a stress, besides what solves it. The last pass calls the model.

        Examples
        --------
        >>> effect = study.effect("mean radius", grid=5)
        >>> effect.by(X_test["mean texture"] > 20, ts.Mean("mean radius", tau=0.3)).shift
        'marginal'
        """
        return self._require_source()._effect_by_group(self, by, stress, within=within, quantile=quantile)

    def compare(
        self,
        other: Any,
        *,
        distance: Supremum | float | Sequence[float] = "rows",
        n_samples: int = 10_000,
        random_state: Any = None,
        progress: bool = True,
    ) -> EffectComparison:
        """Compare with another model's curve, with the bounds on how far the two can be apart.

        Parameters
        ----------
        other : model, Study or FeatureEffect
            A fitted model or function for the same rows, or the study of one: it is then called as this one was, on
            these rows. Or its effect, of the same kind, feature, points and rows.
        distance : {"rows", "box"}, float or sequence of float, default "rows"
            The largest difference of the two models' answers (of accumulated effects: of their slopes) that Lemma 2
            and Theorem 4.5 use. "rows": over the answers compared, certified for these rows. "box": over random
            points of the box the rows span too, an estimate from below of that over all its points. Or known, one
            for all classes or one each.
        n_samples : int, default 10_000
            Points of the box; each costs both models one row.
        random_state : int, Generator or None
            Draws them.
        progress : bool, default True
            Whether a bar shows when calling the other model takes two seconds.

        Returns
        -------
        EffectComparison
            `.frame`, `.sentence`, `.covers`, `.chart()`.

        Raises
        ------
        InputError, InputTypeError
            For effects that differ in more than the model, a model of other classes, a study without a model or of
            rows in chunks, or anything that is no model.
        """
        from tauscope.results.effects.comparison import compare

        return compare(self, other, distance, n_samples, random_state, progress)

    def _recompute(self, features: Sequence[str], kind: EffectKind, callback: Callback) -> FeatureEffect:
        """Compute the effect of other features, or of another kind, as this one was.

        Parameters
        ----------
        features : sequence of str
            One or two names.
        kind : {"pd", "cd", "ale", "dale"}
        callback : callable
            As in `Study.effect`.

        Returns
        -------
        FeatureEffect
            With the options of this one; its notes say which are not, being in the unit of a feature.

        Raises
        ------
        InputError
            Where there is no such effect, or this one is under a stress of its own.
        """
        if self._moved:
            raise InputError(
                "This effect is under a stress of its own; other effects under it: study.under(stress).effect(…)."
            )
        spec, notes = self._spec.carried_to(features, kind)
        effect: FeatureEffect = self._require_source()._effect_from(spec, progress=False, callback=callback)
        return replace(effect, _extra_notes=(*notes, *effect._extra_notes))

    def widget(self, *, compare: Sequence[EffectKind] = (), by: Any = "", **traits: Any) -> show.FeatureEffectView:
        """Make the widget: the curve with its rows, the band of a distance to choose, the stress shown.

        Parameters
        ----------
        compare : sequence of {"pd", "cd", "ale", "dale"}
            Kinds computed now and sent along, to be laid over this one where there is no kernel.
        by : str, sequence of str, or column of shape (n_rows,), optional
            What rows are told apart by at first, of 2 to 12 groups, each with a curve of its own under the stress
            shown; as in `by`. Others can be picked.
        **traits
            First values of `features`, `kind`, `compared`, `target_class`, `epsilon`, `stress`; see
            `FeatureEffectView`.

        Returns
        -------
        FeatureEffectView

        Raises
        ------
        UnknownName, InputError, InputTypeError
            For a `by` that names no groups, fewer than two or more than 12.
        """
        return show.view(self, compare=compare, by=by, **traits)

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
        A notebook shows it as a picture, which needs no network, by the `export` extra; without that, its words.
        Altair's renderers draw it when one is enabled, such as ``alt.renderers.enable("jupyter", offline=True)``,
        and ``chart.save("x.html", inline=True)`` writes it with their scripts.

        It carries no `config` of its own, so that charts combine with ``|``, ``&`` and ``+``. Its look is the theme
        "tauscope", used while no other is enabled: ``alt.theme.enable("dark")`` restyles it, and
        ``alt.theme.enable("tauscope")`` gives the look to every chart. A combination has it and is shown without a
        network where its first chart is one of these; of ``alt.hconcat`` and its like, Altair decides.
        """
        return show.draw(self, n_ice=n_ice, centred=centred)

    def _with_effect(self, computed: Effect) -> FeatureEffect:
        """Give the same with another curve of the same rows and grid, under weights of its own."""
        return replace(
            self,
            _computed=computed,
            _computed_from="gradient" if self._computed_from == "gradient" else "cache",
            _extra_notes=(),
            _weighted=True,
            ess=effective_size(computed.sample_weight),
            _moved=True,
            source=None,
        )

    def __repr__(self) -> str:
        return effect_summary(self)
