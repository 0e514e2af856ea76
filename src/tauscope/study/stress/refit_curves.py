"""The verb `refit_curves`: a learner fitted again and again on random splits, and the spread of its stress curves."""

# scikit-learn ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from tauscope.data import validation
from tauscope.data.features import Feature
from tauscope.data.frames import read_table, read_vector
from tauscope.data.sparse import check_dense
from tauscope.errors import InputError, InputTypeError
from tauscope.model.calls import model_name
from tauscope.model.jobs import check_n_jobs, run_units
from tauscope.model.progress_bar import Bar
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.taus import tau_grid
from tauscope.results.stress.refit_curves import RefitCurves
from tauscope.stress.metrics import Metric
from tauscope.study.refit import seeded, unit_seed
from tauscope.study.stress.curves import Features, check_fraction, choose_features
from tauscope.study.subset import take_rows
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase
    from tauscope.study.stress.metrics import MetricLike


def refit_curves(
    self: StudyBase,
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_splits: int = 50,
    test_size: float = 0.25,
    features: Features | None = None,
    taus: int | Sequence[float] = 21,
    quantile: float = 0.05,
    metrics: MetricLike | Sequence[MetricLike] | None = None,
    quantiles: tuple[float, float] = (0.1, 0.9),
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool = True,
) -> RefitCurves:
    """Fit the learner anew on random splits and see how far its stress curves spread.

    Measures the learner's variance: what other training rows would have made of the curves. The intervals of
    `stress_curves` measure something else, the rows that one model is judged on.

    Parameters
    ----------
    estimator : scikit-learn estimator or Pipeline
        Cloned for each split; need not be fitted.
    X, y : rows and labels
        All rows there are, to fit on and to stress, in the columns of the study.
    n_splits : int, default 50
        At least 2.
    test_size : float, default 0.25
        Share of the rows, in (0, 1), that are stressed and not fitted on; classes keep their shares.
    features, taus, quantile, metrics
        As in `stress_curves`.
    quantiles : tuple of two floats, default (0.1, 0.9)
        Levels of the band.
    random_state : int, Generator or None
        Draws the splits, and seeds each refit of a learner whose own `random_state` is not an int.
    n_jobs : int, optional
        Refits at a time, in processes of their own. -1 means all cores; None means 1 unless in a
        `joblib.parallel_config` context. The same numbers come of any.
    progress : bool, default True
        Whether a bar shows after two seconds. An interrupt leaves the refits done so far, and says so.

    Returns
    -------
    RefitCurves

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As in `stress_curves`; for an estimator that cannot be cloned and fitted, other columns than the study's,
        too few rows of a class, or a number out of its range.

    References
    ----------
    Bachoc, Gamboa, Loubes, Risser, "Entropic Variable Boosting for Explainability and Interpretability in
    Machine Learning", 2018, §4.1.

    Examples
    --------
    >>> refits = study.refit_curves(LogisticRegression(), X, y, n_splits=3, taus=3, random_state=0)
    >>> refits.n_train, refits.n_test
    (426, 143)
    """
    check_dense(self._columns, "Refitting takes")
    learner = _learner(estimator)
    _check(n_splits, quantiles)
    check_n_jobs(n_jobs)
    check_fraction("test_size", test_size, 1.0)
    table = read_table(X)
    validation.check_same_columns(table, read_table(self.X))
    labels = read_vector(y, "y")
    validation.check_length("y", labels, table.n_rows)
    names = [feature.name for feature in choose_features(self._columns, self.sample_weight, features)[0]]
    seed, grid = seed_of(random_state), tau_grid(taus)
    refit = _Refit(self, learner, X, labels, names, grid.tolist(), quantile, metrics)
    splits = _Splits(labels, int(n_splits), float(test_size), seed, self._task == "regression")
    done: list[_Refitted] = []
    try:
        with Bar("Refitting the model", unit="model", shown=progress) as bar:
            for refitted in run_units(refit, splits, n_jobs):
                done.append(refitted)
                bar.update(len(done), n_splits)
    except KeyboardInterrupt:
        if not any(refitted.metrics for refitted in done):
            raise
    refits = [refitted for refitted in done if refitted.metrics]
    if not refits:
        raise InputError("In no split could a feature be moved: the test rows have one value each. Give more rows.")
    return RefitCurves(
        features=tuple(names),
        metrics=refits[0].metrics,
        taus=refits[0].taus,
        values=np.stack([refitted.values for refitted in refits]),
        quantiles=(float(quantiles[0]), float(quantiles[1])),
        n_splits=len(refits),
        asked_splits=int(n_splits),
        n_train=done[-1].n_train,
        n_test=done[-1].n_test,
        quantile=float(quantile),
        model_name=model_name(learner),
        random_state=seed,
    )


