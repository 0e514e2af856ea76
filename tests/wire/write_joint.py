"""Write golden vectors for the solver in the page, by Python's: python tests/wire/write_joint.py"""

import json
import sys
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))

from stress.toys import toys_added
from tauscope.errors import DependentConstraints, InfeasibleTarget
from tauscope.results.stress.joint import JointStress
from tauscope.stress.metric_definitions import SCORERS, definitions
from tauscope.study.stress.joint import joint_stress
from tauscope.study.study import Study
from tauscope.views.stress.estimate_message import estimate_message
from tauscope.views.stress.joint_message import JointStressWire, joint_stress_wire

FILE = Path(__file__).with_name("joint_solver.json")
N_ROWS = 300
CASES: tuple[tuple[dict[str, float], str], ...] = (
    ({"age": 0.4}, "none"),
    ({"age": -1.0}, "none"),
    ({"age": 0.5, "twin": 0.5}, "none"),
    ({"age": 0.05, "twin": -0.05}, "none"),
    ({"age": 1.0, "twin": -1.0}, "none"),
    ({"age": 0.3, "slope": -0.6, "gain": 0.2}, "none"),
    ({"sex = Female": 1.0}, "none"),
    ({"sex = Female": 1.0, "slope": 0.5}, "none"),
    ({"sex = Female": 0.5, "sex = Male": 0.5}, "none"),
    ({"place = low": 0.4, "place = high": 0.6}, "none"),
    ({"place = low": 0.5, "place = high": 0.5}, "none"),
    ({"place = low": 0.7, "place = high": 0.7}, "none"),
    ({"slope": 0.4, "hours": 0.3}, "none"),
    ({"hours = missing": 0.3, "hours": 0.3}, "none"),
    ({"slope": 1.0, "hours": 1.0, "age": -1.0, "gain": 1.0}, "none"),
    ({"slope": 0.5}, "means"),
    ({"age": 0.1}, "means"),
    ({"age": 1.0}, "means"),
    ({"hours": 0.4, "slope": 0.2}, "means"),
    ({"sex = Female": 0.4}, "means"),
    ({"slope": 0.3}, "uncorrelated"),
    ({"hours": 0.3}, "uncorrelated"),
    ({"sex = Female": -0.3, "slope": 0.1}, "uncorrelated"),
    ({"sum": 0.2}, "means"),
    ({"sum": 0.2, "age": 0.2}, "none"),
    ({"age": 0.3, "slope": 0.3, "sum": 0.3}, "none"),
    ({"gain": 0.4, "slope": -0.3}, "uncorrelated"),
    ({"place = low": -1.0, "sex = Female": 1.0, "age": 0.2}, "none"),
    ({"place = low": -1.0}, "means"),
    ({"gain": 0.3}, "none"),
    ({"gain": 0.6}, "none"),
)
EVERY = ("age", "twin", "sum", "hours", "gain", "sex", "place", "slope")
PROBED = ("slope", "hours", "sex = Female")
STUDIES = (
    ("binary", False, EVERY),
    ("binary", True, tuple(set(EVERY) - {"sum"})),
    ("multiclass", False, ("age", "hours", "gain", "sex", "place", "slope")),
    ("regression", True, ("age", "hours", "sex", "place", "slope")),
)
FEW = ("age", "hours", "sex", "slope", "owner", "income")
WITH_TOYS = (("binary", True), ("multiclass", False), ("regression", False))
FEW_CASES: tuple[tuple[dict[str, float], str], ...] = (
    ({"age": 0.4}, "none"),
    ({"sex = Female": 1.0}, "none"),
    ({"slope": 0.4, "hours": 0.3}, "none"),
    ({"age": 0.1}, "means"),
    ({"hours": 0.3}, "uncorrelated"),
    ({"owner = yes": 0.8}, "none"),
    ({"owner = no": -1.0, "slope": 0.4}, "none"),
    ({"income": 0.3}, "none"),
    ({"income": 0.2, "hours": 0.2}, "none"),
)


