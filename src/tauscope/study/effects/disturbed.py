"""Models made to forget: noise in the layers of a network, or a fit on rows drawn again; each with its score."""

# scikit-learn ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from tauscope import effects
from tauscope.data.frames import read_table
from tauscope.errors import InputError, InputTypeError
from tauscope.model.jobs import run_units
from tauscope.study.effects.networks import ModuleNetwork, SklearnNetwork
from tauscope.study.refit import seeded, unit_seed
from tauscope.study.subset import take_rows

if TYPE_CHECKING:
    from tauscope.model.calls import ResponseMethod
    from tauscope.study.base import StudyBase

Floats = NDArray[np.float64]
HoldParameters = Callable[[], AbstractContextManager[None]]
RandomizeMethod = Literal["auto", "layers", "refit"]
REFIT = "refitted on rows drawn again"


class DisturbedModel:
    """A disturbed model: the response of rows, and its score on the study's own."""

    def __init__(
        self,
        study: StudyBase,
        model: Any,
        hold: HoldParameters,
        response_method: ResponseMethod,
        target_class: Hashable | None,
    ) -> None:
        self._study, self._hold = study, hold
        self._model = study._require_model("has effects").other(model)
        self._predict = study._response(response_method, target_class, model=self._model).predict
        self.unseen: NDArray[np.bool_] | None = None

    def __call__(self, rows: Any) -> Any:
        """Answer rows, with the parameters disturbed while it does."""
        with self._hold():
            return self._predict(rows)

    def score(self) -> float:
        """Accuracy, or R², on the rows not fitted on, or on all."""
        study, table = self._study, self._study._table_rows.table
        truth, weight = study._true_values, study.sample_weight
        assert truth is not None
        mass = np.ones(len(truth)) if weight is None else weight
        if self.unseen is not None:
            rows = np.flatnonzero(self.unseen)
            truth, mass, table = truth[rows], mass[rows], read_table(take_rows(table.native, rows))
        if not mass.any():
            return float("nan")
        with self._hold():
            predicted = study._output_spec(self._model.ask(table)).predicted
        return _score(truth, predicted, mass, regression=study._task == "regression")


def _score(truth: NDArray[Any], predicted: NDArray[Any], mass: Floats, *, regression: bool) -> float:
    if not regression:
        return float(np.average(truth == predicted, weights=mass))
    spread = float(np.average((truth - np.average(truth, weights=mass)) ** 2, weights=mass))
    left = float(np.average((truth - predicted) ** 2, weights=mass))
    return 1 - left / spread if spread > 0 else float("nan")


Make = Callable[[Any, HoldParameters], DisturbedModel]


@dataclass
class DisturbedLayers:
    """Noise in the layers of a network, for each sigma from the last layer to the first."""

    study: StudyBase
    network: SklearnNetwork | ModuleNetwork
    sigmas: tuple[float, ...]
    repeats: int
    seed: int
    notes: tuple[str, ...] = ()
    method: Literal["layers", "refit"] = "layers"

    @property
    def names(self) -> tuple[str, ...]:
        """What is disturbed at each step, last layer first."""
        return self.network.steps

    @property
    def steps(self) -> list[str]:
        """Each step with each sigma."""
        return [f"{name}, sigma {sigma:g}" for sigma in self.sigmas for name in self.names]

    @property
    def score(self) -> Callable[[Any], float] | None:
        """How a model is scored; None without truth."""
        return None if self.study._true_values is None else lambda model: model.score()

    def models(self, make: Make) -> Iterator[list[DisturbedModel]]:
        """Make the models of one repeat after another."""
        for repeat in range(self.repeats):
            seed = int(np.random.SeedSequence([self.seed, repeat]).generate_state(1)[0])
            models: list[DisturbedModel] = []
            for sigma in self.sigmas:
                if isinstance(self.network, SklearnNetwork):
                    models += [make(model, nullcontext) for model in self.network.disturbed(sigma, seed)]
                else:
                    models += [
                        make(_estimator(self.study), _holding(self.network, groups))
                        for groups in self.network.disturbed(sigma, seed)
                    ]
            yield models


