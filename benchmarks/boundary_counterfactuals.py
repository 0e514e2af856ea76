"""Counterfactual rows under constraints beside DiCE's and alibi's: valid, allowed, near, sparse, cheap."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from boundary_inputs import Counted, Credit, credit, declined, fitted_credit
from boundary_peers import ALIBI, DICE
from peer import Peer
from protocol import timed
from report import Row
from session import Worker

METHODS = ("random", "genetic", "kdtree")
ROWS_OF_ALIBI = 5
"""It takes a minute or so for one row of a model whose gradient it has to estimate."""


@dataclass
class Answers:
    """What one tool gave for some rows.

    Attributes
    ----------
    found : list of dict or None
        Column to value; None where there was no answer.
    wall, rows : float
        Seconds, and rows the model was asked about, for one row.
    """

    found: list[dict[str, Any] | None]
    wall: float
    rows: float


@dataclass
class Judged:
    """The answers judged alike, whichever tool gave them.

    Attributes
    ----------
    given, valid, broken : float
        Shares: of rows that got an answer; of answers that the model gives class 1; of answers that break a
        constraint.
    distance : ndarray
        Gower distance of each answer that is valid from its row: the mean over columns of the change as a share of
        the range, 1 for another level; NaN elsewhere.
    changed : float
        Columns changed by a valid answer, on average.
    """

    given: float
    valid: float
    broken: float
    distance: np.ndarray
    changed: float

    @property
    def mean_distance(self) -> float:
        """Of the valid answers; NaN where there is none."""
        there = np.isfinite(self.distance)
        return float(self.distance[there].mean()) if there.any() else float("nan")

    @classmethod
    def of(cls, people: Credit, model: Any, index: np.ndarray, found: list[dict[str, Any] | None]) -> "Judged":
        """Judge answers for rows `index`."""
        given = np.array([answer is not None for answer in found])
        if not given.any():
            return cls(0.0, np.nan, np.nan, np.full(len(index), np.nan), np.nan)
        start = people.X.iloc[index[given]].reset_index(drop=True)
        answers = pd.DataFrame([answer for answer in found if answer is not None])[list(people.X)]
        valid = model.predict(answers) == 1
        ranges = pd.DataFrame(people.ranges).T
        numbers = (answers[people.numbers] - start[people.numbers]).astype(float).abs() / (ranges[1] - ranges[0])
        texts = start.columns.drop(people.numbers)
        parts = numbers.join((answers[texts] != start[texts]).astype(float)).to_numpy()
        distance = np.full(len(index), np.nan)
        distance[np.flatnonzero(given)[valid]] = parts[valid].mean(axis=1)
        broken = _broken(people, start, answers)
        changed = (parts[valid] > 0).sum(axis=1).mean() if valid.any() else np.nan
        return cls(given.mean(), valid.mean(), broken.mean(), distance, float(changed))


def _broken(people: Credit, start: pd.DataFrame, answers: pd.DataFrame) -> np.ndarray:
    """Tell which answers break a constraint, or are no person the columns can hold."""
    numbers = answers[people.numbers].astype(float)
    ranges = pd.DataFrame(people.ranges).T
    broken = (answers[people.fixed] != start[people.fixed]).any(axis=1)
    broken |= numbers[people.rising] < start[people.rising]
    broken |= ((numbers < ranges[0]) | (numbers > ranges[1])).any(axis=1)
    broken |= (numbers != numbers.round()).any(axis=1)
    for name in answers.columns.drop(people.numbers):
        broken |= ~answers[name].isin(people.X[name].unique())
    return broken.to_numpy()


def measure(data: str, model: str, n: int = 50, alibi: bool = True) -> list[Row]:
    """Compare all tools on the same rows."""
    people, index = credit(data), declined(data, model, n)
    answers = {"ours": _ours(data, model, index)}
    answers |= {f"DiCE {method}": _dice(data, model, method, index) for method in METHODS}
    if alibi:
        answers["alibi"] = _alibi(data, model, index[:ROWS_OF_ALIBI])
    fit = fitted_credit(data, model)
    judged = {
        tool: Judged.of(people, fit, index[: len(answer.found)], answer.found) for tool, answer in answers.items()
    }
    return _rows(f"{data}, {model}", answers, judged)


def _ours(data: str, model: str, index: np.ndarray) -> Answers:
    import tauscope as ts

    people, counted = credit(data), Counted(fitted_credit(data, model))
    study = ts.Study(counted, people.X, people.y, progress=False)
    kept: list[Any] = []

    def run() -> None:
        kept.append(
            study.boundaries(
                index,
                paths=False,
                progress=False,
                refine="coordinate",
                target=1,
                fixed=people.fixed,
                bounds=people.ranges,
                monotonic_cst={people.rising: 1},
                random_state=0,
            )
        )

    counted.rows = 0
    spent = timed(run)
    there = (kept[0].frame["status"] == "found").to_numpy()
    points = kept[0].points.reset_index(drop=True)
    found = [points.iloc[i].to_dict() if there[i] else None for i in range(len(index))]
    return Answers(found, spent["wall"] / len(index), counted.rows / len(index))


def _dice(data: str, model: str, method: str, index: np.ndarray) -> Answers:
    with _worker(DICE, "worker_dice.py") as dice:
        dice.ask("prepare", data=data, model=model)
        answer = dice.ask("counterfactuals", method=method, index=index.tolist())
    return Answers(answer["found"], answer["wall"] / len(index), answer["rows"])


def _alibi(data: str, model: str, index: np.ndarray) -> Answers:
    with _worker(ALIBI, "worker_alibi.py") as alibi:
        alibi.ask("prepare", data=data, model=model)
        answer = alibi.ask("counterfactuals", index=index.tolist())
    return Answers(answer["found"], answer["wall"] / len(index), answer["rows"])


def _worker(peer: Peer, script: str) -> Worker:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return Worker(peer.interpreter(), script, environment)


def _rows(label: str, answers: dict[str, Answers], judged: dict[str, Judged]) -> list[Row]:
    ours, mine = answers["ours"], judged["ours"]
    rows = [
        Row(
            f"counterfactuals not found or not valid, {label}",
            "%",
            ours=100 * (1 - mine.given * np.nan_to_num(mine.valid)),
            at_most=0.0,
            note=f"of {len(ours.found)} rows; Gower distance {mine.mean_distance:.4f}, {mine.changed:.1f} "
            f"columns changed, {ours.rows:.0f} model rows, {ours.wall:.3g} s each",
        ),
        Row(f"constraints broken, {label}", "%", ours=100 * mine.broken, at_most=0.0, note="of the answers"),
    ]
    peers = [tool for tool in judged if tool != "ours"]
    best = min(peers, key=lambda tool: np.nan_to_num(judged[tool].mean_distance, nan=np.inf))
    for tool in peers:
        rows += _beside(f"{label}: {tool}", ours, mine, answers[tool], judged[tool], best=tool == best)
    return rows


def _beside(label: str, ours: Answers, mine: Judged, theirs: Answers, peer: Judged, best: bool) -> list[Row]:
    both = np.isfinite(mine.distance[: len(peer.distance)]) & np.isfinite(peer.distance)
    own, other = mine.distance[: len(peer.distance)][both], peer.distance[both]
    return [
        Row(
            f"distance of counterfactuals, {label}",
            "",
            ours=float(own.mean()) if both.any() else float("nan"),
            other=float(other.mean()) if both.any() else float("nan"),
            ratio_at_least=1.0,
            note=f"Gower, on the {both.sum()} of {len(both)} rows for which both are valid; theirs: "
            f"{peer.given:.0%} answered, {peer.valid:.0%} of these valid, {peer.broken:.0%} break a constraint, "
            f"{peer.changed:.1f} columns changed, {theirs.wall:.3g} s each (ours {ours.wall:.3g})",
        ),
        Row(
            f"model rows of counterfactuals, {label}",
            "",
            ours=ours.rows,
            other=theirs.rows,
            ratio_at_least=1.0 if best else None,
            note="each; the bound is against the peer whose answers are nearest" if best else "each",
        ),
    ]
