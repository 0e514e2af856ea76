"""Partitions on a cluster: read once where they fit into its memory, each time where they do not, the same numbers.

Kept ones are spread evenly and stay where they are.
"""

import dask
import dask.dataframe as dd
import pandas as pd
import pytest
from dask.distributed import Client, LocalCluster

import tauscope as ts
from chunked.mixed_rows import TAUS, assert_same_curves
from tauscope.rows import kept

read = []
OPTIONS = {"target": "y", "prediction": "p", "score": "s", "progress": False}


def counted(part):
    read.append(len(part))
    return part


def workers(n, threads=1):
    # Without a limit: a worker within this process would count what all tests before have taken, and pause for good.
    return LocalCluster(
        n_workers=n, threads_per_worker=threads, processes=False, dashboard_address=":0", memory_limit=0
    )


@pytest.fixture(scope="module")
def cluster():
    with workers(1) as local:
        yield local


@pytest.fixture(scope="module")
def two_workers():
    with workers(2) as local:
        yield local


@pytest.fixture
def known(X, y, model):
    return X.assign(y=y, p=model.predict(X), s=model.predict_proba(X)[:, 1])


@pytest.fixture
def frame(known):
    read.clear()
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
        assert kept.keep_partitions(frame.to_delayed()) is None


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
        assert study._source._kept
        assert study._source.__getstate__()["_kept"] is None


def places(client, study):
    """Return the workers that have each partition."""
    futures = study._source._kept._futures
    return [set(client.who_has([future])[future.key]) for future in futures]


@pytest.mark.slow
def test_workers_take_turns_and_no_partition_leaves_its_own(two_workers, frame, want_of_predictions):
    with Client(two_workers) as client:
        study = ts.ChunkedStudy.from_dask(None, frame, **OPTIONS)
        assert_same_curves(study.stress_curves(taus=TAUS), want_of_predictions)
        study.reweight(ts.Mean("age", tau=0.3))
        first, second = client.nthreads()
        assert places(client, study) == [{first}, {second}, {first}, {second}]
        assert [group.numbers for group in study._source._kept._groups] == [(0, 2), (1, 3)]
        assert len(read) == 4


@pytest.mark.slow
def test_each_thread_of_a_worker_sums_some(frame, want_of_predictions):
    with workers(1, threads=3) as local, Client(local):
        study = ts.ChunkedStudy.from_dask(None, frame, **OPTIONS)
        assert_same_curves(study.stress_curves(taus=TAUS), want_of_predictions)
        assert [group.numbers for group in study._source._kept._groups] == [(0, 3), (1,), (2,)]


@pytest.mark.slow
def test_sums_are_the_same_bits_each_time(two_workers, frame):
    with Client(two_workers):
        first, second = (
            ts.ChunkedStudy.from_dask(None, frame, **OPTIONS).stress_curves(taus=TAUS).frame for _ in range(2)
        )
    pd.testing.assert_frame_equal(first, second, check_exact=True)


@pytest.mark.slow
def test_partitions_that_share_some_work_are_read_by_any_worker(two_workers, known, want_of_predictions):
    shuffled = dd.from_pandas(known, npartitions=4).shuffle("age", npartitions=3)
    assert not kept._are_apart(shuffled.to_delayed())
    with Client(two_workers):
        study = ts.ChunkedStudy.from_dask(None, shuffled, **OPTIONS)
        assert_same_curves(study.stress_curves(taus=TAUS), want_of_predictions)
        assert sorted(i for group in study._source._kept._groups for i in group.numbers) == [0, 1, 2]


@pytest.mark.slow
def test_partitions_that_are_all_on_one_worker_are_shared_out(two_workers, frame, want_of_predictions):
    with Client(two_workers) as client:
        first, second = client.nthreads()
        there = client.persist(frame, workers=[first])
        study = ts.ChunkedStudy.from_dask(None, there, **OPTIONS)
        assert_same_curves(study.stress_curves(taus=TAUS), want_of_predictions)
        assert sorted(len(group.numbers) for group in study._source._kept._groups) == [2, 2]
        assert {frozenset(place) for place in places(client, study)} == {frozenset([first]), frozenset([second])}
    assert len(read) == 4


@pytest.mark.slow
def test_a_worker_that_leaves_hands_over(frame, want_of_predictions):
    with workers(2) as local, Client(local) as client:
        study = ts.ChunkedStudy.from_dask(None, frame, **OPTIONS)
        assert study.n_rows > 0
        gone, stays = client.nthreads()
        client.retire_workers([gone])
        assert_same_curves(study.stress_curves(taus=TAUS), want_of_predictions)
        assert places(client, study) == [{stays}] * 4


@pytest.mark.slow
def test_a_model_that_fails_on_a_kept_partition_names_it(cluster, known):
    def model(rows):
        if rows.index[0] >= len(known) / 2:
            raise ZeroDivisionError("no")
        return (rows["age"] > 50).astype(int)

    with Client(cluster), pytest.raises(ts.FailedPartition, match="Partition 3 of 4 failed: ZeroDivisionError: no"):
        ts.ChunkedStudy.from_dask(model, dd.from_pandas(known.drop(columns=["y", "p", "s"]), npartitions=4)).sketch()


def test_partitions_move_to_workers_that_have_less_for_each_thread():
    moves = kept.moves_to_even_out
    assert moves("aabb", [1, 1, 1, 1], {"a": 1, "b": 1}) == {}
    assert moves("aaab", [1, 1, 1, 1], {"a": 1, "b": 1}) == {0: "b"}
    assert moves("aab", [1, 1, 1], {"a": 1, "b": 1}) == {}  # one has to have more
    assert moves("aaaaaabbb", [1] * 9, {"a": 2, "b": 1}) == {}
    assert moves("aaab", [5, 2, 1, 2], {"a": 1, "b": 1}) == {1: "b"}  # the largest would make it worse there
    assert sorted(moves("aaaaaa", [1] * 6, {"a": 1, "b": 1, "c": 1}).values()) == ["b", "b", "c", "c"]
    assert moves("ab", [0, 0], {"a": 1, "b": 1}) == {}


@pytest.mark.slow
def test_a_partition_that_another_worker_read_goes_where_its_turn_is(two_workers, known):
    with Client(two_workers) as client:
        first, second = client.nthreads()
        parts = dd.from_pandas(known, npartitions=4).to_delayed()
        read_elsewhere = kept._read(client, parts, [first])
        kept._all_there(read_elsewhere)
        assert kept._even_out(client, read_elsewhere, client.nthreads(), [second, first]) == [second, first] * 2
        kept._all_there(read_elsewhere)
        there = [client.who_has([future])[future.key] for future in read_elsewhere]
        assert [second in there[0], first in there[1], second in there[2], first in there[3]] == [True] * 4
