"""Sufficient sets at π = 1 beside formal sufficient reasons, on forests small enough for both to be exact.

A formal reason holds whatever the other values are, and a majority of the trees is enough for it. A sufficient set of
π = 1 asks that the rows in its projected cells of *every* tree are decided alike, and asks it of the rows there are.
So it may be larger, for the trees outvoted count too, and it may be no formal reason, for values that no row has
together do not count. PyXAI finds the fewest conditions that are a formal reason; our prover, asked about one subset
after the other, the fewest features.
"""

import os
from itertools import combinations
from typing import Any

import numpy as np

from peer import SHARED, Peer
from protocol import timed
from report import Row
from session import Worker
from small_forests import N_COLUMNS, SmallForest, small_forests

PYXAI = Peer("pyxai", ("pyxai==2.0.1", *SHARED))


def measure() -> list[Row]:
    """Search all three for every row of every forest."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with Worker(PYXAI.interpreter(), "worker_pyxai.py", environment) as pyxai:
        reasons = pyxai.ask("reasons")
    return [row for small in small_forests() for row in _rows(small, reasons[small.name])]


def _rows(small: SmallForest, theirs: dict[str, Any]) -> list[Row]:
    import tauscope as ts

    study = ts.Study(small.forest, small.X, small.y, progress=False)
    prover = Prover(small)
    rows, n = small.explained.tolist(), len(small.explained)
    formal, sets = list[tuple[int, ...]](), list[Any]()
    proved_in = timed(lambda: formal.extend(prover.smallest(row) for row in rows))
    searched_in = timed(lambda: sets.extend(study.sufficient(row, pi=1.0, min_rows=1) for row in rows))

    reached = {row: _positions(study, one.best) for row, one in zip(rows, sets, strict=True) if one.minimal}
    reasons = dict(zip(rows, map(tuple, theirs["features"]), strict=True))
    sound = sum(prover.proves(row, reason) for row, reason in reasons.items())
    as_few = sum(len(reasons[row]) == len(one) for row, one in zip(rows, formal, strict=True))
    also_formal = sum(prover.proves(row, one) for row, one in reached.items())
    return [
        Row(
            f"formal reasons: fewest features, {small.name}",
            "features",
            ours=_mean_size(formal),
            other=_mean_size(reasons.values()),
            ratio_at_least=1.0,
            note=f"PyXAI's features are proved by us too for {sound} of {n} rows, and as few for {as_few}",
        ),
        Row(
            f"formal reasons: sufficient sets of π = 1, {small.name}",
            "features",
            ours=_mean_size(reached.values()),
            other=_mean_size(formal),
            note=f"{len(reached)} of {n} rows reach 1; {also_formal} of these sets are formal reasons, and the others "
            "are overturned by values that no row has together",
        ),
        Row(
            f"formal reasons: time, {small.name}",
            "s a row",
            ours=proved_in["wall"] / n,
            other=theirs["wall"] / n,
            note=f"fewest features against fewest conditions; the set of π = 1 takes {searched_in['wall'] / n:.3f} s",
        ),
    ]


class Prover:
    """Asks whether a forest's answer to a row stands with some of its values, whatever the others are."""

    def __init__(self, small: SmallForest) -> None:
        from tauscope.rules.proofs.answers import class_forms
        from tauscope.trees.adapters import read_trees

        self._X = small.X
        self._trees = read_trees(small.forest, "predict_proba").trees
        self._forms = [class_forms(self._trees, int(label)) for label in small.forest.predict(small.X)]

    def proves(self, row: int, subset: tuple[int, ...]) -> bool:
        """Tell whether these features are a formal reason."""
        from tauscope.rules.proofs.proof import prove_answer
        from tauscope.trees.ranges import ValueBoxes

        lower, upper = np.full((1, N_COLUMNS), -np.inf), np.full((1, N_COLUMNS), np.inf)
        lower[0, list(subset)] = upper[0, list(subset)] = self._X[row, list(subset)]
        box = ValueBoxes(lower, upper, np.zeros((1, N_COLUMNS), dtype=bool))
        return prove_answer(self._trees, self._forms[row], box).status == "proved"

    def smallest(self, row: int) -> tuple[int, ...]:
        """Return a formal reason of the fewest features."""
        subsets = (one for size in range(N_COLUMNS + 1) for one in combinations(range(N_COLUMNS), size))
        return next(one for one in subsets if self.proves(row, one))


def _positions(study: Any, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(study.feature_names.index(name) for name in names)


def _mean_size(subsets: Any) -> float:
    return float(np.mean([len(one) for one in subsets]))
