"""Rules of Adult beside anchors: how right they are about people neither has seen, whom they hold for, at what cost.

Both are asked for π = .95 of the same boosting, on the same people, and judged on others. A rule of ours promises that
of people like those it was made on; an anchor promises it of rows it draws itself, in which columns are independent.
"""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from effect_peers import PEERS
from protocol import timed
from report import Row
from rules_inputs import N_PEOPLE, explained, people
from session import Worker

PI = 0.95
NARROW = 20
"""Rows of the forest: what fewer say about a rule is little more than that it was chosen."""
ROWS_OF_ANCHORS = 40
"""It takes a few seconds for each."""
ALIBI = next(peer for peer in PEERS if peer.name == "alibi")


@dataclass
class Judged:
    """Rules of one tool, each judged on people that were not shown to it.

    Attributes
    ----------
    precision, coverage : ndarray of shape (n,)
        NaN where no rule was found; the precision also where it holds for nobody.
    compatible : ndarray of shape (n,)
        1 where Clopper and Pearson's interval of the precision, 95 %, reaches π, else 0; NaN as the precision.
    n_conditions : ndarray of shape (n,)
    wide : ndarray of bool, shape (n,)
        Whether a rule holds for at least `NARROW` of the rows it was made on.
    wall : float
        Seconds for one row.
    """

    precision: np.ndarray
    coverage: np.ndarray
    compatible: np.ndarray
    n_conditions: np.ndarray
    wide: np.ndarray
    wall: float

    def short(self, of: str) -> float:
        """Share of the rules that fall short: by their "precision" itself, or by its interval ("compatible")."""
        there = np.isfinite(self.precision)
        good = self.precision[there] >= PI if of == "precision" else self.compatible[there] == 1
        return float(1 - good.mean())

    @property
    def found(self) -> np.ndarray:
        """Whether each row got a rule."""
        return np.isfinite(self.coverage)


def measure(n: int = N_PEOPLE, n_anchors: int = ROWS_OF_ANCHORS) -> list[Row]:
    """Make and judge the rules of both."""
    index = explained(n)
    ours, theirs = _ours(index), _anchors(index[:n_anchors])
    both = ours.found[: len(theirs.found)] & theirs.found
    own, other = ours.coverage[: len(both)][both], theirs.coverage[both]
    wide = ours.found & ours.wide
    n_short = int((ours.precision[wide] < PI).sum())
    counts = (
        f"{ours.found.sum()} of {n} rows got a rule, {theirs.found.sum()} of {n_anchors} an anchor; judged on "
        f"{len(people().judged_on):,} people"
    )
    sizes = f"{np.nanmean(ours.n_conditions):.1f} conditions each, theirs {np.nanmean(theirs.n_conditions):.1f}"
    return [
        Row(
            "rules: below π = .95 on fresh people, Adult",
            "% of rules",
            ours=100 * ours.short("precision"),
            other=100 * theirs.short("precision"),
            at_most=5.0,
            note=f"by the share itself; worst {np.nanmin(ours.precision):.3f}, theirs "
            f"{np.nanmin(theirs.precision):.3f}; {n_short} of the {wide.sum()} rules that hold for {NARROW} or more "
            f"of the forest's rows; {counts}",
        ),
        Row(
            "rules: surely below π = .95 on fresh people, Adult",
            "% of rules",
            ours=100 * ours.short("compatible"),
            other=100 * theirs.short("compatible"),
            at_most=5.0,
            note="the 95 % interval of the share lies below π",
        ),
        Row(
            "rules: people a rule does not hold for, Adult",
            "%",
            ours=100 * float(1 - np.median(own)),
            other=100 * float(1 - np.median(other)),
            ratio_at_least=1.0,
            note=f"median over the {both.sum()} rows for which both have one; {sizes}",
        ),
        Row("rules: time of a rule, Adult", "s a row", ours=ours.wall, other=theirs.wall, note="without its proof"),
    ]


def _ours(index: np.ndarray) -> Judged:
    import tauscope as ts

    data = people()
    study = ts.Study(data.model, data.made_on, data.y, progress=False)
    found = list[Any]()
    options = {"pi": PI, "max_rules": 1, "proof_budget": 0, "n_drawn": 0, "random_state": 0}
    spent = timed(lambda: found.extend(study.rules(int(row), **options) for row in index))
    decided = data.model.predict(data.made_on.iloc[index])
    insides = [_inside(rules[0], data.judged_on) if len(rules) else None for rules in found]
    sizes = [len(rules[0].conditions) if len(rules) else np.nan for rules in found]
    wide = np.array([len(rules) > 0 and rules[0].training.n_inside >= NARROW for rules in found])
    return _judge(insides, decided, sizes, wide, spent["wall"] / len(index))


def _inside(rule: Any, frame: pd.DataFrame) -> np.ndarray:
    inside = np.ones(len(frame), dtype=bool)
    for name, bounds in rule.bounds.items():
        if isinstance(frame[name].iloc[0], str):
            inside &= frame[name].isin(bounds).to_numpy()
        else:
            inside &= ((frame[name] > bounds[0]) & (frame[name] <= bounds[1])).to_numpy()
    return inside


def _anchors(index: np.ndarray) -> Judged:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with Worker(ALIBI.interpreter(), "worker_anchors.py", environment) as anchors:
        anchors.ask("prepare", pi=PI)
        answer = anchors.ask("anchors", index=index.tolist())
    insides = list[np.ndarray | None]()
    for one in answer["found"]:
        inside = np.zeros(len(people().judged_on), dtype=bool)
        inside[one["inside"]] = True
        # below π it says itself that none was found, and gives the nearest
        insides.append(inside if one["precision"] >= PI else None)
    decided = np.array([one["decided"] for one in answer["found"]])
    sizes = [len(one["anchor"]) for one in answer["found"]]
    return _judge(insides, decided, sizes, np.ones(len(index), dtype=bool), answer["wall"] / len(index))


def _judge(
    insides: list[np.ndarray | None], decided: np.ndarray, sizes: list[float], wide: np.ndarray, wall: float
) -> Judged:
    precision, coverage, compatible = np.full((3, len(insides)), np.nan)
    for place, inside in enumerate(insides):
        if inside is None:
            continue
        coverage[place] = inside.mean()
        right, n = int((people().answers[inside] == decided[place]).sum()), int(inside.sum())
        if n:
            precision[place] = right / n
            compatible[place] = binomtest(right, n).proportion_ci(0.95, "exact").high >= PI
    return Judged(precision, coverage, compatible, np.where(np.isfinite(coverage), sizes, np.nan), wide, wall)
