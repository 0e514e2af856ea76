"""What a study can be asked about how far its effects can be believed: against perturbed rows and a disturbed model."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from tauscope.model.model import ResponseMethod
from tauscope.study.base import StudyBase
from tauscope.weights.seeds import RandomState

if TYPE_CHECKING:
    from tauscope.model.progress_bar import Callback
    from tauscope.results.effects.attack import AttackMethod, EffectAttack
    from tauscope.results.effects.effect import Kind
    from tauscope.results.effects.randomisation import RandomizedModel
    from tauscope.study.effects.attack import AttackKind
    from tauscope.study.effects.randomisation import RandomizeMethod


class RobustnessVerbs(StudyBase):
    """The verbs that put effects to the test."""

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
    ) -> "EffectAttack":
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
        EffectAttack
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
        from tauscope.study.effects.attack import attack

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
        from tauscope.study.effects.randomisation import randomize_model

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
