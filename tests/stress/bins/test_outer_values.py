from functools import reduce
from operator import add

import numpy as np
import pytest

from tauscope.stress.bins.outer_values import OuterValues, keep_outer
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metric_forms import Unit
from tauscope.stress.metrics import define_quantities, measure_units
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.tails import spreads_of

OLD = {"prediction": Unit(3.0, 0.5), "error size": Unit(0.0, 2.0)}


@pytest.mark.parametrize("size", [400, 10_000])
@pytest.mark.parametrize("n", [30, 3000])
@pytest.mark.parametrize("exact", [0.0, 0.3])
def test_chunks_tell_the_tails_that_all_rows_have(n, size, exact):
    rng = np.random.default_rng(n)
    f = rng.exponential(size=n)
    e = np.where(rng.random(n) < exact, 0.0, rng.standard_t(3, size=n))
    outcomes = Outcomes("regression", f, f + e)
    spreads = spreads_of(definitions(outcomes))
    chunks = [keep_outer(spreads, outcomes.take(rows), OLD, size) for rows in np.array_split(np.arange(n), 4)]
    new = measure_units(outcomes)
    expected = {(m.name): m.tail for m in define_quantities(outcomes)[1] if m.is_spread}
    for each in spreads:
        kept = reduce(add, [chunk[each.quantity.name] for chunk in chunks])
        tail = kept.tail(each, OLD[each.quantity.name], new[each.quantity.name])
        np.testing.assert_allclose(tail, expected[each.name], rtol=1e-6, atol=1e-9)


def test_no_rows_and_equal_values_have_no_tail():
    spread = spreads_of(definitions(Outcomes("regression", np.zeros(2), np.zeros(2))))[-1]
    none = OuterValues.of(np.zeros(0), 5)
    assert none.tail(spread, Unit(), Unit()) == 0
    assert (none + OuterValues.of(np.zeros(9), 5)).tail(spread, Unit(), Unit()) == 0
