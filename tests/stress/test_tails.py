import numpy as np
import pytest

from tauscope.stress.metrics import define_quantities, measure_units
from tauscope.stress.outcomes import Outcomes
from tauscope.weights.concentration import pareto_khat


@pytest.mark.parametrize("n", [20, 3000, 50_000])
def test_tail_of_a_spread_is_that_of_its_squares(n):
    rng = np.random.default_rng(n)
    f, e = rng.exponential(size=n), rng.standard_t(3, size=n)
    tails = {metric.name: metric.tail for metric in define_quantities(Outcomes("regression", f, f + e))[1]}
    assert tails["mean"] == 0
    np.testing.assert_allclose(tails["variance"], pareto_khat((f - f.mean()) ** 2), rtol=1e-6)
    np.testing.assert_allclose(tails["rmse"], pareto_khat(e**2), rtol=1e-6)


def test_heavy_tails_are_told_from_light_ones():
    rng = np.random.default_rng(0)
    f = rng.normal(size=20_000)
    outcomes = Outcomes("regression", f, f + rng.standard_t(2, size=20_000))
    tails = {metric.name: metric.tail for metric in define_quantities(outcomes)[1]}
    assert tails["variance"] < 0.4 < tails["rmse"]


def test_part_of_the_rows_has_no_tail_of_its_own():
    f = np.random.default_rng(1).exponential(size=500)
    outcomes = Outcomes("regression", f, f)
    units = measure_units(outcomes)
    assert all(metric.tail == 0 for metric in define_quantities(outcomes, units)[1])
    given = define_quantities(outcomes, units, tails={("prediction", "variance"): 0.3})[1]
    assert [metric.tail for metric in given if metric.name == "variance"] == [0.3]


def test_no_error_at_all_has_no_tail():
    f = np.random.default_rng(2).normal(size=500)
    assert [m.tail for m in define_quantities(Outcomes("regression", f, f))[1] if m.name == "rmse"] == [0.0]
