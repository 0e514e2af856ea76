"""Chunks are whatever gives frames: functions, lists, iterators, Arrow, polars; each gives what the rows give."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import tauscope as ts
from chunked.mixed_rows import TAUS, assert_same_curves
from tauscope.rows import sources
from tauscope.rows.sources import ChunkSource


@pytest.fixture(scope="module")
def data(X, y):
    return X.assign(y=y)


@pytest.fixture(scope="module")
def table(data):
    return pa.Table.from_pandas(data, preserve_index=False)


def by_age(rows):
    """A rule that takes pandas and polars rows alike."""
    return np.where(rows["age"].to_numpy() > 50, "yes", "no")


@pytest.fixture(scope="module")
def rule_curves(X, y):
    return ts.Study(by_age, X, y).stress_curves(taus=TAUS)


def parquet_dataset(table, folder):
    ds.write_dataset(table, folder / "rows", format="parquet", max_rows_per_file=2000, max_rows_per_group=700)
    return ds.dataset(folder / "rows")


ARROW = {
    "dataset": parquet_dataset,
    "batches of a dataset": lambda table, folder: parquet_dataset(table, folder).to_batches(batch_size=900),
    "function of batches": lambda table, folder: parquet_dataset(table, folder).to_batches,
    "scanner": lambda table, folder: ds.dataset(table).scanner(batch_size=900),
    "table": lambda table, folder: table,
    "reader": lambda table, folder: table.to_reader(max_chunksize=900),
    "list of batches": lambda table, folder: table.to_batches(max_chunksize=900),
    "list of tables": lambda table, folder: [table.slice(0, 3000).to_pandas(), table.slice(3000).to_pandas()],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ARROW)
def test_arrow(kind, table, model, want, tmp_path):
    study = ts.ChunkedStudy(model, ARROW[kind](table, tmp_path), target="y")
    assert_same_curves(study.stress_curves(taus=TAUS), want)


def test_models_get_arrow_batches_as_pandas(table):
    seen = []

    def model(rows):
        seen.append(type(rows))
        return by_age(rows)

    ts.ChunkedStudy(model, table, target="y").stress_curves("age", taus=TAUS)
    assert set(seen) == {pd.DataFrame}


@pytest.mark.slow
def test_large_batches_are_cut(table, monkeypatch, model, want):
    monkeypatch.setattr(sources, "CHUNK_ROWS", 1300)
    assert [batch.num_rows for batch in ChunkSource(table)] == [1300, 1300, 1300, 1100]
    assert_same_curves(ts.ChunkedStudy(model, table, target="y").stress_curves(taus=TAUS), want)


POLARS = {
    "slices": lambda frame: frame.iter_slices(900),
    "list of slices": lambda frame: list(frame.iter_slices(900)),
    "function of slices": lambda frame: lambda: frame.iter_slices(900),
    "LazyFrame": lambda frame: frame.lazy(),
    "batches of a LazyFrame": lambda frame: frame.lazy().collect_batches(chunk_size=900),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", POLARS)
def test_polars(kind, data, rule_curves):
    chunks = POLARS[kind](pl.from_pandas(data))
    assert_same_curves(ts.ChunkedStudy(by_age, chunks, target="y").stress_curves(taus=TAUS), rule_curves)


def test_models_get_polars_slices_as_polars(data):
    seen = []

    def model(rows):
        seen.append(type(rows))
        return by_age(rows)

    ts.ChunkedStudy(model, pl.from_pandas(data).lazy(), target="y").stress_curves("age", taus=TAUS)
    assert set(seen) == {pl.DataFrame}


def test_what_holds_no_chunks_is_refused(data, model):
    for given, what in ((data, "DataFrame"), (pl.from_pandas(data), "DataFrame"), (data["age"].to_numpy(), "ndarray")):
        with pytest.raises(ts.InputTypeError, match=f"must be an iterable; got a {what}"):
            ts.ChunkedStudy(model, given)
        with pytest.raises(ts.InputTypeError, match=f"must be an iterable; got a {what}"):
            ts.ChunkedStudy(model, lambda given=given: given).sketch()
    with pytest.raises(ts.InputTypeError, match=r"ChunkedStudy\.from_dask"):
        ts.ChunkedStudy(model, dd.from_pandas(data, npartitions=2))


def test_an_iterator_is_read_only_once():
    chunks = ChunkSource(iter([1, 2]))
    assert chunks.once
    assert list(chunks) == [1, 2]
    with pytest.raises(ts.InputError, match="read only once, and has been"):
        list(chunks)
    again = ChunkSource(lambda: iter([1, 2]))
    assert not again.once
    assert [list(again), list(again)] == [[1, 2], [1, 2]]
    assert (ChunkSource([1, 2, 3]).n_chunks, again.n_chunks) == (3, None)


def asked(chunks):
    return ts.ChunkedStudy(None, chunks, progress=False).stress_curves(taus=3)


def test_chunks_that_do_not_go_together_are_refused():
    rows, y = pd.DataFrame({"t": pd.date_range("2020", periods=4), "a": range(4)}), np.arange(4) % 2
    with pytest.raises(ts.InputError, match="'t' holds dates in one and numbers in another"):
        asked([(rows, y, y), (rows.assign(t=3.0), y, y)])
    used = iter([(rows, y, y)])
    with pytest.raises(ts.InputError, match=r"there were none this time\. Give a function that makes a new iterator"):
        asked(lambda: used)
    with pytest.raises(ts.InputError, match="In chunk 1: A chunk must hold rows; got an empty tuple"):
        asked([()])


def test_parquet_files_by_list_and_pattern(tmp_path):
    rows = pd.DataFrame({"a": np.arange(6.0), "y": np.arange(6) % 2})
    for name in ("one", "two"):
        rows.to_parquet(tmp_path / f"{name}.parquet")
    files = [tmp_path / "one.parquet", str(tmp_path / "two.parquet")]
    for path, n in ((files, 12), (f"{tmp_path}/*.parquet", 12), (tmp_path / "on?.parquet", 6)):
        study = ts.ChunkedStudy.from_parquet(lambda rows: rows["a"] > 2, path, target="y", progress=False)
        assert study.n_rows == n
    for path, words in ((f"{tmp_path}/*.pq", "No file fits"), ([], "At least one Parquet file")):
        with pytest.raises(ts.InputError, match=words):
            ts.ChunkedStudy.from_parquet(None, path)
