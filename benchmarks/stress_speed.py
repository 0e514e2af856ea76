"""Time of all stress curves against the authors' package, runs taken in turn."""

from dataclasses import dataclass
from statistics import median
from typing import Any

from report import Row
from session import Worker, ours, theirs

WORDS = {"engine": "engine, from arrays", "study": "study, from a data frame"}


@dataclass(frozen=True)
class Cell:
    """One size; `rounds` of ours, theirs, ours, theirs, … after one call of each that is not counted."""

    name: str
    n_rows: int
    n_features: int
    rounds: int
    ratio_at_least: float | None = None
    at_most: float | None = None


CELLS = (
    Cell("p10-n1e4", 10_000, 10, rounds=9),
    Cell("p10-n1e5", 100_000, 10, rounds=7),
    Cell("p10-n1e6", 1_000_000, 10, rounds=5, ratio_at_least=8.0, at_most=0.8),
    Cell("p100-n1e4", 10_000, 100, rounds=5, ratio_at_least=30.0),
    Cell("p1000-n1e4", 10_000, 1000, rounds=1, ratio_at_least=100.0),
)


def measure(cell: Cell, rounds: int | None = None) -> list[Row]:
    """Time the engine and the study against `explain_influence`: one index, no interval."""
    with ours() as us, theirs() as them:
        _same_inputs(cell, us, them)
        for worker, what in ((us, "engine"), (us, "study")):
            worker.ask("time", what=what)
        if cell.n_features < 1000:
            them.ask("time", what="influence")
        runs: dict[str, list[dict[str, float]]] = {"engine": [], "study": [], "influence": [], "pass": []}
        for _ in range(rounds or cell.rounds):
            for worker, what in ((us, "engine"), (us, "study"), (them, "influence"), (us, "pass")):
                runs[what].append(worker.ask("time", what=what))
        for what in ("engine", "study"):
            runs[what].append(us.ask("time", what=what))
    return [_row(cell, what, runs) for what in ("engine", "study")]


def measure_rates(cell: Cell, rounds: int | None = None) -> list[Row]:
    """Time the engine against all the indices that the authors' package gives: mean and four rates."""
    with ours() as us, theirs() as them:
        _same_inputs(cell, us, them)
        us.ask("time", what="engine")
        runs: dict[str, list[dict[str, float]]] = {"engine": [], "rates": []}
        for _ in range(rounds or 2):
            for worker, what in ((us, "engine"), (them, "rates")):
                runs[what].append(worker.ask("time", what=what))
    return [
        Row(
            f"stress {cell.name}, same indices",
            "s",
            ours=_median(runs["engine"]),
            other=_median(runs["rates"]),
            note=f"theirs: mean prediction and four rates by callback, stresses kept; {_spread(runs['rates'])}",
        )
    ]


def _same_inputs(cell: Cell, us: Worker, them: Worker) -> None:
    size: dict[str, Any] = {"n_rows": cell.n_rows, "n_features": cell.n_features}
    if us.ask("prepare", **size) != them.ask("prepare", **size):
        raise RuntimeError(f"The two processes drew different inputs for {cell.name}.")


def _row(cell: Cell, what: str, runs: dict[str, list[dict[str, float]]]) -> Row:
    passes = _median(runs[what]) / _median(runs["pass"])
    return Row(
        f"stress {cell.name}, {what}",
        "s",
        ours=_median(runs[what]),
        other=_median(runs["influence"]),
        ratio_at_least=cell.ratio_at_least,
        at_most=cell.at_most,
        note=f"{WORDS[what]}; ours {_spread(runs[what])}; theirs {_spread(runs['influence'])}; "
        f"ours = {passes:.0f} sums over X",
    )


def _median(runs: list[dict[str, float]]) -> float:
    return median(run["wall"] for run in runs)


def _spread(runs: list[dict[str, float]]) -> str:
    walls = sorted(run["wall"] for run in runs)
    cpu = median(run["cpu"] for run in runs)
    return f"{walls[0]:.3g}–{walls[-1]:.3g} s in {len(runs)} calls (processor {cpu:.3g} s)"
