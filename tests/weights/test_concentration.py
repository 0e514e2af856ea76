"""Measures of uneven weights, by hand and against the tail's own fit."""

import numpy as np
import pytest

from tauscope.weights.concentration import mass_concentration, pareto_khat


@pytest.mark.parametrize(
    ("weights", "share", "expected"),
    [
        (np.ones(10), 0.5, 0.5),
        (np.ones(10), 1.0, 1.0),
        (np.array([0, 0, 0, 4.0]), 0.5, 0.25),
        (np.array([1, 1, 2, 4.0]), 0.5, 0.25),
        (np.array([1, 1, 2, 4.0]), 0.6, 0.5),
        (np.array([3.0]), 0.5, 1.0),
    ],
)
def test_rows_that_hold_a_share_of_the_weight(weights, share, expected):
    assert mass_concentration(weights, share) == pytest.approx(expected)
    assert mass_concentration(100 * weights[::-1], share) == pytest.approx(expected)


@pytest.mark.parametrize("k", [0.2, 0.5, 0.9])
def test_the_tail_of_pareto_weights_is_found(k):
    weights = np.random.default_rng(0).pareto(1 / k, size=200_000) + 1
    assert pareto_khat(weights) == pytest.approx(k, abs=0.06)


def test_equal_largest_weights_have_no_tail():
    assert pareto_khat(np.ones(100)) == 0
    assert pareto_khat(np.array([0, 0, 0, 1.0])) == 0
    assert pareto_khat(np.repeat([1.0, 5.0], 50)) == 0


def test_a_handful_that_holds_what_it_held_before_does_not_stand_out():
    four_of_75 = np.append(np.full(71, 0.945 / 71), np.full(4, 0.055 / 4))
    assert pareto_khat(four_of_75) == 0
    base = np.append(np.full(196, 0.6 / 196), np.full(4, 0.1))
    moved = np.append(np.full(196, 0.56 / 196), np.full(4, 0.11))
    assert pareto_khat(moved, 7 * base) == 0
    assert pareto_khat(moved) == np.inf
    assert pareto_khat(np.append(np.full(196, 0.36 / 196), np.full(4, 0.16)), base) == np.inf


def test_rows_without_weight_are_left_out():
    weights = np.random.default_rng(0).pareto(2, size=5000) + 1
    assert pareto_khat(np.append(weights, np.zeros(5000))) == pareto_khat(weights)


@pytest.mark.parametrize("n_largest", [60, 100, 105, 120, 200])
def test_largest_weights_of_one_size_have_no_tail_to_fear(n_largest):
    weights = np.ones(3000)
    weights[:n_largest] = 3.0
    assert pareto_khat(weights) < 0.5
