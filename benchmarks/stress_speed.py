"""Time of all stress curves against the authors' package, runs taken in turn."""

from dataclasses import dataclass
from statistics import median
from typing import Any

from report import Row
from session import Worker, ours, theirs

WORDS = {"engine": "engine, from arrays", "study": "study, from a data frame"}


@dataclass(frozen=True)
class Cell:
    """One size; `rounds` of ours, theirs, ours, theirs, … after one call of each that is not counted.

    Ours is called `calls` times in its turn, since a short call tells less on a machine that does other things.
    """

    name: str
    n_rows: int
    n_features: int
    rounds: int
    calls: int
    ratio_at_least: float | None = None
    at_most: float | None = None


CELLS = (
    Cell("p10-n1e4", 10_000, 10, rounds=9, calls=5),
    Cell("p10-n1e5", 100_000, 10, rounds=7, calls=5),
    Cell("p10-n1e6", 1_000_000, 10, rounds=5, calls=2, ratio_at_least=8.0, at_most=0.8),
    Cell("p100-n1e4", 10_000, 100, rounds=5, calls=3, ratio_at_least=30.0),
    Cell("p1000-n1e4", 10_000, 1000, rounds=1, calls=3, ratio_at_least=100.0),
)


def measure(cell: Cell, rounds: int | None = None) -> list[Row]:
    """Time the engine and the study against `explain_influence`: one metric, no interval."""
    with ours() as us, theirs() as them:
        _same_inputs(cell, us, them)
        for worker, what in ((us, "engine"), (us, "study")):
            worker.ask("time", what=what)
        if cell.n_features < 1000:
            them.ask("time", what="influence")
        runs: dict[str, list[dict[str, float]]] = {"engine": [], "study": [], "influence": [], "pass": []}
        turns = ((us, "engine", cell.calls), (us, "study", cell.calls), (them, "influence", 1), (us, "pass", 1))
        for _ in range(rounds or cell.rounds):
            for worker, what, calls in turns:
                runs[what] += [worker.ask("time", what=what) for _ in range(calls)]
        for what in ("engine", "study"):
            runs[what].append(us.ask("time", what=what))
    return [_row(cell, what, runs) for what in ("engine", "study")]


def measure_rates(cell: Cell, rounds: int | None = None) -> list[Row]:
    """Time the engine against all the metrics that the authors' package gives: mean and four rates."""
    note = "theirs: mean prediction and four rates by callback, stresses solved once"
    return _measure_variant(cell, "rates", "same metrics", note, rounds or 2)


def measure_two_jobs(cell: Cell, rounds: int | None = None) -> list[Row]:
    """Time the engine, which works in two threads, against theirs in two processes."""
    return _measure_variant(cell, "two jobs", "theirs n_jobs=2", "theirs: mean prediction", rounds or 4)


def _measure_variant(cell: Cell, what: str, words: str, note: str, rounds: int) -> list[Row]:
    with ours() as us, theirs() as them:
        _same_inputs(cell, us, them)
        us.ask("time", what="engine")
        them.ask("time", what=what)
        runs: dict[str, list[dict[str, float]]] = {"engine": [], what: []}
        for _ in range(rounds):
            runs["engine"] += [us.ask("time", what="engine") for _ in range(cell.calls)]
            runs[what].append(them.ask("time", what=what))
    return [
        Row(
            f"stress {cell.name}, {words}",
            "s",
            ours=_median(runs["engine"]),
            other=_median(runs[what]),
            note=f"{note}; ours {_spread(runs['engine'])}; theirs {_spread(runs[what])}",
        )
    ]


def _same_inputs(cell: Cell, us: Worker, them: Worker) -> None:
    size: dict[str, Any] = {"n_rows": cell.n_rows, "n_features": cell.n_features}
    if us.ask("prepare", **size) != them.ask("prepare", **size):
        raise RuntimeError(f"The two processes drew different inputs for {cell.name}.")


def _row(cell: Cell, what: str, runs: dict[str, list[dict[str, float]]]) -> Row:
    ours_, theirs_ = runs[what], runs["influence"]
    passes = _median(ours_) / _median(runs["pass"])
    return Row(
        f"stress {cell.name}, {what}",
        "s",
        ours=_median(ours_),
        other=_median(theirs_),
        ratio_at_least=cell.ratio_at_least,
        at_most=cell.at_most,
        note=f"{WORDS[what]}; ours {_spread(ours_)}; theirs {_spread(theirs_)}; ratio of processor time "
        f"{_median(theirs_, 'cpu') / _median(ours_, 'cpu'):.3g}×; ours = {passes:.0f} sums over X",
    )


def _median(runs: list[dict[str, float]], clock: str = "wall") -> float:
    return median(run[clock] for run in runs)


def _spread(runs: list[dict[str, float]]) -> str:
    walls = sorted(run["wall"] for run in runs)
    times = "call" if len(runs) == 1 else "calls"
    return f"{walls[0]:.3g}–{walls[-1]:.3g} s in {len(runs)} {times}, processor {_median(runs, 'cpu'):.3g} s"
