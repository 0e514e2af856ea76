"""How far both packages' curves are from the direct sum, so that the speeds are at a known accuracy."""

from typing import Any

import numpy as np

import direct
from inputs import TAUS, classification
from report import Row
from session import ours, theirs

GRID = np.linspace(-1.0, 1.0, TAUS)
BOUND = 1e-9
CELLS = (("p10-n1e4", 10_000, 10, list(range(10))), ("p10-n1e6", 1_000_000, 10, [0, 3]))


def measure() -> list[Row]:
    """Largest absolute difference of any metric, over the features compared and all τ."""
    return [_measure(*cell) for cell in CELLS]


def _measure(name: str, n_rows: int, n_features: int, features: list[int]) -> Row:
    size: dict[str, Any] = {"n_rows": n_rows, "n_features": n_features}
    with ours() as us, theirs() as them:
        us.ask("prepare", **size)
        them.ask("prepare", **size)
        answer, peer = us.ask("curves"), them.ask("curves")
    inputs = classification(**size)
    goals = np.array(answer["target"])[features]
    exact = direct.curves(inputs, features, goals)
    worst, where = max(
        (float(np.abs(np.array(values)[features] - exact[metric]).max()), metric)
        for metric, values in answer["value"].items()
    )
    peer_goals = np.array([direct.targets(inputs.columns[j], GRID) for j in features])
    peer_exact = direct.curves(inputs, features, peer_goals)["portion_1"]
    peers = float(np.abs(np.array(peer["value"])[features] - peer_exact).max())
    return Row(
        f"largest error of a metric {name}",
        "",
        ours=worst,
        other=peers,
        at_most=BOUND,
        note=f"ours over {len(answer['value'])} metrics (worst {where}); "
        f"theirs over the mean prediction{'' if peer['converged'] else ', some not converged'}; "
        f"{len(features)} features × {TAUS} τ",
    )
