"""Labels, targets and models of odd kinds."""

import pytest

from hostile import labels
from hostile.cases import blocks, run


@pytest.mark.slow
@pytest.mark.parametrize("seeds", blocks(80))
def test_generated_labels(seeds):
    run(labels, seeds)
