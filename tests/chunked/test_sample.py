"""A sample of rows in chunks: which rows, in which order, and as what study."""

import pickle

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression

import tauscope as ts
from tauscope.chunked.sample import draw_sample
from tauscope.rows.passes import ChunkPasses
from tauscope.rows.reading import Chunk

N = 2000


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": np.arange(N) + 0.5, "b": random.normal(size=N)})
    return X.assign(y=X["b"] * 2, w=random.uniform(0.5, 2, N))


@pytest.fixture(scope="module")
def model(frame):
    return LinearRegression().fit(frame[["a", "b"]], frame["y"])


def chunks(frame, n=300):
    return [frame.iloc[i : i + n] for i in range(0, len(frame), n)]


def test_all_rows_where_there_are_no_more(model, frame):
    study = ts.ChunkedStudy(model, chunks(frame), target="y", sample_weight="w").sample()
    pd.testing.assert_frame_equal(study.X, frame[["a", "b"]])
    np.testing.assert_array_equal(study.y, frame["y"])
    np.testing.assert_allclose(study.sample_weight, frame["w"] / frame["w"].mean())


def test_each_row_is_as_likely_as_any_other_and_the_order_stays():
    whole = np.arange(N)[:, None]
    pieces = [whole[i : i + 300] for i in range(0, N, 300)]
    read = [Chunk((), None, _no_model, len(one), one, None, f"chunk {i}") for i, one in enumerate(pieces)]
    drawn = np.zeros(N)
    for seed in range(60):
        sample = draw_sample(ChunkPasses(read), 200, seed)
        rows = np.concatenate([part.rows for part in sample.parts])[:, 0]
        assert (sample.n_rows, len(rows)) == (N, 200)
        assert (np.diff(rows) > 0).all()
        drawn[rows] += 1
    by_chunk = np.array([drawn[i : i + 300].mean() for i in range(0, N, 300)])
    # each row is drawn 6 times, ± 2.3; the mean of 300 rows is off by .13, of 200 by .16
    assert np.abs(by_chunk - 6).max() < 0.65
    assert drawn.var() == pytest.approx(60 * 0.1 * 0.9, rel=0.15)


def _no_model():
    raise AssertionError("a sample calls no model")


@pytest.mark.slow
def test_one_seed_draws_one_sample(model, frame):
    def rows(**options):
        return ts.ChunkedStudy(model, chunks(frame), target="y", sample_weight="w").sample(100, **options).X

    pd.testing.assert_frame_equal(rows(), rows(random_state=0))
    pd.testing.assert_frame_equal(
        rows(random_state=np.random.default_rng(3)), rows(random_state=np.random.default_rng(3))
    )
    assert not rows().equals(rows(random_state=1))


def test_a_sample_is_drawn_once_and_left_behind_by_a_pickle(model, frame):
    study = ts.ChunkedStudy(model, chunks(frame), target="y", sample_weight="w")
    assert study.sample(50) is study.sample(50)
    again = pickle.loads(pickle.dumps(study))
    pd.testing.assert_frame_equal(again.sample(50).X, study.sample(50).X)


@pytest.mark.slow
def test_containers_and_categories_stay(model, frame):
    X = frame[["a", "b"]]
    arrays = ts.ChunkedStudy(lambda rows: rows[:, 1], [X.to_numpy()[:900], X.to_numpy()[900:]], task="regression")
    assert arrays.sample(70).X.shape == (70, 2)
    polars = ts.ChunkedStudy(lambda rows: rows["b"].to_numpy(), [pl.from_pandas(X[:900]), pl.from_pandas(X[900:])])
    assert isinstance(polars.sample(70).X, pl.DataFrame)
    parts = [X[:900].assign(c=pd.Categorical(["x"] * 900)), X[900:].assign(c=pd.Categorical(["z"] * 1100))]
    study = ts.ChunkedStudy(lambda rows: rows["b"].to_numpy(), parts, task="regression").sample(500)
    assert isinstance(study.X["c"].dtype, pd.CategoricalDtype)
    assert set(study.X["c"]) == {"x", "z"}


def test_partitions_give_a_sample_too(model, frame):
    study = ts.ChunkedStudy.from_dask(model, dd.from_pandas(frame, npartitions=5), target="y", sample_weight="w")
    rows = study.sample(300).X
    assert len(rows) == 300
    pd.testing.assert_frame_equal(rows, study.sample(300, random_state=0).X)
    assert rows["a"].is_monotonic_increasing
    assert study.sample(N).X["a"].tolist() == frame["a"].tolist()


@pytest.mark.parametrize(
    ("n", "error", "words"),
    [
        (0, ts.InputError, "one row at least"),
        (1.5, ts.InputTypeError, "a whole number"),
        (True, ts.InputTypeError, "got True"),
    ],
)
def test_numbers_of_rows_that_are_none(model, frame, n, error, words):
    with pytest.raises(error, match=words):
        ts.ChunkedStudy(model, chunks(frame), target="y", sample_weight="w").sample(n)


def test_what_cannot_be_drawn_from(model, frame):
    with pytest.raises(ts.InputError, match="got an iterator"):
        ts.ChunkedStudy(model, iter(chunks(frame)), target="y").sample()
    with pytest.raises(ts.InputError, match="A sample asks a model; got none"):
        ts.ChunkedStudy(None, chunks(frame), target="y", prediction="a").sample()
    with pytest.raises(ts.InputError, match="at least one row; there are none"):
        ts.ChunkedStudy(model, [frame[:0]], target="y").sample()
    halves = [(frame[["a", "b"]], frame["y"]), frame[["a", "b"]]]
    with pytest.raises(ts.InputError, match="with y, or none"):
        ts.ChunkedStudy(model, halves).sample()
