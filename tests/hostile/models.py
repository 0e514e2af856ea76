"""A model that answers rows of any container and any columns, one Python value at a time."""

import datetime
import math

import numpy as np
import pandas as pd
import pyarrow as pa


def columns_of(X):
    """Give the columns of a table as lists of Python values."""
    if isinstance(X, np.ndarray):
        return [column.tolist() for column in X.T]
    if isinstance(X, pa.Table):
        return [column.to_pylist() for column in X.columns]
    return [X[name].to_list() for name in X.columns]


def part(value):
    """Give what one value adds to the answer, within [-1, 1]; a value that is missing has a part of its own."""
    if isinstance(value, str):
        return len(value) % 7 / 7 - 0.4
    if value is None or value != value:
        return 0.3
    if isinstance(value, datetime.datetime | datetime.date):
        return math.sin(value.toordinal() / 300)
    if isinstance(value, datetime.timedelta):
        return math.sin(value.total_seconds() / 3000)
    return math.sin(math.copysign(math.log1p(abs(float(value))), value))


def answer(*values):
    """Give the answer to one row: parts of the columns, and what the first two do together."""
    parts = [part(value) for value in values]
    return sum(p * w for p, w in zip(parts, (1, 0.7, 0.4, 0.2), strict=False)) + parts[0] * parts[-1]


def answers(X):
    return np.array([answer(*row) for row in zip(*columns_of(X), strict=True)])


def probabilities(X):
    """Give the same as the probability of a class."""
    return 1 / (1 + np.exp(-2 * answers(X)))


def additive(X):
    """Give a sum of parts, in which no two columns do anything together."""
    return np.array([0.5 + sum(map(part, row)) / 10 for row in zip(*columns_of(X), strict=True)])


def missing(value):
    return value is None or value is pd.NaT or value != value
