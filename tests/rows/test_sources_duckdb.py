"""Chunks from DuckDB: a relation, or its batches, gives what the rows give."""

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import tauscope as ts
from chunked.mixed_rows import TAUS, assert_same_curves


@pytest.fixture(scope="module")
def table(X, y):
    return pa.Table.from_pandas(X.assign(y=y), preserve_index=False)


DUCKDB = {
    "relation": lambda con: con.sql("SELECT * FROM data"),
    "function of a relation": lambda con: lambda: con.sql("SELECT * FROM data"),
    "batches": lambda con: con.sql("SELECT * FROM data").to_arrow_reader(900),
    "function of batches": lambda con: lambda: con.sql("SELECT * FROM data").to_arrow_reader(900),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DUCKDB)
def test_duckdb(kind, table, model, want):
    with duckdb.connect() as con:
        con.register("data", table)
        study = ts.ChunkedStudy(model, DUCKDB[kind](con), target="y")
        assert_same_curves(study.stress_curves(taus=TAUS), want)


@pytest.mark.slow
def test_duckdb_is_read_again_for_an_effect(table, model, X):
    with duckdb.connect() as con:
        con.register("data", table)
        study = ts.ChunkedStudy(model, con.sql("SELECT * EXCLUDE (y) FROM data"))
        got = study.effect("income", grid=8)
    want = ts.Study(model, X).effect("income", grid=8, method="brute")
    pd.testing.assert_frame_equal(got.frame, want.frame, rtol=1e-9, atol=1e-10, check_dtype=False)
