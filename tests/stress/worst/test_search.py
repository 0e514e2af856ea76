"""The search over tilts against a grid of two means, with bounds, distances, held means and values to be reached."""

import numpy as np
import pytest

from tauscope.stress.worst.rows import Distance
from tauscope.stress.worst.search import FARTHEST, Allowed, find_nearest, find_worst
from tauscope.stress.worst.tilts import TiltFamily

RNG = np.random.default_rng(3)
N = 400
X = RNG.normal(size=(N, 2)) @ np.array([[1.0, 0.4], [0.0, 1.0]])
BAD = (RNG.random(N) < 1 / (1 + np.exp(2 - X[:, 0] + 0.8 * X[:, 1] ** 2 - 0.7 * X[:, 0] * X[:, 1]))).astype(float)
BASE = RNG.uniform(0.5, 2, N)
BASE /= BASE.sum()
FREE = np.full(2, np.inf)
FAR = Distance("kl", FARTHEST)


def measure(share):
    value = float(share @ BAD)
    return value, BAD - value


@pytest.fixture(scope="module")
def family():
    return TiltFamily(X, BASE, measure)


@pytest.fixture(scope="module")
def grid(family):
    """Every tilt of a fine grid of multipliers."""
    steps = np.linspace(-2.2, 2.2, 111)
    return [family.at(np.array([a, b])) for a in steps for b in steps]


DISTANCES = [Distance("kl", 0.05), Distance("kl", 0.5), Distance("tv", 0.1), Distance("tv", 0.3)]


@pytest.mark.slow
@pytest.mark.parametrize("distance", DISTANCES, ids=str)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_within_a_distance_no_tilt_of_a_grid_is_worse(family, grid, distance, sign):
    found = find_worst(family, Allowed(-FREE, FREE, distance), sign)
    size = found.kl if distance.kind == "kl" else found.tv
    inside = [p for p in grid if (p.kl if distance.kind == "kl" else p.tv) <= distance.limit]
    best = max(sign * p.value for p in inside)
    assert size <= distance.limit * (1 + 1e-6)
    # at least the best of the grid, and no more than its steps may have missed
    assert best - 1e-7 <= sign * found.value <= best + 0.01
    assert found.status == "found"


@pytest.mark.slow
@pytest.mark.parametrize("low", [(-0.3, -0.3), (0.0, -0.5)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_within_moves_no_tilt_of_a_grid_is_worse(family, grid, low, sign):
    low, high = np.array(low), np.array([0.4, 0.2])
    found = find_worst(family, Allowed(low, high, FAR), sign)
    inside = [p for p in grid if ((family.shifts(p) >= low) & (family.shifts(p) <= high)).all()]
    best = max(sign * p.value for p in inside)
    assert best - 1e-7 <= sign * found.value <= best + 0.01
    assert ((found.shifts >= low) & (found.shifts <= high)).all()


@pytest.mark.slow
@pytest.mark.parametrize("value", [0.3, 0.05])
def test_the_nearest_with_a_value_is_no_farther_than_any_of_a_grid(family, grid, value):
    found = find_nearest(family, Allowed(-FREE, FREE, FAR), value)
    before = family.at(np.zeros(2)).value
    sign = np.sign(value - before)
    nearest = min(p.kl for p in grid if sign * (p.value - value) >= 0)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert nearest - 0.03 <= found.kl <= nearest + 1e-9
    assert found.status == "found"


def test_a_mean_that_is_held_stays(family):
    held = Allowed(np.array([-np.inf, 0.0]), np.array([np.inf, 0.0]), Distance("kl", 0.1))
    found = find_worst(family, held, 1.0)
    free = find_worst(family, Allowed(-FREE, FREE, Distance("kl", 0.1)), 1.0)
    assert found.shifts[1] == 0
    assert family.at(np.zeros(2)).value < found.value < free.value


def test_a_value_that_no_tilt_has_is_out_of_reach_and_the_nearest_is_told(family):
    near = Allowed(-FREE, FREE, Distance("kl", 0.02))
    found = find_nearest(family, near, 0.95)
    assert found.status == "out of reach"
    assert found.value == pytest.approx(find_worst(family, near, 1.0).value, rel=1e-9)


def test_moves_beyond_what_any_search_goes_to_say_so(family):
    found = find_worst(family, Allowed(np.full(2, -50.0), np.full(2, 50.0), FAR), 1.0)
    assert found.status == "limit"
    assert found.kl <= FARTHEST * (1 + 1e-6)


def test_where_nothing_harms_the_rows_stay_as_they_are():
    family = TiltFamily(X, BASE, lambda share: (0.5, np.zeros(N)))
    found = find_worst(family, Allowed(-FREE, FREE, Distance("kl", 0.1)), 1.0)
    assert found.value == 0.5
    assert found.kl <= 0.1 * (1 + 1e-6)


@pytest.mark.parametrize("search", [find_worst, find_nearest])
def test_an_interrupt_ends_a_search_at_the_next_tilt(family, search):
    ticks = []

    def tick():
        ticks.append(0)
        if len(ticks) == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(family, Allowed(-FREE, FREE, FAR), 0.3 if search is find_nearest else 1.0, tick)
    assert len(ticks) == 9
