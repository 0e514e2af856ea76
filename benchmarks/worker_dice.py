"""DiCE on one data set and model, in its own environment: the process that answers for it."""

import contextlib
import io
import warnings
from typing import Any

import dice_ml
import numpy as np
from raiutils.exceptions import UserConfigValidationException

from boundary_inputs import Counted, credit, fitted_credit
from protocol import serve, timed

state: dict[str, Any] = {}


def prepare(data: str, model: str) -> str:
    """Fit the model and give DiCE all rows."""
    people, counted = credit(data), Counted(fitted_credit(data, model))
    frame = people.X.assign(decision=counted.model.predict(people.X))
    rows = dice_ml.Data(dataframe=frame, continuous_features=people.numbers, outcome_name="decision")
    state.update(people=people, counted=counted, rows=rows, model=dice_ml.Model(model=counted, backend="sklearn"))
    return f"{people.X[people.numbers].to_numpy().sum():.0f}"


def counterfactuals(method: str, index: list[int]) -> dict[str, Any]:
    """Ask for one counterfactual for each row; None where DiCE gives none."""
    explainer = dice_ml.Dice(state["rows"], state["model"], method=method)
    state["counted"].rows, found = 0, list[dict[str, Any] | None]()
    spent = timed(lambda: found.extend(_one(explainer, method, row) for row in index))
    return spent | {"rows": state["counted"].rows / len(index), "found": found}


def _one(explainer: Any, method: str, row: int) -> dict[str, Any] | None:
    people = state["people"]
    person = people.X.iloc[[row]]
    ranges = people.ranges | {people.rising: [person[people.rising].item(), people.ranges[people.rising][1]]}
    options = {"random_seed": 0} if method == "random" else {}
    if method == "genetic":
        np.random.seed(0)  # noqa: NPY002 (what DiCE draws from)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            answer = explainer.generate_counterfactuals(
                person,
                total_CFs=1,
                desired_class=1,
                features_to_vary=[name for name in people.X if name not in people.fixed],
                permitted_range=ranges,
                **options,
            )
    except UserConfigValidationException:
        return None
    frame = answer.cf_examples_list[0].final_cfs_df
    if frame is None or len(frame) == 0:
        return None
    return {name: value if isinstance(value, str) else float(value) for name, value in frame.iloc[0].items()}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "counterfactuals": counterfactuals})
