"""Partitions on a cluster: read once where they fit into its memory, each time where they do not, the same numbers."""

import dask
import dask.dataframe as dd
import pandas as pd
import pytest
from dask.distributed import Client, LocalCluster

import tauscope as ts
from chunked.mixed_rows import TAUS, assert_same_curves
from tauscope.chunked import kept

read = []
OPTIONS = {"target": "y", "prediction": "p", "score": "s", "progress": False}


def counted(part):
    read.append(len(part))
    return part


@pytest.fixture(scope="module")
def cluster():
    # Without a limit: a worker within this process would count what all tests before have taken, and pause for good.
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", memory_limit=0
    ) as local:
        yield local


@pytest.fixture
def frame(X, y, model):
    read.clear()
    known = X.assign(y=y, p=model.predict(X), s=model.predict_proba(X)[:, 1])
    parts = dd.from_pandas(known, npartitions=4)
    return parts.map_partitions(counted, meta=parts._meta)


@pytest.fixture
def want_of_predictions(X, y, model):
    study = ts.Study.from_predictions(X, y, model.predict(X), model.predict_proba(X)[:, 1])
    return study.stress_curves(taus=TAUS)


@pytest.mark.slow
def test_workers_read_every_partition_once_and_keep_it(cluster, frame, want_of_predictions):
    with Client(cluster):
        study = ts.ChunkedStudy.from_dask(None, frame, **OPTIONS)
        assert_same_curves(study.stress_curves(taus=TAUS), want_of_predictions)
        assert len(read) == 4
        study.reweight(ts.Mean("age", tau=0.3))
        assert len(read) == 4


@pytest.mark.slow
def test_partitions_that_do_not_fit_are_read_at_every_pass(cluster, frame, want_of_predictions, monkeypatch):
    monkeypatch.setattr(kept, "SHARE", 1e-6)
    with Client(cluster):
        got = ts.ChunkedStudy.from_dask(None, frame, **OPTIONS).stress_curves(taus=TAUS)
    assert_same_curves(got, want_of_predictions)
    assert len(read) > 8


@pytest.mark.slow
def test_without_a_cluster_nothing_is_kept(cluster, frame, want_of_predictions):
    got = ts.ChunkedStudy.from_dask(None, frame, **OPTIONS).stress_curves(taus=TAUS)
    assert_same_curves(got, want_of_predictions)
    assert len(read) > 8
    with Client(cluster), dask.config.set(scheduler="synchronous"):
        assert kept.keep_partitions(frame.to_delayed()) == []


def test_the_memory_of_workers_is_their_limit_or_their_machine():
    class Cluster:
        def scheduler_info(self, n_workers=None):
            limits = [2**30, 2**30] if n_workers == -1 else [2**30]
            return {"workers": {str(i): {"memory_limit": limit} for i, limit in enumerate(limits)}}

    class Older:
        def scheduler_info(self):
            return {"workers": {"a": {"memory_limit": 0}}}

    assert kept.workers_memory(Cluster()) == 2**31
    assert kept.workers_memory(Older()) > 2**28


@pytest.mark.slow
def test_a_first_partition_that_cannot_be_read_is_named_by_the_pass(cluster, X, y):
    def gone(part):
        raise OSError("the disk is gone")

    parts = dd.from_pandas(pd.DataFrame(X).assign(y=y, p=y, s=0.5), npartitions=2)
    broken = parts.map_partitions(gone, meta=parts._meta)
    with Client(cluster), pytest.raises(ts.FailedPartition, match="Partition 1 of 2 failed: OSError: the disk is gone"):
        ts.ChunkedStudy.from_dask(None, broken, **OPTIONS).stress_curves(taus=TAUS)


@pytest.mark.slow
def test_kept_partitions_stay_behind_when_a_study_is_pickled(cluster, frame):
    with Client(cluster):
        study = ts.ChunkedStudy.from_dask(None, frame, **OPTIONS)
        assert study.n_rows > 0
        assert len(read) == 4
        assert study.source._kept
        assert study.source.__getstate__()["_kept"] is None
