"""Weights at a price, against an optimiser that knows nothing of it."""

import numpy as np
import pytest

from stress.towards.oracle import balance
from stress.towards.toys import sample
from tauscope.stress.towards.penalised import project_penalised


@pytest.mark.parametrize("price", [0.1, 3.0, 300.0])
@pytest.mark.parametrize("target", [(0.5, 0.2, 3.0), (8.0, 0.2, 3.0)], ids=["reachable", "beyond every row"])
def test_they_are_the_closest(price: float, target: tuple[float, ...]) -> None:
    columns = sample(300, 0.0, 0)
    phi = np.stack([columns[name] for name in "abc"], axis=1)
    base = np.random.default_rng(2).gamma(2, size=300)
    base /= base.sum()
    aim = np.array(target)
    sd = np.sqrt(base @ (phi - base @ phi) ** 2)
    share, descent = project_penalised(phi, aim, base, sd, price)
    assert descent.outcome == "converged"
    np.testing.assert_allclose(share, balance(phi, aim, price, base), atol=1e-9)
    missed = (share @ phi - aim) / sd
    np.testing.assert_allclose(missed, -descent.multipliers * sd / price, atol=1e-8)


def test_columns_that_follow_from_each_other_are_no_trouble() -> None:
    columns = sample(200, 0.0, 0)
    phi = np.stack([columns[name] for name in "uvw"], axis=1)
    aim = np.array([0.2, 0.2, 0.2])  # which add up to .6
    sd = phi.std(axis=0)
    share, descent = project_penalised(phi, aim, None, sd, 10.0)
    assert descent.outcome == "converged"
    np.testing.assert_allclose(share, balance(phi, aim, 10.0), atol=1e-9)