class _Refitted(NamedTuple):
    """Curves of one refit at the places of all features, NaN for those it could not move; no metrics where all are."""

    values: NDArray[np.float64]
    taus: NDArray[np.float64]
    metrics: tuple[Metric, ...]
    n_train: int
    n_test: int


class _Refit:
    """One split to a refit's curves: all that another process needs, and not the study itself."""

    def __init__(
        self,
        study: StudyBase,
        learner: Any,
        X: Any,
        labels: NDArray[Any],
        names: list[str],
        taus: list[float],
        quantile: float,
        metrics: Any,
    ) -> None:
        self.learner, self.X, self.labels, self.names = learner, X, labels, names
        self.options = {"taus": taus, "quantile": quantile, "metrics": metrics, "progress": False}
        self.kind = cast(Any, type(study))
        categorical = [column.name for column in study._columns if column.kind == "categorical"]
        self.of_study = {
            "pos_label": study._pos_label,
            "task": study._task,
            "categorical_features": categorical or "infer",
            "feature_names": study.feature_names,
            "progress": False,
        }

    def __call__(self, split: Split) -> _Refitted:
        learner = seeded(_learner(self.learner), split.seed)
        fitted = learner.fit(take_rows(self.X, split.train), self.labels[split.train])
        part = self.kind(fitted, take_rows(self.X, split.test), self.labels[split.test], **self.of_study)
        movable = {feature.name for feature in _movable(part)}
        selected = [name for name in self.names if name in movable]
        counts = len(split.train), len(split.test)
        if not selected:
            return _Refitted(np.zeros(0), np.zeros(0), (), *counts)
        curves: StressCurves = part.stress_curves(selected, **self.options)
        return _Refitted(_align_values(curves, self.names), curves.taus, curves._curves.metrics, *counts)


def _movable(part: StudyBase) -> tuple[Feature, ...]:
    return choose_features(part._columns, None, None)[0]


def _align_values(curves: StressCurves, names: list[str]) -> NDArray[np.float64]:
    """Return the values of one refit at the places of all features, NaN for those it could not move."""
    value = curves._curves.value
    out = np.full((len(names), *value.shape[1:]), np.nan)
    out[[names.index(name) for name in curves.feature_names]] = value
    return out


class Split(NamedTuple):
    """Rows to fit on, rows to stress, and what seeds the fit."""

    train: NDArray[np.int64]
    test: NDArray[np.int64]
    seed: int


class _Splits:
    """Random splits of the rows, each class in its share, drawn one after another."""

    def __init__(self, labels: NDArray[Any], n_splits: int, test_size: float, seed: int, regression: bool) -> None:
        kind = ShuffleSplit if regression else StratifiedShuffleSplit
        self._drawn = kind(n_splits=n_splits, test_size=test_size, random_state=seed)
        self._labels, self._seed = labels, seed

    def __iter__(self) -> Iterator[Split]:
        drawn = cast(Any, self._drawn).split(np.zeros(len(self._labels)), self._labels)
        try:
            for number, (train, test) in enumerate(drawn):
                yield Split(train, test, unit_seed(self._seed, number))
        except ValueError as error:
            raise InputError(f"The rows cannot be split: {error} Give more rows of each class.") from error


def _learner(estimator: Any) -> Any:
    if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        raise InputTypeError(
            f"Refitting needs a scikit-learn estimator or Pipeline, which can be cloned and fitted; got {estimator!r}."
        )
    return cast(Any, clone(estimator))


def _check(n_splits: object, quantiles: tuple[float, float]) -> None:
    if isinstance(n_splits, bool) or not isinstance(n_splits, Integral) or n_splits < 2:
        raise InputError(f"n_splits must be a whole number, at least 2; got {n_splits!r}. Try 50.")
    if not (len(quantiles) == 2 and 0 < quantiles[0] < quantiles[1] < 1):
        raise InputError(f"quantiles must be two levels, 0 < low < high < 1; got {quantiles!r}. Try (0.1, 0.9).")
