"""Same-decision probabilities of every row in chunks: those of memory, by the same forest."""

import pickle

import dask.dataframe as dd
import numpy as np
import pytest

import tauscope as ts
from chunked.rules.test_counts import N, chunked, parts, rows, says, value
from tauscope.study.rules.same_decision import OwnDecisions


@pytest.mark.slow
def test_a_sample_of_all_rows_gives_what_memory_gives() -> None:
    X, y, _ = rows()
    want = ts.Study(says, X, y).same_decision(["age", "job"])
    np.testing.assert_array_equal(chunked().same_decision(["age", "job"]), want)
    frame = dd.from_pandas(X.assign(y=y), npartitions=3)
    np.testing.assert_array_equal(
        ts.ChunkedStudy.from_dask(says, frame, target="y").same_decision(["age", "job"]), want
    )


def test_rows_that_the_forest_has_not_seen() -> None:
    X, _, _ = rows()
    study = chunked()
    found = study.same_decision(["age", "job"], sample=500)
    assert found.index.tolist() == list(range(N))
    np.testing.assert_array_equal(found, study.sample(500).same_decision(["age", "job"], X))
    assert found.mean() > 0.9
    groups = {"colour": ["red", "blue"]}
    grouped = study.same_decision(["colour"], sample=500, groups=groups)
    np.testing.assert_array_equal(grouped, study.sample(500).same_decision(["colour"], X, groups=groups))


def test_values_of_a_regression() -> None:
    X, _, _ = rows()
    study = ts.ChunkedStudy(value, parts(labelled=False), task="regression")
    found = study.same_decision(["age"], sample=400, t=25.0, n_estimators=5)
    np.testing.assert_array_equal(found, study.sample(400).same_decision(["age"], X, t=25.0, n_estimators=5))


def test_what_goes_to_workers_pickles() -> None:
    X, _, _ = rows()
    study = chunked().sample(500)
    own = OwnDecisions.of(study, ["age"], {})
    again = pickle.loads(pickle.dumps(own))
    entries = own.forest.table.rows[:50]
    decided = study.predicted[:50].astype(float)
    np.testing.assert_array_equal(again(entries, decided), own(entries, decided))
    assert len(X) == N


def test_what_cannot_be_asked() -> None:
    X, y, _ = rows()
    rare = X.assign(job=X["job"].where(np.arange(N) != 11, "smith"), y=y)
    study = ts.ChunkedStudy(says, [rare[:1000], rare[1000:]], target="y")
    with pytest.raises(ts.InputError, match="sample lacks a level of 'job'"):
        study.same_decision(["job"], sample=300)
    assert len(study.same_decision(["age"], sample=300)) == N
    with pytest.raises(ts.UnknownName, match="no option 'pi'"):
        study.same_decision(["age"], pi=0.9)
