"""Does an effect depend on what the model has learnt? Curves of the model with its parameters disturbed."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.effects.bounds.changes import model_change
from tauscope.effects.curves.effect import Effect, RunStatus
from tauscope.errors import InputError, InputTypeError
from tauscope.prediction.outputs import Predict
from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.checks import check_weights
from tauscope.weights.seeds import RandomState, seed_of
from tauscope.words import count

ATTEMPTS = 50


@dataclass(frozen=True)
class Layer:
    """One affine layer of a network.

    Attributes
    ----------
    weights : ndarray of shape (n_in, n_out)
    bias : ndarray of shape (n_out,)
    """

    weights: Floats
    bias: Floats


def mlp_layers(estimator: Any) -> tuple[Layer, ...]:
    """Read the layers of a fitted MLPClassifier or MLPRegressor, first to last.

    Raises
    ------
    InputTypeError
        Where the estimator has none.
    """
    weights, biases = getattr(estimator, "coefs_", None), getattr(estimator, "intercepts_", None)
    if not isinstance(weights, list) or not isinstance(biases, list):
        raise InputTypeError(
            f"layers are those of a fitted MLPClassifier or MLPRegressor, got {type(estimator).__name__}: "
            "a model without layers can be refitted on resampled rows instead"
        )
    return tuple(Layer(np.asarray(w), np.asarray(b)) for w, b in zip(weights, biases, strict=True))


def mlp_with_layers(estimator: Any, layers: Sequence[Layer]) -> Any:
    """Copy a fitted MLPClassifier or MLPRegressor and give the copy other layers."""
    originals = mlp_layers(estimator)
    shapes = [(layer.weights.shape, layer.bias.shape) for layer in originals]
    if shapes != [(layer.weights.shape, layer.bias.shape) for layer in layers]:
        raise InputError(f"layers must have the network's shapes {shapes}")
    own = {
        id(estimator.coefs_): [np.array(layer.weights) for layer in layers],
        id(estimator.intercepts_): [np.array(layer.bias) for layer in layers],
    }
    return copy.deepcopy(estimator, own)


def disturb_layers(
    layers: Sequence[Layer], *, sigma: float, random_state: RandomState = None
) -> Iterator[tuple[Layer, ...]]:
    """Add normal noise to weights and biases, first of the last layer, then of the last two, and so on.

    Parameters
    ----------
    layers : sequence of Layer
    sigma, random_state
        As in `disturb_parameters`.

    Yields
    ------
    tuple of Layer
        As many as there are layers.
    """
    groups = [(layer.weights, layer.bias) for layer in layers]
    for disturbed in disturb_parameters(groups, sigma=sigma, random_state=random_state):
        yield tuple(Layer(*group) for group in disturbed)


def disturb_parameters(
    groups: Sequence[tuple[Floats, ...]], *, sigma: float, random_state: RandomState = None
) -> Iterator[tuple[tuple[Floats, ...], ...]]:
    """Add normal noise to groups of parameters, first to the last group, then to the last two, and so on.

    One draw a group: each step keeps the noise of the one before.

    Parameters
    ----------
    groups : sequence of tuple of ndarray
        Parameters of each layer, first to last.
    sigma : float
        Standard deviation of the noise, in the parameters' unit.
    random_state : int, Generator or None

    Yields
    ------
    tuple of tuple of ndarray
        As many as there are groups.
    """
    if not 0 <= sigma < np.inf:
        raise InputError(f"sigma must be finite and not negative, got {sigma}")
    random = np.random.default_rng(seed_of(random_state))
    disturbed = list(groups)
    for position in reversed(range(len(disturbed))):
        disturbed[position] = tuple(values + random.normal(0.0, sigma, values.shape) for values in disturbed[position])
        yield tuple(disturbed)


def resample_rows(
    n_rows: int, labels: object = None, *, sample_weight: object = None, random_state: RandomState = None
) -> Ints:
    """Draw n rows with replacement, every class among them.

    Parameters
    ----------
    n_rows : int
    labels : array-like of shape (n_rows,), optional
        Classes that must all be drawn; None for a regression.
    sample_weight : array-like of shape (n_rows,), optional
        Chances of the rows, up to a factor; None: all the same.
    random_state : int, Generator or None
    """
    chances = None if sample_weight is None else check_weights(sample_weight, n_rows) / n_rows
    random = np.random.default_rng(seed_of(random_state))
    classes = None if labels is None else np.unique(np.asarray(labels), return_inverse=True)[1]
    for _ in range(ATTEMPTS):
        rows = random.integers(0, n_rows, n_rows) if chances is None else random.choice(n_rows, n_rows, p=chances)
        if classes is None or len(np.unique(classes[rows])) == classes.max() + 1:
            return rows.astype(np.int64)
    raise InputError(f"{ATTEMPTS} draws of {n_rows} rows each missed a class: it has too few rows to refit on")


@dataclass(frozen=True)
class Randomisation:
    """What disturbing a model did to its curves.

    Attributes
    ----------
    steps : tuple of str
        What was disturbed, in order.
    change : ndarray of shape (n_steps, n_repeats, n_effects, q)
        Mean over the grid of |curve − original|; NaN for repeats not reached.
    bound : ndarray, as change
        Mean over the grid of Lemma 2's or Theorem 4.5's bound on these rows.
    score : ndarray of shape (n_steps, n_repeats)
        The model's own score after each step; NaN where no score was requested.
    original_score : float
    n_done, n_total : int
        Disturbed models compared, and those there were.
    """

    steps: tuple[str, ...]
    change: Floats
    bound: Floats
    score: Floats
    original_score: float
    n_done: int
    n_total: int

    @property
    def status(self) -> RunStatus:
        """Whether every disturbed model was reached."""
        return "complete" if self.n_done == self.n_total else "stopped"


def randomisation_test(
    explain: Callable[[Predict], Sequence[Effect]],
    predict: Predict,
    steps: Sequence[str],
    disturbed: Iterable[Sequence[Predict]],
    *,
    score: Callable[[Predict], float] | None = None,
    progress: Callable[[int, int], object] | None = None,
    n_repeats: int,
) -> Randomisation:
    """Compare a model's curves with those of disturbed copies of it.

    Curves that stay where the model has forgotten what it learnt do not describe what it learnt.

    Parameters
    ----------
    explain : callable
        Makes the effects of a model, the same kinds, rows and grids each time.
    predict : callable
        The model.
    steps : sequence of str
        Names of the steps.
    disturbed : iterable of sequences of callables
        `n_repeats` times: one model for each step. Read one after another, so that a generator holds one repeat.
    score : callable, optional
        A model's score, such as its accuracy.
    progress : callable, optional
        Called as progress(models done, models in all); where it returns something true the test stops, as it does
        on an interrupt.
    n_repeats : int

    Returns
    -------
    Randomisation
    """
    originals = list(explain(predict))
    n_outputs = {effect.n_outputs for effect in originals}
    if len(n_outputs) != 1:
        raise InputError("explain must return at least one effect, all with the same responses")
    shape = (len(steps), n_repeats, len(originals), n_outputs.pop())
    change, bound = np.full(shape, np.nan), np.full(shape, np.nan)
    scores = np.full(shape[:2], np.nan)
    done, total = 0, len(steps) * n_repeats
    stopped = False
    for repeat, models in enumerate(disturbed):
        if repeat == n_repeats or len(models) != len(steps):
            raise InputError(
                f"disturbed must hold {n_repeats} times one model for each of {count(len(steps), 'step')}, "
                f"got {count(len(models), 'model')} in repeat {repeat + 1}"
            )
        for step, model in enumerate(models):
            try:
                for number, (before, after) in enumerate(zip(originals, explain(model), strict=True)):
                    difference = model_change(before, after)
                    change[step, repeat, number] = _mean_over_grid(np.abs(difference.change))
                    bound[step, repeat, number] = _mean_over_grid(difference.bound)
                if score is not None:
                    scores[step, repeat] = score(model)
            except KeyboardInterrupt:
                if done == 0:
                    raise
                change[step, repeat] = bound[step, repeat] = np.nan
                stopped = True
                break
            done += 1
            if progress is not None and progress(done, total):
                stopped = True
                break
        if stopped:
            break
    original_score = float("nan") if score is None else score(predict)
    return Randomisation(tuple(steps), change, bound, scores, original_score, done, total)


def _mean_over_grid(values: Floats) -> Floats:
    return np.nanmean(values.reshape(len(values), -1), axis=1)
