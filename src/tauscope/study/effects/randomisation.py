"""The verb `randomize_model`: curves of a model that has forgotten, step by step, what it learnt."""

# What a person asks for can be anything.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import nullcontext
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from tauscope import effects
from tauscope.effects import BatchOptions, Effect, Grid, Window, numeric_grid, randomisation_test
from tauscope.errors import InputError
from tauscope.model.jobs import check_n_jobs
from tauscope.model.progress_bar import Bar, Callback
from tauscope.results.effects.randomisation import RandomizedModel
from tauscope.results.effects.spec import EffectKind
from tauscope.study.columns import column_positions
from tauscope.study.effects.disturbed import DisturbedModel, HoldParameters, RandomizeMethod, choose_disturber
from tauscope.weights.seeds import seed_of
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.table_rows import TableRows
    from tauscope.model.calls import ResponseMethod
    from tauscope.study.base import StudyBase
    from tauscope.weights.seeds import RandomState

SIGMAS = (0.1, 0.25, 0.5, 1.0)
POINTS = 18
FEWEST_VALUES = 3
N_ROWS = 500


def randomize_model(
    self: StudyBase,
    features: str | int | Sequence[str | int] | None = None,
    *,
    kind: EffectKind | Sequence[EffectKind] = "pd",
    method: RandomizeMethod = "auto",
    module: Any = None,
    sigma: float | Sequence[float] = SIGMAS,
    repeats: int = 5,
    grid: int = POINTS,
    n_rows: int | None = N_ROWS,
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
) -> RandomizedModel:
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
        The network behind a study of a function. Its parameters are changed while it predicts, and put back.
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
        Draws the noise or the rows, and seeds each refit of an estimator whose own `random_state` is not an int.
    n_jobs : int, optional
        Refits at a time, in processes of their own; noise in layers takes one core. -1 means all cores; None means 1
        unless in a `joblib.parallel_config` context. The same numbers come of any.
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
        For a model without layers where the method needs them, or without labels where it is to be fitted anew.

    References
    ----------
    Adebayo, Gilmer, Muelly, Goodfellow, Hardt and Kim, "Sanity checks for saliency maps", 2018; Baniecki,
    Casalicchio, Bischl and Biecek, 2024, experiment 2.

    Examples
    --------
    >>> drawn = study.randomize_model(method="refit", repeats=2, grid=5, random_state=0)
    >>> drawn.frame.columns.tolist()[:3]
    ['kind', 'feature', 'sigma']
    """
    kinds = _kinds(kind)
    sigmas = _sigmas(sigma)
    if isinstance(repeats, bool) or not isinstance(repeats, Integral) or repeats < 1:
        raise InputError(f"repeats must be a number of draws, at least 1; got {repeats!r}.")
    if method not in get_args(RandomizeMethod):
        raise InputError(f"method must be one of {', '.join(get_args(RandomizeMethod))}; got {method!r}.")
    if module is not None and method == "refit":
        raise InputError("method='refit' fits the model anew and takes no module. Leave one of the two out.")
    check_n_jobs(n_jobs)
    seed = seed_of(random_state)
    response = self._response(response_method, target_class)
    disturber = choose_disturber(self, method, module, sigmas, int(repeats), seed, n_jobs)
    sampled = _SampledRows(self, n_rows, response.batch_rows)
    positions = _features(self, features)
    grids = [_grid(self._table_rows, position, grid) for position in positions]
    options = (response_method, target_class)

    def disturbed(model: Any, hold: HoldParameters) -> DisturbedModel:
        return DisturbedModel(self, model, hold, *options)

    own = disturbed(self._require_model("has effects").model, nullcontext)
    curves = _Curves(own, sampled, positions, grids, kinds)
    with Bar("Disturbing the model", unit="model", shown=progress, callback=callback) as bar:
        computed = randomisation_test(
            curves,
            own,
            disturber.steps,
            disturber.models(disturbed),
            score=disturber.score,
            progress=bar.update,
            n_repeats=int(repeats),
        )
    return RandomizedModel(
        _computed=computed,
        method=disturber.method,
        steps=disturber.names,
        sigmas=disturber.sigmas,
        feature_names=tuple(self.feature_names[position] for position in positions),
        kinds=kinds,
        quantity=response.quantity,
        classes=response.classes,
        scored_by=None if self._true_values is None else "r2" if self._task == "regression" else "accuracy",
        n_rows=sampled.n_rows,
        random_state=seed,
        model_name=self._model_name,
        n_model_rows=curves.n_model_rows,
        _extra_notes=(*sampled.notes, *disturber.notes),
        source=self._as_source(),
    )


class _SampledRows:
    """The rows that curves are computed on: all, or some spread evenly over the data."""

    def __init__(self, study: StudyBase, n_rows: int | None, batch_rows: int | None) -> None:
        if n_rows is not None and (isinstance(n_rows, bool) or not isinstance(n_rows, Integral) or n_rows < 1):
            raise InputError(f"n_rows must be a number of rows, or None for all; got {n_rows!r}.")
        rows, weight = study._table_rows, study.sample_weight
        self.rows: TableRows = rows
        self.weight = weight
        self.batches = BatchOptions(batch_rows)
        self.notes: tuple[str, ...] = ()
        self.n_rows = rows.n_rows
        if n_rows is not None and n_rows < rows.n_rows:
            index = np.linspace(0, rows.n_rows - 1, int(n_rows)).round().astype(np.int64)
            self.rows, self.n_rows = rows.part(index), int(n_rows)
            self.weight = None if weight is None else weight[index]
            self.notes = (
                f"curves on {n_rows:,} of {count(rows.n_rows, 'row')}, spread evenly over the data; n_rows=None: all",
            )
        if self.weight is not None and not self.weight.any():
            raise InputError("The rows chosen have no weight. Take more of them, with n_rows.")


class _Curves:
    """The effects of a model, the person's `own` or a disturbed one, on fixed rows and grids."""

    def __init__(
        self,
        own: DisturbedModel,
        sampled: _SampledRows,
        positions: tuple[int, ...],
        grids: Sequence[Grid],
        kinds: tuple[EffectKind, ...],
    ) -> None:
        self._own = own
        self._sampled, self._positions, self._grids, self._kinds = sampled, positions, grids, kinds
        self.n_model_rows = 0

    def __call__(self, predict: Callable[[Any], Any]) -> list[Effect]:
        common: dict[str, Any] = {"sample_weight": self._sampled.weight, "batches": self._sampled.batches}
        rows, curves = self._sampled.rows, list[Effect]()
        for kind in self._kinds:
            for position, grid in zip(self._positions, self._grids, strict=True):
                if kind == "pd":
                    curves.append(effects.partial_dependence(predict, rows, (position,), (grid,), **common))
                elif kind == "cd":
                    window = Window()
                    curves.append(
                        effects.conditional_dependence(
                            predict, rows, (position,), (grid,), neighbourhood=window, **common
                        )
                    )
                elif kind == "ale":
                    curves.append(effects.accumulated_effect(predict, rows, position, grid, **common))
                else:
                    # noise can saturate a smooth network: only the person's own model is asked to be smooth
                    own = predict is self._own
                    curves.append(
                        effects.derivative_effect(
                            rows.with_reals(position), position, grid, predict=predict, require_smooth=own, **common
                        )
                    )
        self.n_model_rows += sum(effect.n_model_rows for effect in curves)
        return curves


