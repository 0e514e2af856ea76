import os
import signal
from concurrent.futures import ThreadPoolExecutor

import dask
import dask.dataframe as dd
import numpy as np
import pytest
from dask.distributed import Client, LocalCluster

import tauscope as ts
from chunked.mixed_rows import TAUS, N, assert_same_curves


@pytest.fixture(scope="module")
def frame(X, y):
    return dd.from_pandas(X.assign(y=y), npartitions=4)


def fails_late(part):
    if len(part) and part.index[0] >= N / 2:
        raise OSError("the disk is gone")
    return part


@pytest.mark.slow
def test_two_workers_of_their_own_give_what_the_rows_give(model, frame, want):
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster),
    ):
        got = ts.ChunkedStudy.from_dask(model, frame, target="y").stress_curves(taus=TAUS)
    assert_same_curves(got, want)


@pytest.mark.slow
def test_divisions_need_not_be_known(model, frame, want):
    unknown = frame.clear_divisions()
    assert not unknown.known_divisions
    assert_same_curves(ts.ChunkedStudy.from_dask(model, unknown, target="y").stress_curves(taus=TAUS), want)


@pytest.mark.slow
def test_empty_partitions_are_passed_over(model, frame, want):
    some = dd.concat([frame[frame["age"] > 200], frame], interleave_partitions=False)
    assert_same_curves(ts.ChunkedStudy.from_dask(model, some, target="y").stress_curves(taus=TAUS), want)


def test_a_failing_partition_is_named_and_nothing_returned(model, frame):
    broken = frame.map_partitions(fails_late, meta=frame._meta)
    with pytest.raises(ts.FailedPartition, match=r"Partition 3 of 4 failed: OSError: the disk is gone\. Nothing"):
        ts.ChunkedStudy.from_dask(model, broken, target="y").sketch()


@pytest.mark.slow
def test_a_model_that_fails_names_the_partition(frame):
    def model(rows):
        if rows.index[0] >= N / 2:
            raise ZeroDivisionError("no")
        return np.where(rows["age"] > 50, "yes", "no")

    with pytest.raises(ts.FailedPartition, match="Partition 3 of 4 failed: ZeroDivisionError: no"):
        ts.ChunkedStudy.from_dask(model, frame, target="y").sketch()


def test_a_partition_that_fails_but_once_is_said_so(model, frame):
    times = iter([True])

    def fails_once(part):
        if len(part) and next(times, False):
            raise OSError("a hiccup")
        return part

    with pytest.raises(ts.FailedPartition, match="not when it was tried again: OSError: a hiccup"):
        ts.ChunkedStudy.from_dask(model, frame.map_partitions(fails_once, meta=frame._meta), target="y").sketch()


def test_rows_that_do_not_fit_name_the_partition(model, frame):
    def spoiled(part):
        return part.assign(income=np.inf) if len(part) and part.index[0] >= N / 2 else part

    with pytest.raises(ts.InputError, match=r"In partition \d of 4: .*infinite"):
        ts.ChunkedStudy.from_dask(model, frame.map_partitions(spoiled, meta=frame._meta), target="y").sketch()


def test_anything_but_a_dask_frame_is_refused(model, X, frame):
    with pytest.raises(ts.InputTypeError, match="Dask DataFrame is needed; got a DataFrame"):
        ts.ChunkedStudy.from_dask(model, X)
    with pytest.raises(ts.InputTypeError, match="target names a column"):
        ts.ChunkedStudy.from_dask(model, frame, target=frame["y"])
    with pytest.raises(ts.InputError, match="there are none"):
        ts.ChunkedStudy.from_dask(model, frame[frame["age"] > 200], target="y").sketch()


@pytest.mark.slow
def test_workers_that_die_are_said_and_the_next_question_is_answered(frame, tmp_path):
    main, deadly = os.getpid(), tmp_path / "deadly"
    deadly.touch()

    def model(rows):
        if deadly.exists() and os.getpid() != main and rows.index[0] >= N / 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return (rows["age"] > 50).astype(int).to_numpy()

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster),
        ThreadPoolExecutor(1) as aside,  # where there is no answer, waiting ends
    ):
        study = ts.ChunkedStudy.from_dask(model, frame[["age", "y"]], target="y", progress=False)
        with pytest.raises(ts.FailedPartition, match="The cluster lost a worker"):
            aside.submit(study.stress_curves, taus=3).result(timeout=120)
        deadly.unlink()
        assert len(aside.submit(study.stress_curves, taus=3).result(timeout=120).frame)
