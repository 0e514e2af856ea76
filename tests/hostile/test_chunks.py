"""Verbs of rows in chunks, beside those of the same rows in memory."""

import pytest

from hostile import chunks
from hostile.cases import blocks, run


@pytest.mark.slow
@pytest.mark.parametrize("seeds", blocks(20))
def test_generated_chunks(seeds):
    run(chunks, seeds)
