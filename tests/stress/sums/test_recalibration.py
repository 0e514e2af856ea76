"""Newton's method over chunks: the coefficients and influences of the rows together, in as few passes as said."""

import numpy as np
import pytest
from scipy.special import expit

from tauscope.stress.calibration.recalibration import fit_intercept, fit_slope
from tauscope.stress.sums.recalibration import (
    LogisticPoint,
    LogisticSums,
    Newton,
    as_numbers,
    fit_all,
    influence,
    start_intercept,
    start_slope,
)

N = 3000
RANDOM = np.random.default_rng(0)
ODDS = RANDOM.normal(0.5, 1.5, N)
TRUTH = (RANDOM.random(N) < expit(0.7 * ODDS - 0.4)).astype(float)
SHARE = RANDOM.dirichlet(np.ones(N))


def ask(points: dict[int, LogisticPoint]) -> dict[int, LogisticSums]:
    """Sum over five chunks."""
    rows = np.array_split(np.arange(N), 5)
    out: dict[int, LogisticSums] = {}
    for key, point in points.items():
        first, *others = [LogisticSums.of(ODDS[own], TRUTH[own], SHARE[own], point) for own in rows]
        for each in others:
            first = first + each
        out[key] = first
    return out


def cells_of(width: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows that stand for all of a cell and class: mean log odds, truth and weight."""
    code = 2 * np.floor(ODDS / width) + TRUTH
    distinct, place = np.unique(code, return_inverse=True)
    mass = np.bincount(place, SHARE)
    return np.bincount(place, SHARE * ODDS) / mass, np.mod(distinct, 2), mass


@pytest.mark.parametrize(("width", "n_passes"), [(1e-9, 1), (2e-4, 2), (0.5, 4)])
def test_it_is_the_fit_of_the_rows_after_few_passes(width: float, n_passes: int) -> None:
    odds, truth, share = cells_of(width)
    started = start_intercept(odds, truth, share), start_slope(odds, truth, share, overlap=True)
    ways = {place: way for place, way in enumerate(started) if way is not None}
    assert fit_all(ways, ask) <= n_passes
    for place, fit in enumerate((fit_intercept, fit_slope)):
        found, want = ways[place].coefficient(), fit(ODDS, TRUTH, SHARE)
        assert found.value == pytest.approx(want.value, rel=1e-11)
        got = influence(np.tile(as_numbers(found), (N, 1)), ODDS, TRUTH)
        np.testing.assert_allclose(got, want.influence, rtol=1e-8, atol=1e-10)


def test_from_far_off_steps_are_halved_and_it_still_arrives() -> None:
    ways = {0: Newton(LogisticPoint(0.0, 1.0, 4.0, -6.0), with_slope=True)}
    values: list[float] = []

    def watched(points: dict[int, LogisticPoint]) -> dict[int, LogisticSums]:
        sums = ask(points)
        values.append(sums[0].value)
        return sums

    assert fit_all(ways, watched) < 50
    assert ways[0].coefficient().value == pytest.approx(fit_slope(ODDS, TRUTH, SHARE).value, rel=1e-11)
    assert min(np.diff(values)) < 0, "no step was too long, so that nothing was halved"


def test_where_cells_look_parted_and_rows_are_not_it_starts_from_nothing() -> None:
    way = start_slope(np.array([-1.0, 1.0]), np.array([0.0, 1.0]), np.array([0.5, 0.5]), overlap=True)
    assert way is not None
    assert way.point[2:] == (0.0, 0.0)


def test_where_there_is_no_fit() -> None:
    one_class = np.array([0.1, 0.4]), np.ones(2), np.array([0.5, 0.5])
    assert start_intercept(*one_class) is None
    assert start_slope(*one_class, overlap=False) is None
    flat = np.full(2, 0.4), np.array([0.0, 1.0]), np.array([0.5, 0.5])
    assert start_slope(*flat, overlap=True) is None
