"""How the entries of a column read, alone and beside the one they were."""

import numpy as np
import pytest

from tauscope.results.boundary.columns import BoundaryColumn


@pytest.mark.parametrize(
    ("start", "value", "words"),
    [
        (38.0, 41.0, "41"),
        (21.075, 21.075, "21.1"),
        (21.075, 21.075 + 3e-10, "21.1 (+3e−10)"),
        (38.12, 38.09, "38.1 (−0.03)"),
        (np.nan, np.nan, "missing"),
        (np.nan, 3.0, "3"),
    ],
)
def test_a_number_that_reads_as_before_says_how_far_it_moved(start, value, words):
    assert BoundaryColumn("fare", "number").label_from(start, value) == words


def test_a_level_is_its_name():
    column = BoundaryColumn("sex", "levels", ("female", "male"))
    assert column.label_from(0, 1) == "male"
