"""Few rows that carry the weight moved: by the definition, where effective size and k̂ see nothing, and among tails."""

import numpy as np
import pytest

from tauscope.weights.carriers import (
    GROWN,
    MIN_CARRIERS,
    NO_FEW,
    carriers_at_end,
    carriers_of_tails,
    few_carriers,
)
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size, total_variation
from tauscope.weights.pareto import STANDS_OUT, tail_size


def by_definition(weights: np.ndarray, base: np.ndarray) -> tuple[int, float]:
    """Take rows one by one by what they gained, and those that gained as much with them."""
    share, before = weights / weights.sum(), base / base.sum()
    gain = share - before
    moved = total_variation(weights, base)
    for least in sorted(set(gain.tolist()), reverse=True):
        rows = gain >= least - 1e-12 * abs(least)
        if gain[rows].sum() >= 0.5 * moved * (1 - 1e-9):
            few = rows.sum() < MIN_CARRIERS and rows.sum() <= tail_size(int((before > 0).sum()))
            grown = gain[rows].sum() >= STANDS_OUT and share[rows].sum() >= GROWN * before[rows].sum()
            return (int(rows.sum()), float(share[rows].sum())) if moved >= STANDS_OUT and few and grown else NO_FEW
    return NO_FEW


def test_thirteen_rows_of_a_quarter_of_all_weight_are_seen_where_ess_and_k_see_nothing():
    weights = np.ones(16281)
    weights[:13] = 16268 * 0.25 / 0.75 / 13
    assert effective_size(weights) > 200
    assert pareto_khat(weights) < 0.7
    n, share = few_carriers(weights)
    assert n == 13
    assert share == pytest.approx(0.25)


@pytest.mark.parametrize("n_rows", [3, 40, 200, 2000])
@pytest.mark.parametrize("slope", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_they_are_those_of_the_definition(n_rows: int, slope: float, weighted: bool):
    rng = np.random.default_rng(n_rows)
    x = np.round(rng.standard_t(3, n_rows), 1)  # some tie
    base = rng.integers(0, 4, n_rows) + (np.arange(n_rows) == 0) if weighted else np.ones(n_rows)
    weights = base * np.exp(slope * x)
    found = few_carriers(weights, base if weighted else None)
    assert found == pytest.approx(by_definition(weights, base.astype(float)))


def test_nothing_moved_and_many_alike_are_not_few():
    base = np.r_[np.full(5, 1000.0), np.ones(5000)]
    assert few_carriers(base, base) == NO_FEW
    assert few_carriers(np.r_[np.full(31, 50.0), np.ones(5000)]) == NO_FEW
    assert few_carriers(np.r_[np.full(29, 50.0), np.ones(5000)]).n == 29
    assert few_carriers(np.zeros(4)) == NO_FEW
    assert few_carriers(np.ones(1)) == NO_FEW


@pytest.mark.parametrize("slope", [0.0, 0.5, 2.0, 4.0])
def test_among_tails_they_are_the_same_as_among_all_rows(slope: float):
    x = np.random.default_rng(1).normal(size=3000).round(2)
    weights = np.exp(slope * x)
    m = tail_size(len(x))
    logs = np.sort(slope * x)[-m - 1 :]
    moved = np.array([total_variation(weights, np.ones(len(x)))])
    n, share = carriers_of_tails(logs[None, 1:] - logs[0], np.exp(logs[:1]) / weights.sum(), moved, len(x))
    assert (int(n[0]), float(share[0])) == pytest.approx(few_carriers(weights))


def test_rows_left_alone_carry_everything():
    n, share = carriers_at_end(np.array([13.0, 29.0, 30.0, 4000.0]), 5000)
    assert n.tolist() == [13, 29, 0, 0]
    assert share.tolist() == [1, 1, 0, 0]
