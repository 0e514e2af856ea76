"""Rows in uneven chunks, of which some lack a group, and studies of them in chunks and in memory."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import dask.dataframe as dd
import numpy as np
import pandas as pd
from scipy.special import expit

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth

N = 900
ENDS = [0, 7, 300, 310, N]
MOVED = ts.Mean("age", tau=0.4) & ts.Share("member", True, 0.3)


def lacking(X: pd.DataFrame, n: int) -> pd.DataFrame:
    """Take one group from the first `n` rows, and the job from every fifth."""
    X.loc[np.arange(len(X)) < n, "sex"] = "F"
    X["job"] = X["job"].where(np.arange(len(X)) % 5 > 0, None)
    return X


def rows(task: str = "binary") -> tuple[pd.DataFrame, np.ndarray]:
    """Draw rows in which a group is absent from a chunk, and one column of groups has gaps."""
    X = mixed_rows(N)
    y = truth(X, task)
    return lacking(X, 310), y


def cut(X: pd.DataFrame, y: np.ndarray, ends: Sequence[int] = ENDS) -> list[tuple[pd.DataFrame, np.ndarray]]:
    return [(X[a:b], y[a:b]) for a, b in itertools.pairwise(ends)]


def both(task: str = "binary") -> tuple[ts.Study, ts.ChunkedStudy]:
    return both_of(task, *rows(task))


def both_of(task: str, X: pd.DataFrame, y: np.ndarray, ends: Sequence[int] = ENDS) -> tuple[ts.Study, ts.ChunkedStudy]:
    """Fit a model, and return the study in memory and the one in chunks."""
    model = fitted(task, X, y)
    return ts.Study(model, X, y, progress=False), ts.ChunkedStudy(model, cut(X, y, ends), progress=False)


def both_by_dask() -> tuple[ts.Study, ts.ChunkedStudy]:
    X, y = rows()
    X["job"] = X["job"].fillna("z")
    model = fitted("binary", X, y)
    by_dask = ts.ChunkedStudy.from_dask(model, dd.from_pandas(X.assign(y=y), npartitions=3), target="y", progress=False)
    return ts.Study(model, X, y, progress=False), by_dask


def both_of_many_scores() -> tuple[ts.Study, ts.ChunkedStudy]:
    """Draw more scores than are kept one by one, of which the odds are too steep."""
    random = np.random.default_rng(1)
    odds = random.normal(size=40_000)
    X = pd.DataFrame({"a": odds + random.normal(size=odds.size), "c": random.choice(["x", "y"], odds.size)})
    score, y = expit(1.3 * odds), (random.random(odds.size) < expit(odds)).astype(int)
    chunks = [(X[a : a + 9_000], y[a : a + 9_000], None, score[a : a + 9_000]) for a in range(0, odds.size, 9_000)]
    study = ts.Study.from_predictions(X, y, (score > 0.5).astype(int), score)
    return study, ts.ChunkedStudy(None, chunks, classes=(0, 1), progress=False)


@dataclass
class Asked:
    """A model that counts the rows it was asked about, and chunks that count their readings."""

    model: object
    chunks: list[tuple[pd.DataFrame, np.ndarray]]
    times: list[int] = field(default_factory=lambda: [0])
    n_rows: list[int] = field(default_factory=lambda: [0])

    def __call__(self, X: pd.DataFrame) -> np.ndarray:
        self.n_rows[0] += len(X)
        return self.model.predict_proba(X)

    def read(self):
        self.times[0] += 1
        return iter(self.chunks)
