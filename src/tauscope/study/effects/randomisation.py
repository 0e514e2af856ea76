"""The verb `randomize_model`: curves of a model that has forgotten, step by step, what it learnt."""

# scikit-learn ships no types, and what a person asks for can be anything.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from tauscope import effects
from tauscope.effects import BatchOptions, Effect, Grid, Window, numeric_grid, randomisation_test
from tauscope.errors import InputError, InputTypeError
from tauscope.model.progress_bar import Bar, Callback
from tauscope.model.response import find_response
from tauscope.results.effects.numbers import Kind
from tauscope.results.effects.randomisation import RandomizedModel
from tauscope.study.effects.features import column_positions
from tauscope.study.effects.networks import ModuleNetwork, SklearnNetwork
from tauscope.study.subset import take_rows
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.data.table_rows import TableRows
    from tauscope.model.model import ResponseMethod
    from tauscope.study.effects.source import EffectSource

Floats = NDArray[np.float64]
RandomizeMethod = Literal["auto", "layers", "refit"]
SIGMAS = (0.1, 0.25, 0.5, 1.0)
POINTS = 18
FEWEST_VALUES = 3
N_ROWS = 500
REFIT = "refitted on rows drawn again"


def randomize_model(
    source: EffectSource,
    features: str | int | Sequence[str | int] | None = None,
    *,
    kind: Kind | Sequence[Kind] = "pd",
    method: RandomizeMethod = "auto",
    module: Any = None,
    sigma: float | Sequence[float] = SIGMAS,
    repeats: int = 5,
    grid: int = POINTS,
    n_rows: int | None = N_ROWS,
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    random_state: RandomState = None,
    progress: bool = True,
    callback: Callback | None = None,
) -> RandomizedModel:
    """Disturb a model step by step and follow its curves; parameters as in `Study.randomize_model`."""
    kinds = _kinds(kind)
    sigmas = _sigmas(sigma)
    if isinstance(repeats, bool) or not isinstance(repeats, Integral) or repeats < 1:
        raise InputError(f"repeats must be a number of draws, at least 1; got {repeats!r}.")
    if method not in get_args(RandomizeMethod):
        raise InputError(f"method must be one of {', '.join(get_args(RandomizeMethod))}; got {method!r}.")
    if module is not None and method == "refit":
        raise InputError("method='refit' fits the model anew and takes no module. Leave one of the two out.")
    seed = seed_of(random_state)
    response = source.response(response_method, target_class)
    disturber = _disturber(source, method, module, sigmas, int(repeats), seed)
    sampled = _Sampled(source, n_rows)
    positions = _features(source, features)
    grids = [_grid(source.rows, position, grid) for position in positions]
    curves = _Curves(sampled, positions, grids, kinds)
    original = _Disturbed(source, source.model.model, nullcontext, response_method, target_class)
    with Bar("Disturbing the model", unit="model", shown=progress, callback=callback) as bar:
        found = randomisation_test(
            curves,
            original,
            disturber.steps,
            disturber.models(lambda model, held: _Disturbed(source, model, held, response_method, target_class)),
            score=disturber.score,
            progress=bar.update,
            n_repeats=int(repeats),
        )
    return RandomizedModel(
        computed=found,
        method="refit" if isinstance(disturber, _Refits) else "layers",
        steps=disturber.names,
        sigmas=disturber.sigmas,
        feature_names=tuple(source.study.feature_names[position] for position in positions),
        kinds=kinds,
        response=response.name,
        response_kind=response.kind,
        classes=response.classes,
        score_name=_score_name(source, disturber),
        n_rows=sampled.n_rows,
        random_state=seed,
        model_name=source.study.model_name,
        n_model_rows=curves.n_model_rows,
        notes=(*sampled.notes, *disturber.notes),
    )


class _Sampled:
    """The rows that curves are computed on: all, or some spread evenly over the data."""

    def __init__(self, source: EffectSource, n_rows: int | None) -> None:
        if n_rows is not None and (isinstance(n_rows, bool) or not isinstance(n_rows, Integral) or n_rows < 1):
            raise InputError(f"n_rows must be a number of rows, or None for all; got {n_rows!r}.")
        rows, weight = source.rows, source.study.sample_weight
        self.rows: TableRows = rows
        self.weight = weight
        self.asking = BatchOptions(source.model.batch_rows)
        self.notes: tuple[str, ...] = ()
        self.n_rows = rows.n_rows
        if n_rows is not None and n_rows < rows.n_rows:
            index = np.linspace(0, rows.n_rows - 1, int(n_rows)).round().astype(np.int64)
            self.rows, self.n_rows = rows.part(index), int(n_rows)
            self.weight = None if weight is None else weight[index]
            self.notes = (
                f"curves on {n_rows:,} of {rows.n_rows:,} rows, spread evenly over the data; n_rows=None: all",
            )
        if self.weight is not None and not self.weight.any():
            raise InputError("The rows chosen have no weight. Take more of them, with n_rows.")


