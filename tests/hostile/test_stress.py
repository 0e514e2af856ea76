"""Stresses of generated rows: curves, reweightings, surfaces, images."""

import pytest

from hostile import stress
from hostile.cases import blocks, run


@pytest.mark.slow
@pytest.mark.parametrize("seeds", blocks(150))
def test_generated_stresses(seeds):
    run(stress, seeds)
