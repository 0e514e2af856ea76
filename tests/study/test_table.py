"""The verb `table`: which columns it takes, and of which studies."""

import numpy as np
import pytest
from scipy import sparse

import tauscope as ts
from results import every
from tauscope.errors import InputError


def test_the_model_is_not_asked():
    study = every.fitted()
    asked = study.n_model_rows
    assert len(study.table().frame) == study.n_rows
    assert study.n_model_rows == asked


def test_columns_come_in_the_order_asked_for():
    table = every.study().table(["c", 0])
    assert [column.name for column in table.columns if column.role == "feature"] == ["c", "a"]


def test_a_subgroup_under_a_stress_has_their_weights():
    study = every.study().where(lambda X: X["d"] > 0).under(ts.Mean("a", tau=0.3))
    table = study.table()
    np.testing.assert_array_equal(table.frame["weight"], study.sample_weight)


def test_sparse_rows_are_shown_in_the_columns_named():
    X = sparse.random(50, 8, 0.3, format="csr", random_state=0)
    study = ts.Study.from_predictions(X, y_pred=np.arange(50) % 2)
    with pytest.raises(InputError, match="A table of all columns"):
        study.table()
    np.testing.assert_allclose(study.table([3]).frame["x3"], X.toarray()[:, 3])


def test_rows_in_chunks_are_not_listed():
    with pytest.raises(InputError, match=r"sample\(\)\.table\(\)"):
        every.chunked().table()
