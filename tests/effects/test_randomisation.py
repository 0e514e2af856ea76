import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier, MLPRegressor

from effects.models import data
from tauscope.effects import (
    Layer,
    accumulated_effect,
    disturb_layers,
    disturb_parameters,
    mlp_layers,
    mlp_with_layers,
    numeric_grid,
    partial_dependence,
    randomisation_test,
    resample_rows,
)
from tauscope.errors import InputError, InputTypeError

X = data(300, 3)
Y = (np.sin(2 * X[:, 0]) + X[:, 1] > 0).astype(int)


@pytest.fixture(scope="module")
def network():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return MLPClassifier((8, 6), max_iter=150, random_state=0, learning_rate_init=0.02).fit(X, Y)


def probability(model):
    return lambda rows: model.predict_proba(rows)[:, 1]


def test_layers_read_and_put_back(network):
    layers = mlp_layers(network)
    assert [layer.weights.shape for layer in layers] == [(3, 8), (8, 6), (6, 1)]
    same = mlp_with_layers(network, layers)
    assert np.array_equal(same.predict_proba(X), network.predict_proba(X))
    kept = network.coefs_[-1].copy()
    zero = [Layer(layer.weights, layer.bias) for layer in layers[:-1]] + [Layer(layers[-1].weights * 0, [0.0])]
    zero[-1] = Layer(zero[-1].weights, np.zeros(1))
    assert np.allclose(mlp_with_layers(network, zero).predict_proba(X), 0.5)
    assert np.array_equal(network.coefs_[-1], kept)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        regressor = MLPRegressor(hidden_layer_sizes=(4,), max_iter=20, random_state=0).fit(X, X[:, 0])
    assert len(mlp_layers(regressor)) == 2


def test_noise_starts_at_the_last_layer_and_stays(network):
    layers = mlp_layers(network)
    steps = list(disturb_layers(layers, sigma=0.5, random_state=3))
    assert len(steps) == 3
    assert np.array_equal(steps[0][0].weights, layers[0].weights)
    assert np.array_equal(steps[0][1].bias, layers[1].bias)
    assert not np.array_equal(steps[0][2].weights, layers[2].weights)
    assert np.array_equal(steps[1][2].weights, steps[0][2].weights)
    assert np.array_equal(steps[2][1].bias, steps[1][1].bias)
    noise = np.concatenate([(a.weights - b.weights).ravel() for a, b in zip(steps[2], layers, strict=True)])
    assert noise.std() == pytest.approx(0.5, rel=0.2)
    again = list(disturb_layers(layers, sigma=0.5, random_state=3))
    assert np.array_equal(again[2][0].weights, steps[2][0].weights)
    still = list(disturb_layers(layers, sigma=0.0))
    assert np.array_equal(still[2][0].weights, layers[0].weights)


def test_rows_drawn_again_hold_every_class():
    rows = resample_rows(300, Y, random_state=1)
    assert rows.shape == (300,)
    assert len(np.unique(rows)) < 250
    assert np.array_equal(rows, resample_rows(300, Y, random_state=1))
    assert resample_rows(5, random_state=0).max() < 5
    rare = np.zeros(30, dtype=int)
    rare[:3] = [1, 2, 3]
    assert len(np.unique(rare[resample_rows(30, rare, random_state=2)])) == 4
    with pytest.raises(InputError, match="too few rows to refit on"):
        resample_rows(12, np.arange(12), random_state=0)


def explain(predict):
    return [
        partial_dependence(predict, X, (0,), (numeric_grid(X[:, 0], 6),)),
        accumulated_effect(predict, X, 1, numeric_grid(X[:, 1], 6)),
    ]


def disturbed(network, sigma, n_repeats):
    for seed in range(n_repeats):
        steps = disturb_layers(mlp_layers(network), sigma=sigma, random_state=seed)
        yield [probability(mlp_with_layers(network, layers)) for layers in steps]


STEPS = ("last layer", "last two", "all three")


