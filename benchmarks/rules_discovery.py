"""Which columns decide a row of the mixture: sufficient sets beside SHAP's and LIME's three largest."""

import os
from typing import Any

import numpy as np

from boundary_peers import LIME
from mixture import mean_target, mixture, true_columns
from peer import Peer
from protocol import timed
from report import Row
from session import Worker

PEER = Peer("attributions", ("shap==0.51.0", *LIME.requirements))
NAMES = {"shap": "SHAP", "lime": "LIME"}


def measure() -> list[Row]:
    """Name columns with each, for the same rows of the same forest."""
    found, spent = _ours()
    reached = np.array([one.status == "sufficient" for one in found])
    ours = _errors([[int(name[1:]) for name in one.best] for one in found], reached)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    rows = list[Row]()
    with Worker(PEER.interpreter(), "worker_attributions.py", environment) as worker:
        if worker.ask("prepare") != f"{mixture().forest.predict(mixture().explained).sum():.6f}":
            raise RuntimeError("The forests of the two environments are not the same.")
        for peer, name in NAMES.items():
            answer = worker.ask(peer)
            theirs = _errors(answer["named"], reached)
            rows += _rows(name, ours, theirs, spent / len(found), answer["cpu"] / len(found), reached)
    return rows


def _ours() -> tuple[list[Any], float]:
    import tauscope as ts

    data = mixture()
    study = ts.Study(data.forest, data.X, data.y, feature_names=[f"x{j}" for j in range(50)], progress=False)
    study.sufficient(data.explained[0], explained="labels")  # packs the forest's rows
    found = list[Any]()
    spent = timed(lambda: found.extend(study.sufficient(row, explained="labels") for row in data.explained))
    return found, spent["cpu"]


def _errors(named: list[list[int]], of: np.ndarray) -> dict[str, float]:
    """Average over some rows: share of the true columns missed, of those named that are false, squared error."""
    data = mixture()
    missed, false, squared = list[float](), list[float](), list[float]()
    for i in np.flatnonzero(of):
        true, one = true_columns(data.explained[i]), set(named[i])
        missed.append(100 * len(true - one) / len(true))
        false.append(100 * len(one - true) / len(one))
        squared.append((mean_target(data.explained[i], sorted(one)) - float(data.target[i])) ** 2)
    means = {"missed": np.mean(missed), "false": np.mean(false), "squared": np.mean(squared)}
    return {name: round(float(mean), 12) for name, mean in means.items()}


def _rows(
    peer: str, ours: dict[str, float], theirs: dict[str, float], spent: float, their_spent: float, reached: np.ndarray
) -> list[Row]:
    of = f"of the {reached.sum()} of {len(reached)} rows that reach π = .95; the other is {peer}'s three largest"
    return [
        Row(f"discovery: true columns missed, {peer}", "%", ours["missed"], theirs["missed"], at_most=1.0, note=of),
        Row(f"discovery: false columns named, {peer}", "%", ours["false"], theirs["false"], at_most=5.0),
        Row(
            f"discovery: error of the mean given them, {peer}",
            "squared",
            ours["squared"],
            theirs["squared"],
            at_most=0.03,
        ),
        Row(f"discovery: processor time, {peer}", "s a row", spent, their_spent),
    ]
