"""Partial dependence and accumulated effects beside every peer, each as a multiple of what the model itself costs."""

import os
import sys
from pathlib import Path
from typing import Any

from effect_inputs import FEATURES, POINTS
from effect_peers import PEERS
from report import Row
from session import Worker

KINDS = {"pd": "partial dependence", "ale": "accumulated local effect"}
PEER_TOOLS = {
    "effector": ("effector pd", "effector ale", "PyALE ale"),
    "dalex": ("dalex pd", "dalex ale"),
    "alibi": ("alibi pd", "alibi ale"),
}
BRUTE = 2  # features that brute force is timed on: its cost is the same for each
MOST_ROWS_OF_DALEX = 10_000  # at 100,000 it takes 5 GB for one feature


def measure(model: str, n_rows: int, features: int = 2, rounds: int | None = None) -> list[Row]:
    """Time every tool on a few features; costs are per feature, and add up."""
    here = Worker(Path(sys.executable), "worker_effects.py", dict(os.environ) | {"TQDM_DISABLE": "1"})
    results: dict[str, dict[str, float]] = {}
    with here as us:
        _prepare(us, model, n_rows)
        for tool in ("ours pd", "ours ale", "scikit-learn pd"):
            results[tool] = _timed(us, tool, features, rounds)
    for peer in PEERS:
        with Worker(peer.interpreter(), "worker_effects.py", _clean() | {"TQDM_DISABLE": "1"}) as them:
            _prepare(them, model, n_rows)
            for tool in PEER_TOOLS[peer.name]:
                if tool.startswith("dalex") and n_rows > MOST_ROWS_OF_DALEX:
                    continue
                results[tool] = _timed(them, tool, features, rounds)
    return [row for kind in KINDS for row in _rows(kind, model, n_rows, results)]


def measure_trees(model: str, n_rows: int, at_least: float) -> list[Row]:
    """Time partial dependence of 20 features from the trees against scikit-learn's brute force."""
    environment = dict(os.environ) | {"TQDM_DISABLE": "1"}
    with Worker(Path(sys.executable), "worker_effects.py", environment) as us:
        _prepare(us, model, n_rows)
        ours = min(us.ask("all")["cpu"] for _ in range(3))
        brute = us.ask("measure", tool="scikit-learn pd", features=BRUTE)["cpu"] * FEATURES / BRUTE
    return [
        Row(
            f"effects of {FEATURES} features, {model}, n={n_rows:,}",
            "s",
            ours=ours,
            other=brute,
            ratio_at_least=at_least,
            note=f"study.effects, exact from the trees, against scikit-learn's brute force, {POINTS} points, measured "
            f"on {BRUTE} features; processor seconds, one thread",
        )
    ]


def _prepare(worker: Worker, model: str, n_rows: int) -> None:
    worker.ask("prepare", model=model, n_rows=n_rows)


def _timed(worker: Worker, tool: str, features: int, rounds: int | None) -> dict[str, float]:
    """Least processor seconds of runs in turn: per feature, and of the model for the least rows; rows asked about."""
    least, usual = (POINTS, 2) if tool.endswith("pd") else (2, 6)
    worker.ask("measure", tool=tool, features=1)
    runs, floors = list[dict[str, float]](), list[float]()
    for _ in range(rounds or usual):
        runs.append(worker.ask("measure", tool=tool, features=features))
        floors.append(worker.ask("predict", rows_per_row=least)["cpu"])
    cpu = min(run["cpu"] for run in runs) / features
    return {"cpu": cpu, "floor": min(floors), "rows": runs[-1]["rows"] / features}


def _rows(kind: str, model: str, n_rows: int, results: dict[str, dict[str, float]]) -> list[Row]:
    ours = results[f"ours {kind}"]
    peers = {name: found for name, found in results.items() if name.endswith(kind) and not name.startswith("ours")}
    least = n_rows * (POINTS if kind == "pd" else 2)
    label = f"{KINDS[kind]}, {model}, n={n_rows:,}"
    rows = [
        Row(
            f"{label}: of predict",
            "×",
            ours=ours["cpu"] / ours["floor"],
            at_most=1.1,
            note=f"processor time over the model's own for {least:,} rows; asked about {ours['rows']:,.0f}",
        )
    ]
    for name, found in sorted(peers.items(), key=lambda item: item[1]["cpu"]):
        counted = f"{found['rows']:,.0f}" if found["rows"] else "the model itself, uncounted,"
        rows.append(
            Row(
                f"{label}: {name.rpartition(' ')[0]}",
                "s",
                ours=ours["cpu"],
                other=found["cpu"],
                ratio_at_least=1.0,
                note=f"per feature, processor; theirs is {found['cpu'] / found['floor']:.3g}× its own predict, "
                f"asked about {counted} rows",
            )
        )
    return rows


def _clean() -> dict[str, Any]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
