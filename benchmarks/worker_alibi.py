"""alibi's counterfactuals guided by prototypes, in their own environment: the process that answers for them."""

import os
import warnings
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import pandas as pd
import tensorflow as tf
from alibi.explainers import CounterfactualProto

from boundary_inputs import Counted, credit, fitted_credit
from protocol import serve, timed

tf.compat.v1.disable_v2_behavior()
state: dict[str, Any] = {}


class Coder:
    """A person as alibi's numbers in [−1, 1], then codes of levels; and back."""

    def __init__(self, frame: pd.DataFrame, numbers: list[str]) -> None:
        self.columns, self.numbers = list(frame), numbers
        self.texts = [name for name in frame if name not in numbers]
        self.low = frame[numbers].min().to_numpy(float)
        self.width = frame[numbers].max().to_numpy(float) - self.low
        self.levels = {name: sorted(frame[name].unique()) for name in self.texts}

    def code(self, frame: pd.DataFrame) -> np.ndarray:
        """Code rows."""
        scaled = 2 * (frame[self.numbers].to_numpy(float) - self.low) / self.width - 1
        codes = [frame[name].map(self.levels[name].index).to_numpy(float) for name in self.texts]
        return np.column_stack([scaled, *codes])

    def decode(self, coded: np.ndarray) -> pd.DataFrame:
        """Return to people; whole numbers are rounded to."""
        n = len(self.numbers)
        frame = pd.DataFrame(np.round((coded[:, :n] + 1) / 2 * self.width + self.low), columns=self.numbers)
        for place, name in enumerate(self.texts, start=n):
            which = np.clip(np.round(coded[:, place]).astype(int), 0, len(self.levels[name]) - 1)
            frame[name] = [self.levels[name][code] for code in which]
        return frame[self.columns]


def prepare(data: str, model: str) -> str:
    """Fit the model, and alibi's distances between levels."""
    people, counted = credit(data), Counted(fitted_credit(data, model))
    coder = Coder(people.X, people.numbers)
    coded = coder.code(people.X)
    n, p = len(people.numbers), coded.shape[1]
    low, high = coded.min(axis=0)[None], coded.max(axis=0)[None]
    explainer = CounterfactualProto(
        lambda rows: counted.predict_proba(coder.decode(rows)),
        (1, p),
        beta=0.1,
        cat_vars={place: len(coder.levels[name]) for place, name in enumerate(coder.texts, start=n)},
        ohe=False,
        max_iterations=200,
        c_init=1.0,
        c_steps=3,
        use_kdtree=True,
        feature_range=(low, high),
        eps=(0.1, 0.1),
    )
    explainer.fit(coded, d_type="abdm", disc_perc=[25, 50, 75])
    state.update(people=people, counted=counted, coder=coder, coded=coded, explainer=explainer)
    return f"{people.X[people.numbers].to_numpy().sum():.0f}"


def counterfactuals(index: list[int]) -> dict[str, Any]:
    """Ask for one counterfactual for each row; None where alibi gives none."""
    state["counted"].rows, found = 0, list[dict[str, Any] | None]()
    spent = timed(lambda: found.extend(_one(row) for row in index))
    return spent | {"rows": state["counted"].rows / len(index), "found": found}


def _one(row: int) -> dict[str, Any] | None:
    answer = state["explainer"].explain(state["coded"][row : row + 1], target_class=[1])
    if answer.cf is None:
        return None
    person = state["coder"].decode(np.asarray(answer.cf["X"])).iloc[0]
    return {name: value if isinstance(value, str) else float(value) for name, value in person.items()}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "counterfactuals": counterfactuals})
