"""What a study can be asked about feature effects; each verb hands arrays to the engine and names the result."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from tauscope.study.model import ResponseMethod
from tauscope.study.ranges import RandomState
from tauscope.study.studied import Studied

if TYPE_CHECKING:
    from tauscope.results.effect import FeatureEffect, Kind
    from tauscope.results.effect_attack import AttackedEffect, AttackMethod
    from tauscope.results.effect_randomisation import RandomizedModel
    from tauscope.results.feature_effects import FeatureEffects
    from tauscope.study.bars import Callback
    from tauscope.study.effect import EffectInterval
    from tauscope.study.effect_asked import Method
    from tauscope.study.effect_attack import AttackKind
    from tauscope.study.effect_grid import Spacing
    from tauscope.study.effect_randomisation import RandomizeMethod
    from tauscope.study.effect_source import EffectSource
    from tauscope.study.model import Model
    from tauscope.study.prediction import Prediction, Reading


class EffectVerbs(Studied):
    """The effects engine's verbs."""

    def effect(
        self,
        feature: str | int | Sequence[str | int],
        *,
        kind: "Kind" = "pd",
        grid: Any = 50,
        spacing: "Spacing" = "quantile",
        response_method: ResponseMethod = "auto",
        target_class: Hashable | None = None,
        window: float | None = None,
        n_neighbors: int | None = None,
        gradient: Any = None,
        step: float | None = None,
        interval: "EffectInterval" = "analytic",
        confidence: float = 0.95,
        random_state: RandomState = None,
        ice_bytes: int = 2**28,
        method: "Method" = "auto",
        progress: bool = True,
        callback: "Callback | None" = None,
    ) -> "FeatureEffect":
        """Compute what the model's answer is along one feature, or over two.

        Parameters
        ----------
        feature : name, position, or two of them
            A column, of numbers, dates, bools or levels.
        kind : {"pd", "cd", "ale", "dale"}, default "pd"
            Partial dependence sets the value in every row; conditional dependence in the rows near it; an accumulated
            local effect adds up changes within bins, centred to mean 0. Two features of "ale": their interaction.
            "dale" adds up derivatives at the rows instead, of a smooth answer to one number.
        grid : int or sequence, default 50
            Most points: values that occur, or levels, the most frequent first; of two features an int above 20
            counts as 20 for each. Or the points themselves: numbers, dates, names of levels, None for missing; of two
            features a pair of such. Points outside the data are allowed, and said. Weights take no part in it, so
            that `study.under(stress).effect(…)` stands on the same points.
        spacing : {"quantile", "equidistant"}, default "quantile"
            Of numbers.
        response_method : {"auto", "predict_proba", "decision_function", "predict"}, default "auto"
            What is followed: the study's scores where there are any, else the share predicted; "predict" of a
            classifier is that share too. Of a regression its values.
        target_class : label, optional
            By default the positive class of two, and every class of several.
        window : float, optional
            kind="cd": half the width of the window around each point, in the feature's unit; by default 1/18 of its
            range.
        n_neighbors : int, optional
            kind="cd": the nearest rows, instead.
        gradient : array of shape (n_rows,) or (n_rows, n_classes), or callable, optional
            kind="dale": the answer's derivative along the feature at each row, or a function of the rows that gives
            it. By default differences are taken over a small step, for 2 rows of the model each.
        step : float, optional
            kind="dale": half of that step, in the feature's unit; by default 1e-4 of its range.
        interval : {"analytic", "bootstrap"}, default "analytic"
            Of the mean over rows, the model held fixed: Student t, or percentiles of 200 replicates of the rows.
        confidence : float, default 0.95
            Level of the interval, in (0, 1).
        random_state : int, Generator or None
            Draws the replicates.
        ice_bytes : int, default 2**28
            Memory for individual curves; where they need more they are not kept, and the result has no bounds.
        method : {"auto", "brute"}, default "auto"
            "auto" reads partial dependence of scikit-learn's tree ensembles from their nodes where all columns are
            numbers: the same numbers, and the model is asked about a few rows only, as a check. "brute" always asks.
        progress : bool, default True
            Whether a bar shows after two seconds. An interrupt leaves the effect of the rows asked about so far.
        callback : callable, optional
            Called as callback(done, total) after each batch of rows; something true stops there, as an interrupt does.

        Returns
        -------
        FeatureEffect
            `.frame`, `.chart()`, `.bounds()`, `.breakdown()`, `.under(stress)`, `.model_rows`.

        Raises
        ------
        UnknownName
            For a feature, level or class that is not there, with the nearest names.
        InputError, InputTypeError
            For a constant feature, a grid that cannot be used, or a study without a model.

        Notes
        -----
        Answers are kept, up to 512 MiB, for this study and those derived from it: the same effect under a stress, at
        the same points of a subgroup, or conditional dependence where partial dependence is known, asks nothing.
        """
        from tauscope.study.effect import effect

        return effect(
            self._effect_source(),
            feature,
            kind=kind,
            grid=grid,
            spacing=spacing,
            response_method=response_method,
            target_class=target_class,
            window=window,
            n_neighbors=n_neighbors,
            gradient=gradient,
            step=step,
            interval=interval,
            confidence=confidence,
            random_state=random_state,
            ice_bytes=ice_bytes,
            method=method,
            progress=progress,
            callback=callback,
        )

    def effects(
        self,
        features: Sequence[str | int] | None = None,
        *,
        kind: "Kind" = "pd",
        grid: int = 50,
        spacing: "Spacing" = "quantile",
        response_method: ResponseMethod = "auto",
        target_class: Hashable | None = None,
        individual: bool = False,
        interval: "EffectInterval" = "analytic",
        confidence: float = 0.95,
        random_state: RandomState = None,
        ice_bytes: int = 2**28,
        method: "Method" = "auto",
        progress: bool = True,
        callback: "Callback | None" = None,
    ) -> "FeatureEffects":
        """Compute the curves of many features, to compare and rank them.

        Parameters
        ----------
        features : names or positions, optional
            By default every column with two values.
        kind, spacing, response_method, target_class, interval, confidence, random_state, method
            As in `effect`.
        grid : int, default 50
            Most points of each.
        individual : bool, default False
            Whether to follow rows one by one where the answer is a sum of trees (a regression, a forest's
            probability, a boosted margin). Without it their leaves are added up for all features in one traversal,
            many times faster: the same curves, but no interval and no bounds.
        ice_bytes : int, default 2**28
            Memory for the individual curves of all features together; those that need more are not kept.
        progress : bool, default True
            Whether a bar shows after two seconds. An interrupt leaves the features done so far.
        callback : callable, optional
            Called as callback(done, total) after each feature; something true stops there.

        Returns
        -------
        FeatureEffects
            `.frame`, `.rank()`, `.chart()`, and each `FeatureEffect` by name.

        Raises
        ------
        UnknownName
            For a feature or class that is not there.
        InputError, InputTypeError
            As `effect`, and where no column has two values.
        """
        from tauscope.study.effect_several import effects

        return effects(
            self._effect_source(),
            features,
            kind=kind,
            grid=grid,
            spacing=spacing,
            response_method=response_method,
            target_class=target_class,
            individual=individual,
            interval=interval,
            confidence=confidence,
            random_state=random_state,
            ice_bytes=ice_bytes,
            method=method,
            progress=progress,
            callback=callback,
        )

    def attack(
        self,
        feature: str | int,
        method: "AttackMethod" = "greedy",
        *,
        at: Any = None,
        columns: Sequence[str | int] | None = None,
        kind: "AttackKind" = "pd",
        grid: Any = 20,
        response_method: ResponseMethod = "auto",
        target_class: Hashable | None = None,
        window: float | None = None,
        output_range: tuple[float, float] | None = None,
        clip: bool = True,
        random_state: RandomState = None,
        progress: bool = True,
        callback: "Callback | None" = None,
        **options: Any,
    ) -> "AttackedEffect":
        """Perturb some columns of the rows so that one point of a curve moves, and judge it by every bound.

        Parameters
        ----------
        feature : name or position
            The curve's feature; its own values stay.
        method : {"greedy", "gaussian", "genetic"}, default "greedy"
            "greedy" gives a share of the rows the values that move their own answers most, and of these three goes
            furthest. "gaussian" adds normal noise to every row, for several standard deviations. "genetic" is the
            search of the cited paper, over whole data sets.
        at : number, date or level, optional
            The point of the curve to move. By default the median, or the most frequent level.
        columns : names or positions, optional
            What is perturbed. By default, as in the paper, the two other columns of numbers whose partial dependence
            varies most.
        kind : {"pd", "cd"}, default "pd"
        grid : int or sequence, default 20
            Of the curve drawn before and after.
        response_method, target_class, window
            As in `effect`; of several classes one must be named.
        output_range : (float, float), optional
            Known lowest and highest answers, such as (0, 1). By default B of the paper's bound is the largest answer
            before, and the certified bounds use the range seen before and after.
        clip : bool, default True
            Whether perturbed numbers stay within each column's range; whole numbers stay whole.
        random_state : int, Generator or None
        progress : bool, default True
            Whether a bar shows after two seconds. An interrupt stops with the best found so far.
        callback : callable, optional
            Called as callback(done, total) while the model is asked and after each step of the attack; something true
            stops it with the best found so far.
        **options
            "greedy": `aim` ("high", "low" or a number, default "high"), `budget` (share of the rows' weight that may
            change, default 0.1), `n_candidates` (combinations of values tried, default 50).
            "gaussian": `sigma` (one or several; default those of the paper), `repeats` (5), `relative` (True: sigma
            in standard deviations of each column, False: in its unit), `accumulate` (False; True as the paper's code).
            "genetic": `aim`; `search` ("sparse", which changes few rows strongly and loses nothing it found, or
            "published", as in the papers); and any field of `tauscope.effects.GeneticSearch`, such as `population`.

        Returns
        -------
        AttackedEffect
            `.frame` (each attack with its distances and bounds), `.verdicts`, `.curve`, `.summary` (the perturbed
            columns), `.chart()`, `.perturbed_rows()`.

        Raises
        ------
        UnknownName
            For a feature, column, level or class that is not there.
        InputError, InputTypeError
            For columns that cannot take noise, options of another method, or a study without a model.

        References
        ----------
        Baniecki, Casalicchio, Bischl and Biecek, "On the robustness of global feature effect explanations", 2024.
        Baniecki, Kretowicz and Biecek, "Fooling partial dependence via data poisoning", 2022.
        """
        from tauscope.study.effect_attack import attack

        return attack(
            self._effect_source(),
            feature,
            method,
            at=at,
            columns=columns,
            kind=kind,
            grid=grid,
            response_method=response_method,
            target_class=target_class,
            window=window,
            output_range=output_range,
            clip=clip,
            random_state=random_state,
            progress=progress,
            callback=callback,
            **options,
        )

    def randomize_model(
        self,
        features: str | int | Sequence[str | int] | None = None,
        *,
        kind: "Kind | Sequence[Kind]" = "pd",
        method: "RandomizeMethod" = "auto",
        module: Any = None,
        sigma: float | Sequence[float] = (0.1, 0.25, 0.5, 1.0),
        repeats: int = 5,
        grid: int = 18,
        n_rows: int | None = 500,
        response_method: ResponseMethod = "auto",
        target_class: Hashable | None = None,
        random_state: RandomState = None,
        progress: bool = True,
        callback: "Callback | None" = None,
    ) -> "RandomizedModel":
        """Disturb the model step by step and see whether its curves notice.

        A curve that stays where the model has forgotten what it learnt does not describe what it learnt.

        Parameters
        ----------
        features : name, position, or several of them, optional
            Columns of numbers; by default all with three different values.
        kind : {"pd", "cd", "ale", "dale"} or several, default "pd"
            "cd" with windows of a ninth of the range, "dale" by finite differences.
        method : {"auto", "layers", "refit"}, default "auto"
            "layers": noise in the weights and biases of a network, the last layer first and each step keeping the
            noise of the one before; of `MLPClassifier` and `MLPRegressor`, also inside a pipeline or a search, and of
            a torch `module`. "refit": the estimator fitted anew on rows drawn with replacement, for models without
            layers.
        module : torch.nn.Module, optional
            The network behind a study of a function. Its parameters are changed while it is asked, and put back.
        sigma : float or several, default (0.1, 0.25, 0.5, 1)
            Standard deviation of the noise, in the parameters' unit.
        repeats : int, default 5
            Draws for each sigma, or refits.
        grid : int, default 18
            Equidistant points.
        n_rows : int or None, default 500
            Rows the curves are computed on, spread evenly over the data; None: all. Scores are of all rows.
        response_method, target_class
            As in `effect`.
        random_state : int, Generator or None
        progress : bool, default True
            Whether a bar shows after two seconds. An interrupt leaves the models done so far.
        callback : callable, optional
            Called as callback(done, total) after each model; something true stops there.

        Returns
        -------
        RandomizedModel
            `.frame`, `.summary` (by step, with the accuracy or R² that is left), `.chart()`.

        Raises
        ------
        InputError, InputTypeError
            For a model without layers where they are asked for, or without labels where it is to be fitted anew.

        References
        ----------
        Adebayo, Gilmer, Muelly, Goodfellow, Hardt and Kim, "Sanity checks for saliency maps", 2018; Baniecki,
        Casalicchio, Bischl and Biecek, 2024, experiment 2.
        """
        from tauscope.study.effect_randomisation import randomize_model

        return randomize_model(
            self._effect_source(),
            features,
            kind=kind,
            method=method,
            module=module,
            sigma=sigma,
            repeats=repeats,
            grid=grid,
            n_rows=n_rows,
            response_method=response_method,
            target_class=target_class,
            random_state=random_state,
            progress=progress,
            callback=callback,
        )

    def _effect_source(self) -> "EffectSource":
        from tauscope.study.effect_source import EffectSource

        def like(reading: "Reading", prediction: "Prediction", model: "Model") -> "EffectSource":
            other = type(self).__new__(type(self))
            other._settle(self._given, reading, prediction, model)
            return other._effect_source()

        return EffectSource(
            self, self._given, self._reading, self._prediction, self._model, self._kept, self._kept_rows, like
        )
