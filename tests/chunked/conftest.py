"""Rows of every kind of column with two classes, a model of them, and their curves; files with other rows say so."""

import pytest

import tauscope as ts
from chunked.mixed_rows import TAUS, fitted, mixed_rows, truth


@pytest.fixture(scope="session")
def X():
    return mixed_rows()


@pytest.fixture(scope="session")
def y(X):
    return truth(X, "binary")


@pytest.fixture(scope="session")
def model(X, y):
    return fitted("binary", X, y)


@pytest.fixture(scope="session")
def want(model, X, y):
    return ts.Study(model, X, y).stress_curves(taus=TAUS)