class _Curves:
    """The effects of a model on fixed rows and grids."""

    def __init__(
        self, sampled: _Sampled, positions: tuple[int, ...], grids: Sequence[Grid], kinds: tuple[Kind, ...]
    ) -> None:
        self._sampled, self._positions, self._grids, self._kinds = sampled, positions, grids, kinds
        self.n_model_rows = 0

    def __call__(self, predict: Callable[[Any], Any]) -> list[Effect]:
        common: dict[str, Any] = {"sample_weight": self._sampled.weight, "asking": self._sampled.asking}
        rows, found = self._sampled.rows, list[Effect]()
        for kind in self._kinds:
            for position, grid in zip(self._positions, self._grids, strict=True):
                if kind == "pd":
                    found.append(effects.partial_dependence(predict, rows, (position,), (grid,), **common))
                elif kind == "cd":
                    near = Window()
                    found.append(
                        effects.conditional_dependence(
                            predict, rows, (position,), (grid,), neighbourhood=near, **common
                        )
                    )
                elif kind == "ale":
                    found.append(effects.accumulated_effect(predict, rows, position, grid, **common))
                else:
                    moved = rows.with_reals(position)
                    found.append(effects.derivative_effect(moved, position, grid, predict=predict, **common))
        self.n_model_rows += sum(one.n_model_rows for one in found)
        return found


class _Disturbed:
    """A disturbed model: the response of rows, and its score on the study's own."""

    def __init__(
        self,
        source: EffectSource,
        model: Any,
        held: Callable[[], AbstractContextManager[None]],
        response_method: ResponseMethod,
        target_class: Hashable | None,
    ) -> None:
        self._source, self._held = source, held
        self._asked = source.model.other(model)
        read = find_response(self._asked, source.reading, source.prediction, response_method, target_class)
        self._predict = read.predict
        self.unseen: NDArray[np.bool_] | None = None

    def __call__(self, rows: Any) -> Any:
        with self._held():
            return self._predict(rows)

    def score(self) -> float:
        """Accuracy, or R², on the rows not fitted on, or on all."""
        source = self._source
        with self._held():
            predicted = source.reading(self._asked.ask(source.given.table)).predicted
        truth, weight = source.study.truth, source.study.sample_weight
        assert truth is not None
        rows = np.ones(len(truth), dtype=np.bool_) if self.unseen is None else self.unseen
        mass = np.ones(len(truth)) if weight is None else weight
        return _score(truth[rows], predicted[rows], mass[rows], regression=source.reading.task == "regression")


def _score(truth: NDArray[Any], predicted: NDArray[Any], mass: Floats, *, regression: bool) -> float:
    if not mass.any():
        return float("nan")
    if not regression:
        return float(np.average(truth == predicted, weights=mass))
    spread = float(np.average((truth - np.average(truth, weights=mass)) ** 2, weights=mass))
    left = float(np.average((truth - predicted) ** 2, weights=mass))
    return 1 - left / spread if spread > 0 else float("nan")


Make = Callable[[Any, Callable[[], AbstractContextManager[None]]], _Disturbed]


@dataclass
class _Layers:
    """Noise in the layers of a network, for each sigma from the last layer to the first."""

    source: EffectSource
    network: SklearnNetwork | ModuleNetwork
    sigmas: tuple[float, ...]
    repeats: int
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return self.network.steps

    @property
    def steps(self) -> list[str]:
        return [f"{name}, sigma {sigma:g}" for sigma in self.sigmas for name in self.names]

    @property
    def score(self) -> Callable[[Any], float] | None:
        return None if self.source.study.truth is None else lambda model: model.score()

    def models(self, make: Make) -> Iterator[list[_Disturbed]]:
        for repeat in range(self.repeats):
            seed = int(np.random.SeedSequence([self.seed, repeat]).generate_state(1)[0])
            found: list[_Disturbed] = []
            for sigma in self.sigmas:
                if isinstance(self.network, SklearnNetwork):
                    found += [make(model, nullcontext) for model in self.network.disturbed(sigma, seed)]
                else:
                    found += [
                        make(self.source.model.model, _holding(self.network, groups))
                        for groups in self.network.disturbed(sigma, seed)
                    ]
            yield found


