"""The same rows in every store: in memory, in uneven chunks, in chunks that come once, in partitions of Dask."""

import itertools
from collections.abc import Sequence

import dask.dataframe as dd
import numpy as np
import pandas as pd

import tauscope as ts

BEYOND_MEMORY = ("chunks", "once", "dask")
STORES = ("memory", *BEYOND_MEMORY)
ROLES = {"target": "true", "prediction": "said", "score": "scored", "sample_weight": "weight"}


def predictions_in(
    store: str, X: pd.DataFrame, y: np.ndarray, predicted: np.ndarray, score: np.ndarray, ends: Sequence[float] = (0.3,)
):
    """Return a study of predictions of these rows; `ends` are where they are cut, as shares of all."""
    if store == "memory":
        return ts.Study.from_predictions(X, y, predicted, y_score=score)
    return _in_chunks(
        store, None, X.assign(true=y, said=predicted, scored=score), ends, "target", "prediction", "score"
    )


def study_in(store: str, model, X: pd.DataFrame, y: np.ndarray, weight=None, ends: Sequence[float] = (0.3,)):
    """Return a study of a model on these rows."""
    if store == "memory":
        return ts.Study(model, X, y, sample_weight=weight, progress=False)
    if weight is None:
        return _in_chunks(store, model, X.assign(true=y), ends, "target")
    return _in_chunks(store, model, X.assign(true=y, weight=weight), ends, "target", "sample_weight")


def _in_chunks(store: str, model, frame: pd.DataFrame, ends: Sequence[float], *roles: str) -> ts.ChunkedStudy:
    options = {role: ROLES[role] for role in roles} | {"progress": False}
    if store == "dask":
        return ts.ChunkedStudy.from_dask(model, dd.from_pandas(frame, npartitions=3), **options)
    places = [int(end * len(frame)) for end in (0, *ends, 1)]
    chunks = [frame.iloc[a:b] for a, b in itertools.pairwise(places)]
    return ts.ChunkedStudy(model, iter(chunks) if store == "once" else chunks, **options)