def _holding(network: ModuleNetwork, groups: list[tuple[Floats, ...]]) -> Callable[[], AbstractContextManager[None]]:
    return lambda: network.holding(groups)


@dataclass
class Refits:
    """The estimator fitted anew on rows drawn with replacement."""

    study: StudyBase
    repeats: int
    seed: int
    sigmas: tuple[float, ...] = (float("nan"),)
    names: tuple[str, ...] = (REFIT,)
    notes: tuple[str, ...] = ()
    method: Literal["layers", "refit"] = "refit"
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if self.study.y is None:
            raise InputError("Refitting needs the true labels or values; this study has none. Use Study(model, X, y).")
        model = _estimator(self.study)
        if not isinstance(model, BaseEstimator) or not hasattr(model, "fit"):
            raise InputTypeError(
                f"Refitting needs a scikit-learn estimator; got {self.study._model_name}. "
                "For a torch module behind a function give module=…"
            )
        self.notes = (
            "refits learn from this study's own rows, and are scored on the rows each draw left out; the model as it "
            "is, on all rows",
        )

    @property
    def steps(self) -> list[str]:
        """One step: the refit."""
        return list(self.names)

    @property
    def score(self) -> Callable[[Any], float]:
        """How a refit is scored: on the rows it did not learn from."""
        return lambda model: model.score()

    def models(self, make: Make) -> Iterator[list[DisturbedModel]]:
        """Make the models of one repeat after another."""
        study, y = self.study, self.study.y
        assert y is not None
        labels = None if study._task == "regression" else study._true_values
        draw = partial(effects.resample_rows, len(y), labels, sample_weight=study.sample_weight)
        refit = _RefitOnDraw(_estimator(study), study.X, y, draw)
        seeds = [
            int(np.random.SeedSequence([self.seed, repeat]).generate_state(1)[0]) for repeat in range(self.repeats)
        ]
        for refitted, rows in run_units(refit, seeds, self.n_jobs):
            model = make(refitted, nullcontext)
            model.unseen = np.ones(len(y), dtype=np.bool_)
            model.unseen[rows] = False
            yield [model]


@dataclass(frozen=True, eq=False)
class _RefitOnDraw:
    """The seed of a draw to the estimator fitted on it, and the rows drawn."""

    estimator: Any
    X: Any
    y: NDArray[Any]
    draw: Callable[..., NDArray[np.int64]]

    def __call__(self, seed: int) -> tuple[Any, NDArray[np.int64]]:
        rows = self.draw(random_state=seed)
        unfitted: Any = seeded(clone(self.estimator), unit_seed(seed, 0))
        return unfitted.fit(take_rows(self.X, rows), self.y[rows]), rows


def choose_disturber(
    study: StudyBase,
    method: RandomizeMethod,
    module: Any,
    sigmas: tuple[float, ...],
    repeats: int,
    seed: int,
    n_jobs: int | None = None,
) -> DisturbedLayers | Refits:
    """Disturb the layers of a network, or fit the estimator anew; "auto" does the first where there are layers."""
    model = _estimator(study)
    if method == "refit":
        return Refits(study, repeats, seed, n_jobs=n_jobs)
    if module is None and callable(getattr(model, "named_parameters", None)):
        module = model
    if module is not None:
        return DisturbedLayers(study, ModuleNetwork(module), sigmas, repeats, seed)
    try:
        return DisturbedLayers(study, SklearnNetwork(model), sigmas, repeats, seed)
    except InputTypeError:
        if method == "layers":
            raise
        return Refits(study, repeats, seed, n_jobs=n_jobs)


def _estimator(study: StudyBase) -> Any:
    return study._require_model("has effects").model
