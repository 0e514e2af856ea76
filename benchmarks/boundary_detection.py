"""Boundary points of a thousand rows in one batched run, against the thesis' bisection in a loop over them."""

from statistics import median
from typing import Any

import numpy as np

from boundary_engine import Inspected
from boundary_inputs import Counted, made
from protocol import timed
from report import Row

N_RIVALS = 100
TOLERANCE = 1e-6
MOST_ROWS = 350
AT_MOST = {"forest": 4.0, "network": 0.4}
LOOPED = {"forest": 5, "network": 50}
"""Instances that the loop is timed on."""


def measure(model: str, rounds: int | None = None, n: int = 1000) -> list[Row]:
    """Time both; the run stops when a distance of the loop is another one by more than the tolerance."""
    fitted, X = made(model)
    index = np.random.default_rng(0).permutation(len(X))[:n]
    runs = [_ours(fitted, X, index) for _ in range(rounds or 3)]
    ours = median(run["wall"] for run in runs)
    looped = index[: LOOPED[model]]
    labels, counted, distances = fitted.predict(X), Counted(fitted), list[float]()
    theirs = timed(lambda: distances.extend(_thesis(counted, X, labels, row) for row in looped))
    apart = np.abs(distances - runs[0]["distance"][: len(looped)]).max()
    if apart > 2 * TOLERANCE:
        raise RuntimeError(f"The loop's distances are up to {apart:.1e} away from ours.")
    rows = runs[0]["rows"] / n
    label = f"boundary points, {model}, {n:,} rows"
    return [
        Row(
            label,
            "s",
            ours=ours,
            other=theirs["wall"] / len(looped) * n,
            at_most=AT_MOST[model],
            note=f"{N_RIVALS} rivals, tolerance {TOLERANCE:.0e}, one thread; {min(r['wall'] for r in runs):.3g} to "
            f"{max(r['wall'] for r in runs):.3g} s in {len(runs)} runs, {median(r['cpu'] for r in runs):.3g} s of "
            f"processor; other: predictive bisection row by row, from {len(looped)} rows, the same distances to "
            f"{apart:.0e}",
        ),
        Row(
            f"{label}: model rows each",
            "",
            ours=rows,
            other=counted.rows / len(looped),
            at_most=MOST_ROWS,
            note="counted by the model itself; other: every bracket halved to the end",
        ),
    ]


def _ours(model: Any, X: np.ndarray, index: np.ndarray) -> dict[str, Any]:
    inspected = Inspected.of(model, X, index, labels_only=True)
    found: list[np.ndarray] = []

    def run() -> None:
        found.append(inspected.detect(n_rivals=N_RIVALS, tolerance=TOLERANCE).distance)

    return timed(run) | {"rows": inspected.counted.rows, "distance": found[0]}


def _thesis(model: Counted, X: np.ndarray, labels: np.ndarray, row: int) -> float:
    """Distance of the nearest point that the bisections of all rivals end at, for one row, as in the thesis."""
    start, label = X[row], labels[row]
    rivals = X[labels != label]
    rivals = rivals[np.argsort(((rivals - start) ** 2).sum(axis=1))[:N_RIVALS]]
    low, high = np.tile(start, (N_RIVALS, 1)), rivals.copy()
    while True:
        wide = np.flatnonzero(np.sqrt(((high - low) ** 2).sum(axis=1)) > TOLERANCE)
        if len(wide) == 0:
            return float(np.sqrt(((high - start) ** 2).sum(axis=1)).min())
        middle = (low[wide] + high[wide]) / 2
        beyond = model.predict(middle) != label
        high[wide[beyond]], low[wide[~beyond]] = middle[beyond], middle[~beyond]
