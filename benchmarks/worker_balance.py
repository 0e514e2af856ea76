"""Packages for entropy balancing, in their own environment: the process that answers for them."""

from typing import Any

import ebal
import empirical_calibration
import numpy as np

from protocol import serve, timed
from towards_inputs import samples

state: dict[str, Any] = {}


def prepare(n: int, m: int, k: int) -> str:
    """Make both samples."""
    state["here"], state["new"] = samples(n, m, k)
    return f"{state['here'].sum():.6f}"


def balance(package: str) -> dict[str, Any]:
    """Weight the rows to the means of the new ones; shares that sum to 1."""
    found: list[Any] = []
    spent = timed(lambda: found.append(PACKAGES[package](state["here"], state["new"])))
    share = np.asarray(found[0], np.float64)
    return spent | {"share": (share / share.sum()).tolist()}


def _ebal(here: Any, new: Any) -> Any:
    treated = np.repeat([0, 1], [len(here), len(new)])
    model = ebal.ebal_bin(print_level=-1, PCA=False, constraint_tolerance=1e-10)
    return model.ebalance(treated, np.vstack([here, new]), np.arange(len(treated)) / 1.0)["w"][: len(here)]


def _calibrate(here: Any, new: Any) -> Any:
    weights, met = empirical_calibration.calibrate(
        here, new, objective=empirical_calibration.Objective.ENTROPY, autoscale=True
    )
    if not met:
        raise RuntimeError("empirical_calibration did not converge.")
    return weights


PACKAGES = {"ebal": _ebal, "empirical_calibration": _calibrate}

if __name__ == "__main__":
    serve({"prepare": prepare, "balance": balance})
