"""The heaviest rows and those that gained most, kept through sums of chunks, against all rows."""

from functools import reduce
from operator import add

import numpy as np
import pytest

from tauscope.stress.sums.heaviest import Heaviest, MostGained
from tauscope.weights.carriers import few_carriers, most_carriers
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import total_variation
from tauscope.weights.pareto import tail_size


def weighted(n: int, slope: float) -> tuple[np.ndarray, np.ndarray]:
    """Weights before and after, some zero and some tied."""
    rng = np.random.default_rng(n)
    base = rng.integers(0, 4, n) * rng.choice([1.0, 1.0, 20.0], n) + (np.arange(n) == 0)
    weights = base * np.exp(slope * np.round(rng.standard_t(3, n), 1))
    return base / base.sum(), weights / weights.sum()


@pytest.mark.parametrize("n", [3, 40, 200, 2000])
@pytest.mark.parametrize("slope", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("n_chunks", [1, 3, 7])
def test_they_tell_of_all_rows_what_weights_in_memory_tell(n: int, slope: float, n_chunks: int) -> None:
    base, weights = weighted(n, slope)
    parts = np.array_split(np.arange(n), n_chunks)
    n_counted = int(np.count_nonzero(base))
    gained = reduce(add, [MostGained.of(weights[i], base[i], most_carriers(n_counted)) for i in parts])
    assert gained.carriers(total_variation(weights, base)) == pytest.approx(few_carriers(weights, base), rel=1e-12)
    most = tail_size(n_counted) + 1
    heaviest = reduce(lambda a, b: a.joined(b, most), [Heaviest.of(weights[i], base[i], most) for i in parts])
    assert len(heaviest.logs) <= most
    assert heaviest.pareto_k(1.0, 1.0, n_counted) == pytest.approx(pareto_khat(weights, base), rel=1e-9)


def test_four_rows_that_gain_nothing_have_no_tail_to_fear() -> None:
    base = np.r_[np.full(4, 30.0), np.ones(2000)]
    base /= base.sum()
    assert Heaviest.of(base, base, 200).pareto_k(1.0, 1.0, len(base)) == 0
    had_little = np.full(len(base), 1 / len(base))
    assert Heaviest.of(base, had_little, 200).pareto_k(1.0, 1.0, len(base)) == np.inf
