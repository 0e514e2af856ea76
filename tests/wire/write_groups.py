"""Write golden numbers of groups under a stress, on the rows of joint_solver.json: python tests/wire/write_groups.py"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from blocks import group_estimates
from tauscope.results.stress.numbers.joint_answer import metric_estimates, support_of
from tauscope.results.stress.numbers.joint_moments import joint_moments
from tauscope.stress.metrics import define_quantities
from tauscope.study.stress.joint import joint_stress
from tauscope.views.stress.estimate_message import estimate_message
from tauscope.views.wire import finite
from tauscope.weights.concentration import pareto_khat
from wire.write_joint import EVERY, STUDIES, golden_study

FILE = Path(__file__).with_name("joint_groups.json")
CASES = (({"age": 0.4}, "none"), ({"slope": 0.4, "hours": 0.3}, "none"), ({"sex = Female": 0.3}, "none"))
GROUPS = ("sex = Female", "place = low")


def golden() -> list[list[dict[str, Any]]]:
    """Of each study every case: the metrics of two groups."""
    return [[case(place, taus, hold, name) for taus, hold in CASES for name in GROUPS] for place in range(len(STUDIES))]


def case(place: int, taus: dict[str, float], hold: str, name: str) -> dict[str, Any]:
    """The engine's metrics of the rows that have a level."""
    task, weighted, features = STUDIES[place]
    made = golden_study(task, weighted)
    joint = joint_stress(made, [one for one in EVERY if one in features])
    column, level = name.split(" = ")
    inside = (made.X[column] == level).to_numpy()
    answer, moments = joint._answer(taus, hold), joint_moments(joint._columns, taus, hold)
    base = np.ones(made.n_rows) if made.sample_weight is None else made.sample_weight
    _, own = define_quantities(joint._outcomes.take(inside), names=joint.metric_names)
    estimates = group_estimates(
        joint._outcomes,
        joint.metrics,
        moments.phi,
        moments.target,
        answer.weights,
        moments.target_covariance,
        inside.astype(int),
    ).estimates[1]
    k, ratio = pareto_khat(answer.weights[inside], base[inside]), moments.divergence_ratio(answer.kl, answer.tv)
    support = support_of(moments.n_beyond, moments.in_doubt, k, ratio)
    found = metric_estimates(joint.metrics, estimates, support, joint.confidence, int(np.count_nonzero(base[inside])))
    return {
        "stress": {"taus": taus, "hold": hold},
        "group": name,
        "tails": [finite(metric.tail) for metric in own],
        "estimates": [estimate_message(estimate) for estimate in found],
    }


def written(studies: list[list[dict[str, Any]]]) -> str:
    """One line for each case."""
    return "[" + ",\n".join("[" + ",\n".join(map(json.dumps, cases)) + "]" for cases in studies) + "]\n"


if __name__ == "__main__":
    FILE.write_text(written(golden()), "utf-8")
