import numpy as np
import pytest

import tauscope as ts
from study.boundary.cases import above, plane
from tauscope.views.boundary.pooled_rows import NoRows, pooling_words, rows_to_pool

X = plane(40)


def model(rows):
    return above(rows) ^ (rows["b"].to_numpy() > 1)


def test_those_selected_else_those_misclassified():
    study = ts.Study(model, X, above(X), progress=False)
    assert rows_to_pool(study, [3, 1]).tolist() == [3, 1]
    np.testing.assert_array_equal(rows_to_pool(study, []), study.errors)
    assert len(study.errors)


def test_where_there_are_none_it_says_what_to_do():
    with pytest.raises(NoRows, match=r"^Select rows, .* Without true labels"):
        rows_to_pool(ts.Study(model, X, progress=False), [])
    with pytest.raises(NoRows, match="None of the 40 rows is misclassified"):
        rows_to_pool(ts.Study(above, X, above(X), progress=False), [])


def test_words():
    assert pooling_words("forest", 1) == "Asking forest about 1 row"
    assert pooling_words("forest", 200) == "Asking forest about 200 rows"
    assert pooling_words("forest", 2035) == "Asking forest about 200 of 2,035 rows"
