"""Boundaries and rules of models of generated rows."""

import pytest

from hostile import boundaries_and_rules
from hostile.cases import blocks, run


@pytest.mark.slow
@pytest.mark.parametrize("seeds", blocks(10))
def test_generated_boundaries_and_rules(seeds):
    run(boundaries_and_rules, seeds)
