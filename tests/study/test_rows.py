"""Rows as a person has them: what the random numbers of new ones are drawn by."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

import tauscope as ts
from study.boundary.cases import QUIET, above, plane
from tauscope.study.rows import row_keys


def forest() -> ts.Study:
    X = plane()
    return ts.Study(RandomForestClassifier(5, random_state=0).fit(X, above(X)), X, above(X), progress=False)


def test_keys_are_of_the_values_alone():
    points = np.array([[1.0, np.nan], [1.0, 0.0], [1.0, -0.0], [0.0, 1.0]])
    keys = row_keys(points)
    assert keys[1] == keys[2]
    assert len(set(keys)) == 3
    assert (keys >= 1 << 62).all()
    np.testing.assert_array_equal(row_keys(points[::-1]), keys[::-1])
    assert row_keys(np.float64([[1, -np.nan]]))[0] == keys[0]


@pytest.mark.slow
def test_a_new_row_has_one_answer_alone_and_among_others():
    study, new = forest(), plane().head(3) + 0.01
    together = study.boundaries(new, **QUIET)
    for i in range(3):
        alone = study.boundary(new.iloc[[i]], **QUIET)
        pd.testing.assert_frame_equal(alone.frame, together[i].frame)
        np.testing.assert_array_equal(alone.diagnostics, together[i].diagnostics)


@pytest.mark.slow
def test_new_rows_share_no_sample():
    X = plane()
    X["c"] = np.linspace(-1, 1, len(X))
    study = ts.Study(lambda rows: np.sin(3 * rows["a"]) + rows["b"] > 0, X, progress=False)
    row = X.iloc[[5]]
    # the model uses no "c": the same question of two new rows, whose samples alone differ
    one, again, other = (study.boundary(row.assign(c=c), **QUIET, fixed=["c"]) for c in (0.111, 0.111, 0.222))
    assert one.distance == other.distance
    assert one.diagnostics["faithfulness"] == again.diagnostics["faithfulness"]
    assert one.diagnostics["faithfulness"] != other.diagnostics["faithfulness"]
