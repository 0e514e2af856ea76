"""The worst weights of single rows: linear programs and grids of tilts as oracles, edges, and influences."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import linprog

from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sums.worst import FactorTilt, parts_of_values, sum_values
from tauscope.stress.worst.rows import Distance, worst_of_parts
from tauscope.weights.measures import kullback_leibler, total_variation

RNG = np.random.default_rng(5)
N = 80
TRUTH, SCORE = RNG.integers(0, 2, N), RNG.random(N)
BINARY = Outcomes("binary", (SCORE > 0.4).astype(np.int64), TRUTH, SCORE, ("no", "yes"))
VALUE = RNG.normal(3, 2, N)
REGRESSION = Outcomes("regression", VALUE + RNG.normal(size=N), VALUE, None, ())
BASE = RNG.random(N) * (RNG.random(N) < 0.9)
SHARE = BASE / BASE.sum()
RATIOS = ("error_rate", "false_positive_rate", "false_discovery_rate", "recall", "precision", "f1", "accuracy")
CASES = [
    *((BINARY, name) for name in (*RATIOS, "log_loss", "mean_score", "brier_score_loss")),
    *((REGRESSION, name) for name in ("rmse", "mean_absolute_error", "bias", "mean")),
]


def named(outcomes, name):
    quantities, every = define_quantities(outcomes, names=(name,))
    return quantities, choose(every, (name,))[0]


def by_value(quantities, metric, most=None):
    """Return a metric's parts, their masses, which part each row is, and what weights rows by a factor of each part."""
    block = SimpleNamespace(n_rows=N, weight=BASE, quantities=quantities)
    found = sum_values(metric, BASE.sum(), lambda function, *args, plus: function(block, *args), most)
    places = FactorTilt(metric, found, np.arange(len(found.values)), 1.0).weights(
        SimpleNamespace(n_rows=N, weight=None, quantities=quantities)
    )
    return parts_of_values(metric, found), found.masses[:, 0], places


def worst(outcomes, name, distance, sign, most=None):
    quantities, metric = named(outcomes, name)
    parts, mass, places = by_value(quantities, metric, most)
    extreme = worst_of_parts(parts, mass, distance, sign)
    return extreme, BASE * extreme.factor[places], quantities, metric, (parts, mass, places)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("distance", [Distance("tv", 0.1), Distance("kl", 0.1), Distance("kl", 1.0)], ids=str)
@pytest.mark.parametrize(("outcomes", "name"), CASES, ids=lambda each: each if isinstance(each, str) else "")
def test_the_weights_have_the_value_and_keep_the_distance(outcomes, name, distance, sign):
    extreme, weights, quantities, metric, _ = worst(outcomes, name, distance, sign)
    measure = total_variation if distance.kind == "tv" else kullback_leibler
    assert metric_values(quantities, [metric], weights)[0] == pytest.approx(extreme.value, rel=1e-9)
    assert weights.sum() == pytest.approx(BASE.sum(), rel=1e-12)
    assert measure(weights, BASE) <= distance.limit * (1 + 1e-9)
    assert sign * (extreme.value - metric_values(quantities, [metric], BASE)[0]) > 0


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(("outcomes", "name"), CASES, ids=lambda each: each if isinstance(each, str) else "")
def test_total_variation_is_the_linear_program(outcomes, name, sign):
    extreme, _, _, _, (parts, _, places) = worst(outcomes, name, Distance("tv", 0.15), sign)
    top, bottom = parts.top[places], parts.bottom[places]
    used = SHARE > 0
    top, bottom, share = top[used], bottom[used], SHARE[used]
    n = len(share)
    # Charnes and Cooper: y = w s with Σ y bottom = 1; up - down = y - s share, each at most ε s
    cost = -sign * np.r_[top, np.zeros(2 * n + 1)]
    eye = np.eye(n)
    equal = np.vstack(
        [
            np.hstack([eye, -eye, eye, -share[:, None]]),
            np.r_[bottom, np.zeros(2 * n + 1)],
            np.r_[np.ones(n), np.zeros(2 * n), -1.0],
        ]
    )
    below = np.vstack([np.r_[np.zeros(n), np.ones(n), np.zeros(n), -0.15]])
    found = linprog(cost, A_ub=below, b_ub=[0], A_eq=equal, b_eq=np.r_[np.zeros(n), 1, 0], bounds=(0, None))
    assert extreme.value == pytest.approx(parts.value(-sign * found.fun), rel=1e-7)


@pytest.mark.parametrize("name", RATIOS)
def test_kl_is_the_best_of_a_grid_over_cells(name):
    """Weights of one cell are alike, so that the simplex of four cells holds the answer."""
    extreme, _, _, _, (parts, mass, _) = worst(BINARY, name, Distance("kl", 0.2), 1.0)
    drawn = np.random.default_rng(0).dirichlet(8 * mass + 0.5, 60_000)
    kl = np.sum(drawn * np.log(drawn / mass), axis=1)
    inside = drawn[kl <= 0.2]
    best = np.max((inside @ parts.top) / (inside @ parts.bottom))
    assert best <= extreme.value + 1e-9
    assert extreme.value == pytest.approx(best, abs=0.03)


def test_all_rows_that_are_wrong_take_all_weight_in_the_end():
    for distance in (Distance("tv", 1.0), Distance("kl", 50.0)):
        extreme, weights, *_ = worst(BINARY, "error_rate", distance, 1.0)
        assert extreme.value == pytest.approx(1, rel=1e-12)
        wrong = BINARY.predicted != TRUTH
        assert weights[~wrong].sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("distance", [Distance("tv", 0.1), Distance("kl", 0.1)], ids=str)
@pytest.mark.parametrize(("outcomes", "name"), CASES, ids=lambda each: each if isinstance(each, str) else "")
def test_rows_of_one_value_weigh_alike(outcomes, name, distance):
    (rows, of_rows, *_), (values, of_values, *_) = (worst(outcomes, name, distance, 1.0, most) for most in (None, N))
    assert values.value == pytest.approx(rows.value, rel=1e-12)
    np.testing.assert_allclose(of_values, of_rows, rtol=1e-9)


@pytest.mark.parametrize("distance", [Distance("tv", 0.1), Distance("kl", 0.1)], ids=str)
@pytest.mark.parametrize(
    ("outcomes", "name"), [(BINARY, "error_rate"), (BINARY, "recall"), (BINARY, "log_loss"), (REGRESSION, "rmse")]
)
def test_the_influence_is_the_derivative_by_the_rows_as_they_are(outcomes, name, distance):
    quantities, metric = named(outcomes, name)
    parts, mass, places = by_value(quantities, metric)
    extreme = worst_of_parts(parts, mass, distance, 1.0)
    towards = SHARE * np.exp(0.3 * RNG.normal(size=N))
    moved = towards / towards.sum() - SHARE
    step = 1e-5
    moves = step * np.bincount(places, moved, len(mass))
    up, down = (worst_of_parts(parts, mass + s * moves, distance, 1.0).value for s in (1, -1))
    influence = extreme.influence[places]
    assert SHARE @ influence == pytest.approx(0, abs=1e-12)
    assert moved @ influence == pytest.approx((up - down) / (2 * step), rel=1e-3, abs=1e-7)
