"""The worst weights of single rows: linear programs and grids of tilts as oracles, edges, and influences."""

import numpy as np
import pytest
from scipy.optimize import linprog

from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.worst.rows import Distance, parts_of, worst_of_parts
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


def worst(outcomes, name, distance, sign):
    quantities, metric = named(outcomes, name)
    parts = parts_of(quantities, metric)
    extreme = worst_of_parts(parts, parts.gather(SHARE), distance, sign)
    weights = BASE * parts.spread(extreme.factor)
    return extreme, weights, quantities, metric, parts


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
    extreme, _, _, _, parts = worst(outcomes, name, Distance("tv", 0.15), sign)
    top, bottom = parts.spread(parts.top), parts.spread(parts.bottom)
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
    extreme, _, _, _, parts = worst(BINARY, name, Distance("kl", 0.2), 1.0)
    mass = parts.gather(SHARE)
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


def test_what_is_no_mean_or_ratio_has_no_parts():
    for outcomes, names in ((BINARY, ("roc_auc", "balanced_accuracy")), (REGRESSION, ("variance", "r2"))):
        for name in names:
            assert parts_of(*named(outcomes, name)) is None


@pytest.mark.parametrize("distance", [Distance("tv", 0.1), Distance("kl", 0.1)], ids=str)
@pytest.mark.parametrize(
    ("outcomes", "name"), [(BINARY, "error_rate"), (BINARY, "recall"), (BINARY, "log_loss"), (REGRESSION, "rmse")]
)
def test_the_influence_is_the_derivative_by_the_rows_as_they_are(outcomes, name, distance):
    quantities, metric = named(outcomes, name)
    parts = parts_of(quantities, metric)
    extreme = worst_of_parts(parts, parts.gather(SHARE), distance, 1.0)
    towards = SHARE * np.exp(0.3 * RNG.normal(size=N))
    moved = towards / towards.sum() - SHARE
    step = 1e-5
    up, down = (worst_of_parts(parts, parts.gather(SHARE + s * step * moved), distance, 1.0).value for s in (1, -1))
    influence = parts.spread(extreme.influence)
    assert SHARE @ influence == pytest.approx(0, abs=1e-12)
    assert moved @ influence == pytest.approx((up - down) / (2 * step), rel=1e-3, abs=1e-7)
