"""A study whose scores have few values, so that few thresholds are compared, and a column of too many levels."""

from functools import cache

import numpy as np

import tauscope as ts
from results import every


@cache
def study() -> ts.Study:
    """Return a study of 480 rows: columns a and b to move, c and d of few levels, many of 240."""
    X, y = every.rows()
    rows = X.loc[np.arange(480) % 160].reset_index(drop=True).assign(many=[f"level {k % 240}" for k in range(480)])
    return ts.Study.from_predictions(rows, np.tile(y, 3), y_score=np.tile(every.study().score.round(1), 3))


HALF = np.arange(480) % 2 == 0
