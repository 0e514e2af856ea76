"""How evenly a group's weight lies, through sums of chunks, against the judgement of all its weights."""

from functools import reduce
from operator import add

import numpy as np
import pytest

from tauscope.results.reliability import degrees_of_freedom, judge_size, judge_weights
from tauscope.stress.sums.group_weights import GroupWeights
from tauscope.weights.measures import effective_size


@pytest.mark.parametrize("n", [1, 2, 3, 12, 200, 3000])
@pytest.mark.parametrize("slope", [0.0, 0.5, 1.5, 4.0])
@pytest.mark.parametrize("n_chunks", [1, 4])
def test_it_is_judged_as_all_of_its_weights_are(n: int, slope: float, n_chunks: int) -> None:
    random = np.random.default_rng(n)
    weights = (random.random(n) < 0.8) * np.exp(slope * random.standard_t(4, n))
    weights[0] = 1.0
    parts = np.array_split(weights / weights.sum(), n_chunks)
    n_counted = int(np.count_nonzero(weights))
    found = reduce(add, [GroupWeights.of(part, n, n_counted) for part in parts])
    assert (found.n_rows, found.n_held) == (n, n_counted)
    assert found.ess == pytest.approx(effective_size(weights))
    assert found.degrees_of_freedom == pytest.approx(degrees_of_freedom(weights))
    got, want = judge_size(found.degrees_of_freedom, found.pareto_k, found.carriers), judge_weights(weights)
    assert got == pytest.approx(want, rel=1e-9)


def test_rows_without_weight_have_no_effective_size() -> None:
    found = GroupWeights.of(np.zeros(5), 5, 0)
    assert (found.ess, found.n_held) == (0.0, 0)