def _holding(network: ModuleNetwork, groups: list[tuple[Floats, ...]]) -> Callable[[], AbstractContextManager[None]]:
    return lambda: network.holding(groups)


@dataclass
class _Refits:
    """The estimator fitted anew on rows drawn with replacement."""

    source: EffectSource
    repeats: int
    seed: int
    sigmas: tuple[float, ...] = (float("nan"),)
    names: tuple[str, ...] = (REFIT,)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.source.study.y is None:
            raise InputError("Refitting needs the true labels or values; this study has none. Use Study(model, X, y).")
        model = self.source.model.model
        if not isinstance(model, BaseEstimator) or not hasattr(model, "fit"):
            raise InputTypeError(
                f"Refitting needs a scikit-learn estimator; got {self.source.model.name}. "
                "For a torch module behind a function give module=…"
            )
        self.notes = (
            "refits learn from this study's own rows, and are scored on the rows each draw left out; the model as it "
            "is, on all rows",
        )

    @property
    def steps(self) -> list[str]:
        return list(self.names)

    @property
    def score(self) -> Callable[[Any], float]:
        return lambda model: model.score()

    def models(self, make: Make) -> Iterator[list[_Disturbed]]:
        given, study = self.source.given, self.source.study
        y = study.y
        assert y is not None
        labels = None if self.source.reading.task == "regression" else study.truth
        for repeat in range(self.repeats):
            seed = int(np.random.SeedSequence([self.seed, repeat]).generate_state(1)[0])
            rows = effects.resample_rows(len(y), labels, sample_weight=study.sample_weight, random_state=seed)
            unfitted: Any = clone(self.source.model.model)
            refitted = unfitted.fit(take_rows(given.table.native, rows), y[rows])
            model = make(refitted, nullcontext)
            model.unseen = np.ones(len(y), dtype=np.bool_)
            model.unseen[rows] = False
            yield [model]


def _disturber(
    source: EffectSource, method: RandomizeMethod, module: Any, sigmas: tuple[float, ...], repeats: int, seed: int
) -> _Layers | _Refits:
    model = source.model.model
    if method == "refit":
        return _Refits(source, repeats, seed)
    if module is None and callable(getattr(model, "named_parameters", None)):
        module = model
    if module is not None:
        return _Layers(source, ModuleNetwork(module), sigmas, repeats, seed)
    try:
        return _Layers(source, SklearnNetwork(model), sigmas, repeats, seed)
    except InputTypeError:
        if method == "layers":
            raise
        return _Refits(source, repeats, seed)


def _score_name(source: EffectSource, disturber: _Layers | _Refits) -> str:
    if source.study.truth is None:
        return ""
    name = "R²" if source.reading.task == "regression" else "accuracy"
    return f"{name} on the rows left out" if isinstance(disturber, _Refits) else name


def _kinds(kind: Kind | Sequence[Kind]) -> tuple[Kind, ...]:
    asked = (kind,) if isinstance(kind, str) else tuple(kind)
    known = get_args(Kind)
    if not asked or len(set(asked)) != len(asked) or any(one not in known for one in asked):
        raise InputError(f"kind must be one or several of {', '.join(known)}; got {kind!r}.")
    return asked


def _sigmas(sigma: Any) -> tuple[float, ...]:
    asked = [sigma] if isinstance(sigma, Real) else list(sigma)
    if not asked or not all(isinstance(one, Real) and 0 < float(one) < np.inf for one in asked):
        raise InputError(f"sigma must be positive and finite, one or several; got {sigma!r}. Try 0.25.")
    return tuple(float(one) for one in asked)


def _features(source: EffectSource, asked: Any) -> tuple[int, ...]:
    rows, names = source.rows, source.study.feature_names
    if asked is not None:
        found = column_positions(source.study, asked, "features")
        levels = [names[one] for one in found if one in rows.categorical]
        if levels:
            raise InputError(f"Curves of a disturbed model are of numbers; {levels[0]!r} holds levels. Leave it out.")
        return found
    varied = [
        one
        for one in range(rows.n_columns)
        if rows.takes_any_number(one) and np.unique(rows.column(one)[~np.isnan(rows.column(one))]).size >= FEWEST_VALUES
    ]
    if not varied:
        raise InputError(f"No column of numbers takes {FEWEST_VALUES} different values. Name the features.")
    return tuple(varied)


def _grid(rows: TableRows, position: int, size: Any) -> Grid:
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 2:
        raise InputError(f"grid must be a number of points, at least 2; got {size!r}.")
    column = rows.columns[position]
    return numeric_grid(rows.column(position), int(size), method="equidistant", integer=column.integer, missing=False)
