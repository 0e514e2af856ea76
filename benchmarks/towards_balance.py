"""Weights towards the means of another sample: the same as those of packages for entropy balancing, and how soon."""

import os
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
from scipy.optimize import minimize

from peer import Peer
from report import Row
from session import Worker
from tauscope.stress.towards.approach import Approach, approach
from tauscope.stress.towards.margins import Margin, measure_margins
from towards_inputs import samples

BALANCERS = Peer("balance", ("ebal==1.0.0", "empirical_calibration==0.12", "pandas==2.3.3", "numpy==1.26.4"))
SMALL = (2_000, 500, 10)
LARGE = (100_000, 5_000, 100)
EQUAL = {"ebal": 1e-8, "empirical_calibration": 1e-7}
"""The second stops once its means are within some 4e-9, which its weights show."""
ROUNDS = 5

Array = np.ndarray


def measure() -> list[Row]:
    """Compare weights at a size that all manage, then time the largest against SciPy."""
    return [*(_same(package) for package in EQUAL), _speed()]


def _towards(here: Array, new: Array) -> Approach:
    names = [f"x{j}" for j in range(here.shape[1])]
    columns = [dict(zip(names, np.ascontiguousarray(rows.T), strict=True)) for rows in (here, new)]
    margins = measure_margins([Margin("mean", (name,)) for name in names], columns[1].__getitem__, len(new), None)
    return approach(margins, columns[0].__getitem__, len(here))


def _same(package: str) -> Row:
    here, new = samples(*SMALL)
    found = _towards(here, new)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with Worker(BALANCERS.interpreter(), "worker_balance.py", own) as worker:
        if worker.ask("prepare", n=SMALL[0], m=SMALL[1], k=SMALL[2]) != f"{here.sum():.6f}":
            sys.exit("The two processes hold different rows.")
        answer = worker.ask("balance", package=package)
    share = np.array(answer["share"])
    ours = found.weights / found.weights.sum()
    missed = float(np.abs(share @ here - new.mean(axis=0)).max())
    return Row(
        f"towards, weights apart from {package}",
        "of the mean weight",
        ours=float(np.abs(ours - share).max() * len(share)),
        at_most=EQUAL[package],
        note=f"largest difference of a weight of mean 1, n = {SMALL[0]:,}, {SMALL[2]} means; {package} misses a mean "
        f"by {missed:.0e}, ours by {np.abs(found.missed).max():.0e}",
    )


def _speed() -> Row:
    here, new = samples(*LARGE)
    found = _towards(here, new)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_seconds(lambda: _towards(here, new)))
        theirs.append(_seconds(lambda: _scipy(here, new.mean(axis=0))))
    apart = float(np.abs(found.weights - _scipy(here, new.mean(axis=0))).max())
    return Row(
        f"towards, {LARGE[2]} means, n = {LARGE[0]:,}",
        "s",
        ours=median(ours),
        other=median(theirs),
        ratio_at_least=1.0,
        note=f"ours {min(ours):.3g}–{max(ours):.3g} s in {ROUNDS} calls, {found.iterations} passes, {found.status}, "
        f"checks of dependence included, effective sample {found.ess:,.0f}; no model rows; other: scipy trust-exact on "
        f"the same dual in whole-array NumPy, weights {apart:.0e} apart",
    )


def _scipy(here: Array, target: Array) -> Array:
    """Return weights of mean 1 by SciPy's minimiser with gradient and Hessian."""
    z = here - target
    kept: dict[bytes, tuple[float, Array, Array]] = {}

    def at(xi: Array) -> tuple[float, Array, Array]:
        key = xi.tobytes()
        if key not in kept:
            kept.clear()
            logs = z @ xi
            top = float(logs.max())
            weight = np.exp(logs - top)
            total = float(weight.sum())
            weight /= total
            mean = weight @ z
            kept[key] = top + np.log(total / len(z)), mean, (z * weight[:, None]).T @ z - np.outer(mean, mean)
        return kept[key]

    options = {"jac": lambda xi: at(xi)[1], "hess": lambda xi: at(xi)[2], "method": "trust-exact"}
    xi = minimize(lambda xi: at(xi)[0], np.zeros(z.shape[1]), options={"gtol": 1e-10}, **options).x
    weight = np.exp(z @ xi - (z @ xi).max())
    return weight / weight.mean()


def _seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started
