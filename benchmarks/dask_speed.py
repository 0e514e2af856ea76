"""Stress curves of rows in chunks: from a Dask DataFrame against the rows in memory, and of rows that stream by."""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import dask.dataframe as dd
import numpy as np
from dask.distributed import Client, LocalCluster

import tauscope as ts
from inputs import TAUS, classification
from report import Row

N_ROWS, N_FEATURES, N_PARTITIONS, ROUNDS = 1_000_000, 10, 10, 3
N_STREAMED, CHUNK = 10_000_000, 200_000
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
    given = classification(N_ROWS, N_FEATURES)
    frame = given.frame.assign(y=given.truth, p=given.predicted, s=given.score)
    inputs = frame.drop(columns=["y", "p", "s"])
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        parts = dd.from_pandas(frame, npartitions=N_PARTITIONS).persist()
        parts.count().compute()
        ours, theirs = [], []
        for _ in range(1 + ROUNDS):
            start = perf_counter()
            chunked = ts.ChunkedStudy.from_dask(None, parts, target="y", prediction="p", score="s")
            got = chunked.stress_curves(taus=TAUS)
            middle = perf_counter()
            study = ts.Study.from_predictions(inputs, given.truth, given.predicted, given.score)
            want = study.stress_curves(taus=TAUS)
            ours.append(middle - start)
            theirs.append(perf_counter() - middle)
    apart = max(_apart(got.frame[name].to_numpy(), want.frame[name].to_numpy()) for name in NUMBERS)
    if apart > AGREEMENT:
        raise SystemExit(f"the two sides differ by {apart:.0e}: not the same work")
    return Row(
        f"sketch from Dask p{N_FEATURES}-n1e6, two workers",
        "s",
        ours=median(ours[1:]),
        other=median(theirs[1:]),
        note=f"three passes over {N_PARTITIONS} partitions held by the workers, {ROUNDS} runs after one not counted; "
        f"other: the rows in memory, one process; every number agrees to {apart:.0e}",
    )


def _stream() -> Row:
    code = STREAM.format(folder=str(Path(__file__).parent), n=N_STREAMED, chunk=CHUNK, p=N_FEATURES)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, peak, seconds = map(float, done.stdout.split())
    n_bytes = N_STREAMED * (N_FEATURES + 3) * 8
    return Row(
        f"peak memory of a streamed sketch p{N_FEATURES}-n{N_STREAMED:.0e}".replace("e+0", "e"),
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
