import numpy as np
import pytest

from effects.models import data, linear
from tauscope.effects import (
    accumulated_bound,
    accumulated_effect,
    accumulated_levels,
    category_grid,
    lipschitz_from_differences,
    lipschitz_from_gradient,
    lipschitz_from_value,
    lipschitz_from_weights,
    numeric_grid,
)
from tauscope.errors import InputError

X = data()
EFFECT = accumulated_effect(linear, X, 2, numeric_grid(X[:, 2], 6))


def test_a_linear_model_has_its_slope():
    found = lipschitz_from_differences(EFFECT)
    assert found.value == pytest.approx([3])
    assert not found.certified
    points = EFFECT.grid.values
    assert np.allclose(accumulated_bound(EFFECT, found, 0.2), 2 * 3 * 0.2 * (points - points[0]))


def test_gradients():
    gradient = np.array([[1.0, -2.0], [3.0, 0.0]])
    assert lipschitz_from_gradient(gradient[:, 0]).value.tolist() == [3]
    assert lipschitz_from_gradient(gradient, 1).value.tolist() == [2]
    assert lipschitz_from_gradient(gradient).value.tolist() == [3]
    assert lipschitz_from_gradient(np.stack([gradient, 2 * gradient]), 0).value.tolist() == [3, 6]
    assert not lipschitz_from_gradient(gradient).certified


def test_weights_bound_a_network_everywhere():
    random = np.random.default_rng(0)
    layers = [random.normal(size=(4, 8)), random.normal(size=(8, 1))]

    def network(rows):
        return 1 / (1 + np.exp(-np.maximum(rows @ layers[0], 0) @ layers[1]))[:, 0]

    found = lipschitz_from_weights(layers, output=0.25)
    assert found.certified
    one, two = random.normal(size=(2, 500, 4))
    steepest = np.abs(network(one) - network(two)) / np.linalg.norm(one - two, axis=1)
    assert steepest.max() <= found.value[0]
    assert lipschitz_from_weights(layers, n_outputs=2).value.shape == (2,)
    assert lipschitz_from_value(2.5).value.tolist() == [2.5]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lipschitz_from_value(0), "positive and finite"),
        (lambda: lipschitz_from_weights([]), "at least one weight matrix"),
        (lambda: lipschitz_from_gradient(np.zeros((2, 2)), 2), "one of 0 … 1"),
        (lambda: lipschitz_from_gradient(np.zeros((2, 2, 2, 2))), "1 to 3 dimensions"),
    ],
)
def test_bad_requests_are_said(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_levels_have_no_slope():
    rows = np.column_stack([np.arange(20) % 2, np.arange(20)]).astype(float)
    effect = accumulated_levels(linear, rows, 0, category_grid(rows[:, 0]))
    with pytest.raises(InputError, match="use the oscillation bound"):
        lipschitz_from_differences(effect)