def _kinds(kind: EffectKind | Sequence[EffectKind]) -> tuple[EffectKind, ...]:
    kinds = (kind,) if isinstance(kind, str) else tuple(kind)
    names = get_args(EffectKind)
    if not kinds or len(set(kinds)) != len(kinds) or any(value not in names for value in kinds):
        raise InputError(f"kind must be one or several of {', '.join(names)}; got {kind!r}.")
    return kinds


def _sigmas(sigma: Any) -> tuple[float, ...]:
    sigmas = [sigma] if isinstance(sigma, Real) else list(sigma)
    if not sigmas or not all(isinstance(value, Real) and 0 < float(value) < np.inf for value in sigmas):
        raise InputError(f"sigma must be positive and finite, one or several; got {sigma!r}. Try 0.25.")
    return tuple(float(value) for value in sigmas)


def _features(study: StudyBase, features: Any) -> tuple[int, ...]:
    rows, names = study._table_rows, study.feature_names
    if features is not None:
        positions = column_positions(study, features, "features")
        levels = [names[position] for position in positions if position in rows.categorical]
        if levels:
            raise InputError(f"Curves of a disturbed model are of numbers; {levels[0]!r} holds levels. Leave it out.")
        return positions
    varied = [
        position
        for position in range(rows.n_columns)
        if rows.takes_any_number(position)
        and np.unique(rows.column(position)[~np.isnan(rows.column(position))]).size >= FEWEST_VALUES
    ]
    if not varied:
        raise InputError(f"No column of numbers takes {FEWEST_VALUES} different values. Name the features.")
    return tuple(varied)


def _grid(rows: TableRows, position: int, size: Any) -> Grid:
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 2:
        raise InputError(f"grid must be a number of points, at least 2; got {size!r}.")
    column = rows.columns[position]
    return numeric_grid(rows.column(position), int(size), spacing="equidistant", integer=column.integer, missing=False)
