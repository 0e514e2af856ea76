"""Scores in chunks: quantiles as NumPy has them, and cells that hold every score."""

import numpy as np
import pytest

from tauscope.stress.bins.quantile_sketch import CELLS
from tauscope.stress.sums.score_order import ScoreOrder, read_windows

RANDOM = np.random.default_rng(0)
SCORES = {
    "many": RANDOM.random(3 * CELLS),
    "clumped": RANDOM.beta(0.05, 3, 3 * CELLS),
    "few": np.round(RANDOM.random(500), 2),
    "one": np.full(40, 0.3),
}
LEVELS = np.linspace(0, 1, 8) * 100 / 100


def in_chunks(score: np.ndarray) -> tuple[ScoreOrder, list[np.ndarray]]:
    parts = np.array_split(score, 5)
    order = ScoreOrder.of(parts[0], None)
    for part in parts[1:]:
        order = order + ScoreOrder.of(part, None)
    return order, parts


@pytest.mark.parametrize("name", SCORES)
def test_quantiles_are_those_of_all_scores(name: str) -> None:
    score = SCORES[name]
    order, parts = in_chunks(score)
    intervals = order.intervals(LEVELS)
    first, *others = [read_windows(part, intervals) for part in parts]
    for windows in others:
        first = tuple(a + b for a, b in zip(first, windows, strict=True))
    assert bool(intervals) == (name in ("many", "clumped"))
    np.testing.assert_array_equal(order.quantiles(LEVELS, first), np.percentile(score, np.linspace(0, 1, 8) * 100))
    assert order.range == (score.min(), score.max())


@pytest.mark.parametrize("most", [10, 300, CELLS])
@pytest.mark.parametrize("name", SCORES)
def test_cells_hold_every_score_and_say_which_are_of_one(name: str, most: int) -> None:
    score = SCORES[name]
    cuts = in_chunks(score)[0].cut(most)
    place = cuts(score)
    assert cuts.n <= most
    assert place.min() == 0
    assert place.max() < cuts.n
    assert (cuts.low[place] <= score).all()
    for k in range(0, cuts.n, max(1, cuts.n // 50)):
        inside = np.unique(score[place == k])
        assert len(inside) >= 1
        assert cuts.alone[k] == (len(inside) == 1)
    if name == "many":
        assert np.bincount(place).max() < 2.5 * len(score) / cuts.n + 20


def test_what_is_counted() -> None:
    score = np.array([0.0, 0.2, 0.9, 1.0, 0.4])
    weight = np.array([1.0, 0.0, 2.0, 0.5, 0.0])
    order = ScoreOrder.of(score[:2], weight[:2]) + ScoreOrder.of(score[2:], weight[2:])
    assert (order.n_extreme, order.n_counted, order.weight) == (2, 3, 3.5)
    assert order.nearest == pytest.approx((0.9, 0.1))
