import numpy as np
import pytest
from scipy.optimize import linprog

from tauscope.effects.bounds.bands import window_range


def program(values, inside_mass, outside_mass, epsilon, sign):
    """Highest or lowest Σwv/Σw over the window, all rows' weights moving, by the Charnes-Cooper linear program.

    Variables: y = w·s, s = 1/Σ_window w, and the mass gained and lost by each row, scaled alike.
    """
    base = np.append(inside_mass, outside_mass)
    k, n = len(values), len(base)
    # order: gained (n), lost (n), s
    cost = -sign * np.concatenate([values, [0.0], -values, [0.0], [base[:k] @ values]])
    in_window = np.append(np.ones(k), 0.0)
    A_eq = [
        np.concatenate([np.ones(n), -np.ones(n), [0.0]]),
        np.concatenate([in_window, -in_window, [base[:k].sum()]]),
    ]
    A_ub = [np.concatenate([np.ones(n), np.zeros(n), [-epsilon]])]
    A_ub += [np.concatenate([np.zeros(n), np.eye(n)[i], [-base[i]]]) for i in range(n)]
    found = linprog(cost, A_ub=np.array(A_ub), b_ub=np.zeros(n + 1), A_eq=np.array(A_eq), b_eq=[0, 1], method="highs")
    assert found.status == 0
    return -sign * found.fun


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("epsilon", [0.0, 0.01, 0.1, 0.4, 0.8, 1.0])
@pytest.mark.parametrize("share", [0.15, 0.6, 1.0])
def test_equals_the_linear_fractional_program(seed, epsilon, share):
    random = np.random.default_rng(seed)
    values = random.normal(size=15)
    if seed % 2:
        values = np.round(values)
    mass = random.exponential(size=15)
    mass *= share / mass.sum()
    lower, upper = window_range(values, mass, epsilon)
    if epsilon == 1.0 and share < 1.0:
        # the program may empty the window; all mass on one row of it is the limit
        assert (lower, upper) == pytest.approx((values.min(), values.max()))
        return
    assert upper == pytest.approx(program(values, mass, 1 - share, epsilon, 1), abs=1e-9)
    assert lower == pytest.approx(program(values, mass, 1 - share, epsilon, -1), abs=1e-9)


def test_a_window_without_mass_has_no_range():
    assert np.isnan(window_range(np.ones(2), np.zeros(2), 0.1)).all()


def test_no_reweighting_leaves_it():
    random = np.random.default_rng(0)
    values, base = random.normal(size=30), np.full(100, 0.01)
    for _ in range(300):
        weights = random.exponential(size=100) ** random.choice([0.1, 1, 4])
        weights /= weights.sum()
        tv = 0.5 * np.abs(weights - base).sum()
        lower, upper = window_range(values, base[:30], min(1.0, tv))
        assert lower - 1e-12 <= np.average(values, weights=weights[:30]) <= upper + 1e-12