def test_randomised_networks_lose_their_curves(network):
    def accuracy(predict):
        return float(np.mean((predict(X) > 0.5) == Y))

    found = randomisation_test(
        explain, probability(network), STEPS, disturbed(network, 1.0, 4), score=accuracy, n_repeats=4
    )
    assert found.change.shape == found.bound.shape == (3, 4, 2, 1)
    assert found.status == "complete"
    assert np.all(found.change <= found.bound + 1e-12)
    assert found.original_score > 0.9
    assert found.score[2].mean() < found.original_score - 0.1
    assert found.change[2].mean() > 0.05
    first = explain(probability(network))[0]
    (model, *_), *_ = disturbed(network, 1.0, 1)
    other = explain(model)[0]
    assert found.change[0, 0, 0, 0] == pytest.approx(np.abs(other.effect - first.effect).mean())
    assert found.bound[0, 0, 0, 0] == pytest.approx(np.abs(other.ice - first.ice).max())


def test_no_noise_no_change(network):
    found = randomisation_test(explain, probability(network), STEPS, disturbed(network, 0.0, 1), n_repeats=1)
    assert not found.change.any()
    assert np.isnan(found.score).all()
    assert np.isnan(found.original_score)


def test_refits_stand_for_models_without_layers():
    model = LogisticRegression().fit(X, Y)
    draws = [resample_rows(300, Y, random_state=seed) for seed in range(3)]
    refits = ([probability(clone(model).fit(X[rows], Y[rows]))] for rows in draws)
    found = randomisation_test(explain, probability(model), ("refit",), refits, n_repeats=3)
    assert found.change.shape == (1, 3, 2, 1)
    assert 0 < found.change.mean() < 0.1


def test_stopping(network):
    seen = []

    def progress(done, total):
        seen.append((done, total))
        return done == 2

    found = randomisation_test(
        explain, probability(network), STEPS, disturbed(network, 1.0, 2), progress=progress, n_repeats=2
    )
    assert seen == [(1, 6), (2, 6)]
    assert (found.status, found.n_done, found.n_total) == ("stopped", 2, 6)
    assert np.isnan(found.change[2]).all()
    assert np.isfinite(found.change[:2, 0]).all()


def test_bad_requests_are_said(network):
    predict = probability(network)
    with pytest.raises(InputTypeError, match="refitted on resampled rows"):
        mlp_layers(LogisticRegression().fit(X, Y))
    with pytest.raises(InputError, match="the network's shapes"):
        mlp_with_layers(network, mlp_layers(network)[:1])
    with pytest.raises(InputError, match="sigma must be finite"):
        list(disturb_layers(mlp_layers(network), sigma=-1))
    with pytest.raises(InputError, match="at least one effect"):
        randomisation_test(lambda model: [], predict, STEPS, [], n_repeats=1)
    for models in ([[predict]], [[predict] * 3] * 2):
        with pytest.raises(InputError, match="disturbed must hold 1 times one model for each of 3 steps"):
            randomisation_test(explain, predict, STEPS, models, n_repeats=1)


def test_groups_of_parameters_are_layers_by_another_name():
    random = np.random.default_rng(0)
    layers = [Layer(random.normal(size=(3, 2)), random.normal(size=2)), Layer(random.normal(size=(2, 1)), np.zeros(1))]
    steps = disturb_parameters([(one.weights, one.bias) for one in layers], sigma=0.3, random_state=5)
    for as_layers, groups in zip(disturb_layers(layers, sigma=0.3, random_state=5), steps, strict=True):
        for layer, (weights, bias) in zip(as_layers, groups, strict=True):
            assert np.array_equal(layer.weights, weights)
            assert np.array_equal(layer.bias, bias)


def test_rows_are_drawn_by_their_weight():
    weight = np.r_[np.zeros(50), np.ones(50), 3 * np.ones(100)]
    rows = np.concatenate([resample_rows(200, sample_weight=weight, random_state=seed) for seed in range(40)])
    assert rows.min() >= 50
    assert np.mean(rows >= 100) == pytest.approx(300 / 350, abs=0.02)
