"""Maps of pixels: against the authors' package, and streamed, more of them than memory holds."""

import os
import sys
from pathlib import Path
from statistics import median

import numpy as np

from peer import ETHIK
from report import Row
from session import Worker

MNIST = {"n_images": 10_000, "n_pixels": 784, "n_classes": 10}
SHAPE, TIMES, SLAB = (64, 64, 3), 20, 10_000
CALLS = 5


def _ours() -> Worker:
    return Worker(Path(sys.executable), "worker_ours_images.py", os.environ | {"TQDM_DISABLE": "1"})


def _theirs() -> Worker:
    return Worker(ETHIK.interpreter(), "worker_peer_images.py", dict(os.environ))


def measure(rounds: int | None = None) -> list[Row]:
    """Time 784 pixels × 10,000 images × 10 classes × 3 τ in turn, after one call of ours that is not counted."""
    with _ours() as us, _theirs() as them:
        if us.ask("prepare", **MNIST) != them.ask("prepare", **MNIST):
            raise RuntimeError("The two processes drew different images.")
        apart = _difference(us.ask("maps"), them.ask("maps"))
        ours: list[dict[str, float]] = []
        theirs: list[dict[str, float]] = []
        for _ in range(rounds or 3):
            ours += [us.ask("time") for _ in range(CALLS)]
            theirs.append(them.ask("time"))
    wall, cpu = ([median(run[clock] for run in side) for side in (ours, theirs)] for clock in ("wall", "cpu"))
    return [
        Row(
            "stress images 784 px × 10⁴ × 10 classes × 3 τ",
            "s",
            ours=wall[0],
            other=wall[1],
            ratio_at_least=60.0,
            note=f"ours with intervals, ESS, Pareto k̂, KL, TV; ratio of processor time {cpu[1] / cpu[0]:.3g}×; "
            f"largest difference of a map {apart:.1e}",
        )
    ]


def _difference(ours: list[list[list[float]]], theirs: dict[str, object]) -> float:
    return float(np.nanmax(np.abs(np.array(ours) - np.array(theirs["value"]))))


def measure_streamed() -> list[Row]:
    """Time 12,288 pixels × 200,000 images × 2 classes in chunks of 10,000, and the process's peak memory."""
    with _ours() as us:
        us.ask("prepare", n_images=SLAB, n_pixels=int(np.prod(SHAPE)), n_classes=2)
        us.ask("stream", times=1, shape=list(SHAPE))
        found = us.ask("stream", times=TIMES, shape=list(SHAPE))
    what = f"{np.prod(SHAPE):,} px × {SLAB * TIMES:,} images, streamed"
    note = f"processor {found['cpu']:.3g} s; {found['growth'] / 1e6:.0f} MB above the chunk of {SLAB:,} images held"
    return [
        Row(f"stress images {what}", "s", ours=found["wall"], at_most=30.0, note=note),
        Row(f"peak memory of {what}", "MB", ours=found["peak"] / 1e6, at_most=1000.0, note="of the whole process"),
    ]
