"""What the model answers on the way along each explanation, beside LIME's: area, crossings, rows and time."""

import csv
import os
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from boundary_engine import Inspected
from boundary_inputs import MODELS, STEP, STEPS, fitted, instances, table
from boundary_peers import LIME
from protocol import timed
from report import Row
from session import Worker

SEEDS = (0, 1, 2)
TIMED = 20
"""Rows explained one at a time, for the time of one."""
MOST_SECONDS = 0.006
MOST_ROWS = 1400
STORED = Path(__file__).parents[1] / "notebooks" / "data" / "lime_paths.csv"


@dataclass
class Walked:
    """The paths of one way to explain: x0 + k h v, k = 0 … 100, of every instance.

    Attributes
    ----------
    answers : ndarray of shape (n, 101)
        Probability of the class they start in.
    """

    answers: np.ndarray

    @classmethod
    def along(cls, data: str, model: str, seed: int, index: np.ndarray, directions: np.ndarray) -> "Walked":
        """Ask the model along unit directions."""
        lengths = STEP[data] * np.arange(STEPS + 1)
        points = table(data, seed).X[index, None] + lengths[:, None] * directions[:, None]
        answers = fitted(data, model, seed).predict_proba(points.reshape(-1, points.shape[2]))[:, 1]
        return cls(answers.reshape(len(index), -1))

    @property
    def areas(self) -> np.ndarray:
        """Mean answer along each path; less is better."""
        return self.answers.mean(axis=1)

    @property
    def share(self) -> float:
        """Share of the paths that cross."""
        return float((self.answers <= 0.5).any(axis=1).mean())


def measure(data: str, seeds: tuple[int, ...] = SEEDS, n: int = 100) -> list[Row]:
    """Compare both on each model; LIME's mean paths of the first seed are kept for the notebook."""
    rows, curves = list[Row](), dict[str, np.ndarray]()
    for model in MODELS:
        pairs = list[tuple[Walked, Walked]]()
        for seed in seeds:
            index = instances(data, model, seed, n)
            ours, theirs = _ours(data, model, seed, index), _theirs(data, model, seed, index)
            pairs.append(tuple(Walked.along(data, model, seed, index, found["directions"]) for found in (ours, theirs)))
        curves[model] = pairs[0][1].answers.mean(axis=0)
        rows += _rows(f"{data}, {model}", pairs, ours, theirs)
    if (len(seeds), n) == (len(SEEDS), 100):
        _store(data, curves)
    return rows


def _ours(data: str, model: str, seed: int, index: np.ndarray) -> dict[str, Any]:
    X, fit = table(data, seed).X, fitted(data, model, seed)
    together = Inspected.of(fit, X, index)
    directions = together.inspect(path_step=STEP[data], n_path_steps=STEPS).explanation.direction
    singles = [Inspected.of(fit, X, index[i : i + 1]) for i in range(min(TIMED, len(index)))]
    spent = [timed(lambda one=one: one.inspect(path_step=STEP[data]))["wall"] for one in singles]
    return {
        "directions": directions,
        "wall": median(spent),
        "rows": together.counted.rows / len(index),
    }


def _theirs(data: str, model: str, seed: int, index: np.ndarray) -> dict[str, Any]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with Worker(LIME.interpreter(), "worker_lime.py", environment) as lime:
        lime.ask("prepare", data=data, model=model, seed=seed)
        answer = lime.ask("explain", index=index.tolist())
    return {
        "directions": np.array(answer["directions"]),
        "wall": answer["wall"] / len(index),
        "rows": answer["rows"],
    }


def _rows(label: str, pairs: list[tuple[Walked, Walked]], ours: dict[str, Any], theirs: dict[str, Any]) -> list[Row]:
    area, other = (np.concatenate([pair[side].areas for pair in pairs]) for side in (0, 1))
    share, other_share = (float(np.mean([pair[side].share for pair in pairs])) for side in (0, 1))
    apart = area - other
    network = label.endswith("network")
    return [
        Row(
            f"path area, {label}",
            "",
            ours=float(area.mean()),
            other=float(other.mean()),
            ratio_at_least=1.0,
            note=f"mean probability of the class left, over {STEPS} steps; {len(area)} paths, {len(pairs)} splits; "
            f"the difference is {apart.mean():+.4f} ± {apart.std() / np.sqrt(len(apart)):.4f} (standard error); "
            f"{share:.0%} of ours cross, {other_share:.0%} of LIME's",
        ),
        Row(
            f"one explanation, {label}",
            "s",
            ours=ours["wall"],
            other=theirs["wall"],
            at_most=MOST_SECONDS if network else None,
            note="one row at a time",
        ),
        Row(
            f"its model rows, {label}",
            "",
            ours=ours["rows"],
            other=theirs["rows"],
            at_most=MOST_ROWS,
            note="detection, samples, choice of a direction, refinement, diagnostics; as the model counts them",
        ),
    ]


def _store(data: str, curves: dict[str, np.ndarray]) -> None:
    """Keep LIME's mean paths of this data set, beside those of the other."""
    kept = list[dict[str, Any]]()
    if STORED.exists():
        with STORED.open(newline="") as file:
            kept = [row for row in csv.DictReader(file) if row["data"] != data]
    for model, curve in curves.items():
        kept += [
            {"data": data, "model": model, "step": step, "probability": round(float(value), 6)}
            for step, value in enumerate(curve)
        ]
    kept.sort(key=lambda row: (list(STEP).index(row["data"]), MODELS.index(row["model"]), int(row["step"])))
    with STORED.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["data", "model", "step", "probability"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
