"""The hash of data: the same for the same data in any container, another for any change that counts."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

import tauscope as ts

N = 60
RANDOM = np.random.default_rng(0)
Y = np.arange(N) % 2


def rows():
    return pd.DataFrame(
        {
            "age": np.where(np.arange(N) % 7 == 0, np.nan, np.arange(N) * 1.5),
            "n": np.arange(N) % 5,
            "job": np.array(["nurse", "driver", "clerk"])[np.arange(N) % 3],
            "left": np.arange(N) % 4 == 0,
            "since": np.datetime64("2020-01-01T00:00", "us") + 13 * np.arange(N) * np.timedelta64(1, "h"),
        }
    )


def study(X=None, y=Y, **options):
    X = rows() if X is None else X
    return ts.Study.from_predictions(X, y, np.roll(Y, 1) if y is None or len(np.unique(y)) == 2 else y, **options)


def test_it_is_a_sha256_asked_once(monkeypatch):
    one = study()
    assert len(one.data_hash) == 64
    assert set(one.data_hash) <= set("0123456789abcdef")
    monkeypatch.setattr("tauscope.study.base.hash_data", lambda *given: "again")
    assert one.data_hash != "again"
    assert study().data_hash == "again"


def test_it_is_the_same_tomorrow():
    X = pd.DataFrame({"a": [1.0, np.nan, 2.5], "b": ["x", "y", "x"]})
    found = ts.Study.from_predictions(X, [0, 1, 1], [0, 1, 0]).data_hash
    assert found == "0d4ce57024dccaa74029b226f28f266c597446e92674860388d1cbd4f5f19c81"


SAME = {
    "polars": lambda X: pl.DataFrame(X.to_dict("list") | {"age": [None if v != v else v for v in X["age"]]}),
    "another index": lambda X: X.set_index(np.arange(N)[::-1]),
    "categories": lambda X: X.assign(job=X["job"].astype(pd.CategoricalDtype(["nurse", "none", "clerk", "driver"]))),
    "floats": lambda X: X.assign(n=X["n"].astype(np.float32)),
    "minus zero": lambda X: X.assign(n=np.where(X["n"] == 0, -0.0, X["n"])),
    "nanoseconds": lambda X: X.assign(since=X["since"].astype("datetime64[ns]")),
    "nullable": lambda X: X.convert_dtypes(),
}
OTHER = {
    "a value": lambda X: X.assign(n=X["n"].where(X.index != 5, 9)),
    "a missing value": lambda X: X.assign(age=X["age"].where(X.index != 5)),
    "a level": lambda X: X.assign(job=X["job"].replace("clerk", "Clerk")),
    "a name": lambda X: X.rename(columns={"n": "m"}),
    "the order of columns": lambda X: X[["n", "age", "job", "left", "since"]],
    "the order of rows": lambda X: X[::-1],
    "a kind": lambda X: X.assign(left=X["left"].astype(int)),
    "a unit": lambda X: X.assign(since=X["since"] - np.datetime64("2000-01-01")),
    "fewer rows": lambda X: X[:-2],
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_data(name):
    assert study(SAME[name](rows())).data_hash == study().data_hash


@pytest.mark.parametrize("name", OTHER)
def test_other_data(name):
    X = OTHER[name](rows())
    y = Y[: len(X)]
    assert ts.Study.from_predictions(X, y, y).data_hash != study().data_hash


def test_an_array_is_a_frame_of_its_names():
    values = RANDOM.normal(size=(N, 3))
    frame = pd.DataFrame(values, columns=["a", "b", "c"])
    named = study(values, feature_names=["a", "b", "c"]).data_hash
    assert named == study(frame).data_hash == study(pl.DataFrame(values, schema=["a", "b", "c"])).data_hash
    assert named != study(values).data_hash  # x0, x1, x2
    assert named != study(values.astype(np.float32), feature_names=["a", "b", "c"]).data_hash


def test_truth_counts_and_its_type_does_not():
    assert study(y=Y.astype(float)).data_hash == study(y=Y.astype(bool)).data_hash == study().data_hash
    words = study(y=np.array(["no", "yes"])[Y]).data_hash
    assert len({words, study(y=1 - Y).data_hash, study(y=None).data_hash, study().data_hash}) == 4
    assert words == study(y=pd.Categorical(np.array(["no", "yes"])[Y], ["yes", "never", "no"])).data_hash


def test_weights_count_and_their_scale_does_not():
    weight = 1.0 + np.arange(N)
    assert study(sample_weight=weight).data_hash == study(sample_weight=2 * weight).data_hash != study().data_hash
    assert study(sample_weight=np.full(N, 3)).data_hash == study().data_hash
    assert study().under(ts.Mean("n", tau=0.2)).data_hash != study().data_hash


def test_the_model_does_not_count():
    X = rows()[["n"]]
    models = [LogisticRegression(C=c).fit(X, Y) for c in (0.01, 1)]
    hashes = {ts.Study(model, X, Y, pos_label=k).data_hash for k, model in enumerate(models)}
    three = ts.Study(LogisticRegression().fit(X, np.arange(N) % 3), X, Y)
    assert {*hashes, three.data_hash, ts.Study(lambda X: X["n"] / 5, X, Y, task="regression").data_hash} == hashes
    assert len(hashes) == 1


def test_a_sparse_matrix_has_one_for_all_formats():
    dense = RANDOM.integers(0, 2, (N, 6)) * RANDOM.normal(size=(N, 6))
    csr = sparse.csr_matrix(dense)
    with_zeros = csr.copy()
    with_zeros.data[:3] = 0
    hashes = {study(kind(dense)).data_hash for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix)}
    assert len(hashes) == 1
    assert study(with_zeros).data_hash == study(sparse.csr_matrix(with_zeros.toarray())).data_hash
    assert not {study(with_zeros).data_hash, study(csr, feature_names=[*"abcdef"]).data_hash} & hashes
