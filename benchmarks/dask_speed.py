"""Stress curves of rows in chunks: from Parquet on two Dask workers against one process, and of rows that stream by."""

import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import dask.dataframe as dd
import numpy as np
import pandas as pd
from dask.distributed import Client, LocalCluster

import tauscope as ts
from inputs import TAUS, classification
from report import Row

N_ROWS, N_FEATURES, N_FILES, ROUNDS = 3_000_000, 12, 6, 3
N_STREAMED, CHUNK, N_STREAMED_FEATURES = 10_000_000, 200_000, 10
SLOWER = 1.5
"""Times as long as one process that holds all rows, which two workers may take."""
ROLES = {"target": "y", "prediction": "p", "score": "s"}
NUMBERS = ("value", "lower", "upper", "target", "ess", "pareto_k", "kl", "tv")
AGREEMENT = 1e-9
STREAM_MB = 600

STREAM = """
import sys, time
sys.path.insert(0, {folder!r})
import tauscope as ts
from inputs import classification
from protocol import peak

def chunks():
    for seed in range({n} // {chunk}):
        given = classification({chunk}, {p}, seed)
        yield given.frame, given.truth, given.predicted, given.score

ts.ChunkedStudy(None, lambda: [next(chunks())], progress=False).stress_curves()
before, start = peak() / 1e6, time.perf_counter()
ts.ChunkedStudy(None, chunks, progress=False).stress_curves()
print(before, peak() / 1e6, time.perf_counter() - start)
"""


def measure() -> list[Row]:
    """Time a sketch from Dask beside the rows in memory, and weigh one of rows that never are in memory together."""
    return [_dask(), _stream()]


def _dask() -> Row:
    with (
        TemporaryDirectory() as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        _write(Path(folder))
        runs: dict[str, list[float]] = {"workers": [], "reading": [], "memory": []}
        for _ in range(1 + ROUNDS):
            start = perf_counter()
            chunked = ts.ChunkedStudy.from_dask(None, dd.read_parquet(folder), **ROLES, progress=False)
            got = chunked.stress_curves(taus=TAUS, progress=False)
            runs["workers"].append(perf_counter() - start)
            start = perf_counter()
            frame = pd.read_parquet(folder)
            runs["reading"].append(perf_counter() - start)
            start = perf_counter()
            y, predicted, score = (frame.pop(name) for name in ROLES.values())
            want = ts.Study.from_predictions(frame, y, predicted, score).stress_curves(taus=TAUS, progress=False)
            runs["memory"].append(perf_counter() - start)
            del chunked, frame
    apart = max(_apart(got.frame[name].to_numpy(), want.frame[name].to_numpy()) for name in NUMBERS)
    if apart > AGREEMENT:
        raise SystemExit(f"the two sides differ by {apart:.0e}: not the same work")
    workers, reading, memory = (median(runs[side][1:]) for side in ("workers", "reading", "memory"))
    return Row(
        f"sketch from Dask p{N_FEATURES}-n{N_ROWS:.0e}, two workers".replace("e+0", "e"),
        "s",
        ours=workers,
        other=reading + memory,
        ratio_at_least=1 / SLOWER,
        note=f"from {N_FILES} Parquet files, three passes, {ROUNDS} runs after one not counted; other: one process, "
        f"reading the files {reading:.2g} s and the curves of the rows in memory {memory:.2g} s; every number agrees "
        f"to {apart:.0e}",
    )


def _write(folder: Path) -> None:
    for seed in range(N_FILES):
        given = classification(N_ROWS // N_FILES, N_FEATURES, seed)
        frame = given.frame.assign(y=given.truth, p=given.predicted, s=given.score)
        frame.to_parquet(folder / f"{seed}.parquet")


def _stream() -> Row:
    code = STREAM.format(folder=str(Path(__file__).parent), n=N_STREAMED, chunk=CHUNK, p=N_STREAMED_FEATURES)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, peak, seconds = map(float, done.stdout.split())
    n_bytes = N_STREAMED * (N_STREAMED_FEATURES + 3) * 8
    return Row(
        f"peak memory of a streamed sketch p{N_STREAMED_FEATURES}-n{N_STREAMED:.0e}".replace("e+0", "e"),
        "MB",
        ours=peak,
        at_most=STREAM_MB,
        note=f"whole process, chunks of {CHUNK:,} rows included; {before:.0f} MB after one chunk; the rows are "
        f"{n_bytes / 1e6:,.0f} MB; {seconds:.0f} s, drawing them three times included",
    )


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """Largest difference, relative above 1."""
    both = np.isfinite(a) & np.isfinite(b)
    return float(np.max(np.abs(a - b)[both] / np.maximum(np.abs(b[both]), 1.0), initial=0.0))