def golden_study(task: str, weighted: bool) -> Study:
    """Near-collinear pair, a sum of two columns, levels, missing values, a long tail; no random numbers."""
    i = np.arange(N_ROWS)
    noise = np.sin(12.9898 * i) * 43758.5453
    noise -= np.floor(noise)
    age = 20.0 + (7 * i) % 41
    hours = np.round(35 + 12 * np.cos(0.7 * i) + 0.2 * (age - 40))
    hours[[3, 30, 31, 200]] = np.nan
    slope = np.sin(i) + i / 200
    X = pd.DataFrame(
        {
            "age": age,
            "twin": age + 12.0 * np.sqrt(0.02) * (noise - 0.5) * 3.4,
            "sum": age + slope,
            "hours": hours,
            "gain": np.where(i % 15 == 14, 100.0 * i, 0.0),
            "sex": np.where((3 * i) % 7 < 3, "Female", "Male"),
            "place": np.array(["low", "middle", "high"])[(i * i + i // 3) % 3],
            "slope": slope,
            "owner": np.where(i % 37 == 4, "yes", "no"),
            "income": (1.001 - noise) ** -0.4,
        }
    )
    score = 1 / (1 + np.exp(-2 * slope - (age - 40) / 20 + noise))
    truth = (score + 0.4 * np.cos(3 * i) > 0.5).astype(int)
    weight = np.where(i % 11 == 5, 0.0, 1 + (i % 4)) if weighted else None
    if task == "regression":
        return Study.from_predictions(X, 3 * score + np.cos(3 * i), 3 * score, sample_weight=weight)
    if task == "multiclass":
        names = np.array(["a", "b", "c"])
        guess, actual = (
            names[np.digitize(score, [0.3, 0.7])],
            names[np.digitize(score + 0.2 * np.cos(3 * i), [0.3, 0.7])],
        )
        return Study.from_predictions(X, actual, guess, sample_weight=weight)
    return Study.from_predictions(X, truth, (score > 0.5).astype(int), score, sample_weight=weight)


def case(joint: JointStress, taus: dict[str, float], hold: str) -> dict[str, Any]:
    """The engine's answer, or what it raises; and the range of τ that the others leave to each feature."""
    asked: dict[str, Any] = {
        "stress": {"taus": taus, "hold": hold},
        "ranges": {name: ends(joint.reach(name, taus, hold)) for name in PROBED},
    }
    try:
        found = joint.at(taus, hold)
    except (InfeasibleTarget, DependentConstraints) as error:
        return asked | {"status": "infeasible", "error": type(error).__name__}
    answer = joint._answer(taus, hold)
    balance = found.balance.set_index("feature").loc[list(joint.feature_names)]
    return asked | {
        "status": found.status,
        "ess": found.ess,
        "kl": found.kl,
        "tv": found.tv,
        "pareto_k": found.pareto_k if np.isfinite(found.pareto_k) else None,
        "carriers": found.carriers._asdict(),
        "achieved": balance["mean_after"].tolist(),
        "estimates": [estimate_message(estimate) for estimate in answer.estimates],
        "weights": b64encode(found.weights.astype("<f4").tobytes()).decode(),
    }


def ends(reach: tuple[float, float]) -> list[float] | None:
    return None if np.isnan(reach[0]) else list(reach)


def golden() -> list[dict[str, Any]]:
    """Of each study, what is shipped and the engine's answers; at last studies with every metric and toys."""
    out: list[dict[str, Any]] = []
    for task, weighted, features in STUDIES:
        joint = joint_stress(golden_study(task, weighted), [name for name in EVERY if name in features])
        wire = joint_stress_wire(joint)
        low, high = (float(joint._columns.mean[joint._columns.place(f"place = {level}")]) for level in ("low", "high"))
        edge = (1 - low - high) / (2 - low - high)  # both levels together then have every row
        out.append(encoded(joint, wire, (*CASES, ({"place = low": edge, "place = high": edge}, "none"))))
    with toys_added():
        for task, weighted in WITH_TOYS:
            made = golden_study(task, weighted)
            joint = joint_stress(made, FEW, metrics=every_metric(made))
            out.append(encoded(joint, joint_stress_wire(joint), FEW_CASES))
    return out


def every_metric(study: Study) -> list[str]:
    """Return the names of all metrics, but those of scikit-learn's functions, which have another name too."""
    every = (one.name for one in definitions(study._outcomes, None))
    return [name for name in every if name.removesuffix("_score") == name or name.removesuffix("_score") not in SCORERS]


def encoded(joint: JointStress, wire: JointStressWire, cases: Iterable[tuple[dict[str, float], str]]) -> dict[str, Any]:
    """What is shipped, and the answer to every case that the features allow."""
    return {
        "message": wire.message,
        "columns_message": wire.columns_message,
        "columns": b64encode(wire.columns).decode(),
        "row_weights": b64encode(wire.row_weights).decode(),
        "answers": b64encode(wire.answers).decode(),
        "cases": [case(joint, taus, hold) for taus, hold in cases if set(taus) <= set(joint.feature_names)],
    }


def written(studies: list[dict[str, Any]]) -> str:
    """One line for each case, so that a change shows where it is."""
    parts: list[str] = []
    for study in studies:
        fields = [f"{json.dumps(name)}: {_line(value)}" for name, value in study.items() if name != "cases"]
        cases = ",\n".join(_line(one) for one in study["cases"])
        parts.append("{" + ",\n".join([*fields, f'"cases": [\n{cases}\n]']) + "}")
    return "[" + ",\n".join(parts) + "]\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


if __name__ == "__main__":
    FILE.write_text(written(golden()), "utf-8")
