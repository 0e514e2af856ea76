"""Networks whose parameters can be disturbed: scikit-learn's, wherever they sit in a model, and torch modules."""

# scikit-learn ships no types, and a module is whatever has a torch module's methods.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import copy
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPClassifier, MLPRegressor

from tauscope.effects import disturb_layers, disturb_parameters, mlp_layers, mlp_with_layers
from tauscope.errors import InputError, InputTypeError

Floats = NDArray[np.float64]
HOLDERS = ("best_estimator_", "regressor_", "classifier_", "estimator_")


class SklearnNetwork:
    """The layers of an MLPClassifier or MLPRegressor, alone or inside a pipeline, a search or the like.

    Parameters
    ----------
    model : fitted estimator

    Raises
    ------
    InputTypeError
        Where it holds no such network.
    """

    def __init__(self, model: Any) -> None:
        self._model, self._network = model, _find_network(model)
        self._layers = mlp_layers(self._network)

    @property
    def steps(self) -> tuple[str, ...]:
        """What is disturbed at each step, last layer first."""
        n = len(self._layers)
        return tuple(_step(n - k, n) for k in range(n))

    def disturbed(self, sigma: float, seed: int) -> Iterator[Any]:
        """Make copies of the model with ever more layers disturbed."""
        for layers in disturb_layers(self._layers, sigma=sigma, random_state=seed):
            # a shallow copy would share what the person's own model is made of
            yield copy.deepcopy(self._model, {id(self._network): mlp_with_layers(self._network, layers)})


class ModuleNetwork:
    """The parameters of a torch module, layer by layer; they are changed for the time of a call and put back.

    Parameters
    ----------
    module : torch.nn.Module
        Or anything whose `named_parameters()` gives tensors. Parameters of one submodule are one layer, in the order
        the module lists them. Nothing of torch is imported: the tensors bring their own methods.

    Raises
    ------
    InputTypeError, InputError
        Where it has no parameters.
    """

    def __init__(self, module: Any) -> None:
        if not callable(getattr(module, "named_parameters", None)):
            raise InputTypeError(
                f"module must be a torch module, with named_parameters(); got {type(module).__name__}. "
                "For scikit-learn's networks leave it out."
            )
        groups: dict[str, list[Any]] = {}
        for name, tensor in module.named_parameters():
            groups.setdefault(name.rpartition(".")[0], []).append(tensor)
        if not groups:
            raise InputError("The module has no parameters to disturb.")
        self._names = tuple(groups)
        self._tensors = [tuple(tensors) for tensors in groups.values()]
        self._original = [tuple(_numbers(tensor) for tensor in tensors) for tensors in self._tensors]

    @property
    def steps(self) -> tuple[str, ...]:
        """What is disturbed at each step, last layer first."""
        n = len(self._names)
        return tuple(f"{_step(n - k, n)} ({self._names[n - 1 - k] or 'module'})" for k in range(n))

    def disturbed(self, sigma: float, seed: int) -> Iterator[list[tuple[Floats, ...]]]:
        """Draw parameters with ever more layers disturbed."""
        for groups in disturb_parameters(self._original, sigma=sigma, random_state=seed):
            yield list(groups)

    @contextmanager
    def holding(self, groups: list[tuple[Floats, ...]]) -> Generator[None]:
        """Give the module other parameters while the block runs."""
        try:
            self._put(groups)
            yield
        finally:
            self._put(self._original)

    def _put(self, groups: list[tuple[Floats, ...]]) -> None:
        for tensors, values in zip(self._tensors, groups, strict=True):
            for tensor, numbers in zip(tensors, values, strict=True):
                tensor.data.copy_(tensor.data.new_tensor(numbers))


def _step(first: int, n: int) -> str:
    if first == n:
        return f"layer {n}, the last"
    return f"layers {first} to {n}" if first > 1 else f"all {n} layers"


def _numbers(tensor: Any) -> Floats:
    return np.array(tensor.detach().cpu().numpy(), dtype=np.float64)


def _find_network(model: Any) -> Any:
    """Find the network inside a model."""
    if isinstance(model, MLPClassifier | MLPRegressor):
        return model
    if steps := getattr(model, "steps", None):
        return _find_network(steps[-1][1])
    for holder in HOLDERS:
        if (inner := getattr(model, holder, None)) is not None:
            return _find_network(inner)
    raise InputTypeError(
        f"Layers are those of scikit-learn's MLPClassifier or MLPRegressor; {type(model).__name__} has none. "
        "Use method='refit', or module=… for a torch module behind a function."
    )
