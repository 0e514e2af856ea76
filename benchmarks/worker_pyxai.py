"""PyXAI in its own environment: the process that answers with its minimal sufficient reasons."""

import warnings
from typing import Any

import numpy as np
from pyxai import Explaining, Learning

from protocol import serve, timed
from small_forests import N_COLUMNS, SmallForest, small_forests


def reasons() -> dict[str, Any]:
    """Return, for each forest and row, the features of a sufficient reason of the fewest conditions."""
    return {one.name: _of_forest(one) for one in small_forests()}


def _of_forest(small: SmallForest) -> dict[str, Any]:
    _, model = Learning.ModelIO.import_models(small.forest, instances_type="tabular")
    names = [f"f{j + 1}" for j in range(N_COLUMNS)]
    explainer = Explaining.initialize(model, features_type={"numerical": names})
    found = list[list[int]]()
    spent = timed(lambda: found.extend(_features(explainer, small.X[row], names) for row in small.explained))
    return spent | {"features": found}


def _features(explainer: Any, row: np.ndarray, names: list[str]) -> list[int]:
    explainer.set_instance(row)
    reason = explainer.minimal_sufficient_reason()
    return sorted(names.index(name) for name in explainer.to_features(reason, details=True))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"reasons": reasons})
