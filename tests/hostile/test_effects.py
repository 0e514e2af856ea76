"""Effects, bounds, breakdowns, stresses of curves, comparisons, regions and attacks on generated rows."""

import pytest

from hostile import effects
from hostile.cases import blocks, run


@pytest.mark.slow
@pytest.mark.parametrize("seeds", blocks(90))
def test_generated_effects(seeds):
    run(effects, seeds)
