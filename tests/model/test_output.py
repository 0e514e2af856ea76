import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tauscope.errors import InputError
from tauscope.model.output import read_answer


@pytest.mark.parametrize(
    ("answer", "shape", "kind"),
    [
        (np.array([1, 2, 3]), (3,), "i"),
        ([0.1, 0.2, 0.3], (3,), "f"),
        (np.array([[1], [2], [3]]), (3,), "i"),
        (np.array(["a", "b", "c"]), (3,), "O"),
        (pd.Series(["a", "b", "c"], index=[7, 8, 9]), (3,), "O"),
        (pl.Series([True, False, True]), (3,), "b"),
        (pd.DataFrame(np.full((3, 2), 0.5)), (3, 2), "f"),
        (pl.DataFrame({"no": [0.1, 0.2, 0.3], "yes": [0.9, 0.8, 0.7]}), (3, 2), "f"),
        (np.full((3, 4), 0.25, dtype=np.float32), (3, 4), "f"),
    ],
)
def test_answers_come_as_anything(answer, shape, kind):
    array = read_answer(answer, 3, "f")
    assert array.shape == shape
    assert array.dtype.kind == kind


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros(2), "f returned (2,) for 3 rows"),
        (np.zeros((3, 2, 2)), "f returned (3, 2, 2) for 3 rows"),
        (np.float64(0.5), "What f returned must hold one value per row; got a float64"),
        (np.zeros((3, 0)), "f returned (3, 0) for 3 rows"),
        (None, "one answer per row. What f returned must hold one value per row; got None"),
        (0.5, "one value per row; got a float"),
        ("yes", "one value per row; got a str"),
        ([[1], [1, 2], [3]], "rows of unequal length"),
        (np.array([0.1, np.nan, np.inf]), "f returned 2 missing, NaN or infinite in 3 rows, first in row 1"),
        (np.array(["a", None, "b"], dtype=object), "f returned 1 missing, NaN or infinite in 3 rows, first in row 1"),
        (np.array([[0.5, 0.5], [0.5, 0.5], [np.nan, np.nan]]), "f returned 2 missing, NaN or infinite"),
    ],
)
def test_answers_that_do_not_fit_the_rows(answer, message):
    with pytest.raises(InputError, match=re.escape(message)):
        read_answer(answer, 3, "f")
