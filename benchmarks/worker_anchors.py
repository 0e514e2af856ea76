"""alibi's anchors in their own environment: the process that answers for them."""

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
from alibi.explainers import AnchorTabular

from protocol import serve, timed
from rules_inputs import NUMBERS, people

BETWEEN = re.compile(r"(?:(?P<low>\S+) <(?P<closed>=?) )?(?P<name>[a-z-]+)(?: (?P<side><=|<|>=|>) (?P<end>\S+))?$")
COMPARED = {"<=": np.less_equal, "<": np.less, ">=": np.greater_equal, ">": np.greater}
state: dict[str, Any] = {}


def prepare(pi: float) -> str:
    """Fit the model, and let anchors bin the numbers of the rows that ours are made on."""
    data = people()
    columns = list(data.made_on)
    texts = [name for name in columns if name not in NUMBERS]
    levels = {name: sorted(data.made_on[name].unique()) for name in texts}
    coded = np.column_stack(
        [
            data.made_on[name].map(levels[name].index) if name in levels else data.made_on[name].astype(float)
            for name in columns
        ]
    ).astype(float)

    def decide(rows: np.ndarray) -> np.ndarray:
        frame = pd.DataFrame(
            {
                name: np.array(levels[name], dtype=object)[rows[:, j].astype(int)] if name in levels else rows[:, j]
                for j, name in enumerate(columns)
            }
        )
        return (data.model.predict(frame) == data.model.classes_[1]).astype(int)

    names = {columns.index(name): levels[name] for name in texts}
    explainer = AnchorTabular(decide, columns, categorical_names=names, seed=0)
    explainer.fit(coded, disc_perc=(25, 50, 75))
    state.update(explainer=explainer, coded=coded, pi=pi, decide=decide)
    return f"{coded.sum():.0f}"


def anchors(index: list[int]) -> dict[str, Any]:
    """Ask for one anchor for each row: what it demands, and the positions of the judging rows that meet it."""
    found = list[dict[str, Any]]()
    spent = timed(lambda: found.extend(_one(row) for row in index))
    return spent | {"found": found}


def _one(row: int) -> dict[str, Any]:
    np.random.seed(row)  # noqa: NPY002  (anchors draw from the global state)
    answer = state["explainer"].explain(state["coded"][row], threshold=state["pi"])
    inside = np.ones(len(people().judged_on), dtype=bool)
    for condition in answer.anchor:
        inside &= _meets(condition, people().judged_on)
    decided = people().model.classes_[int(state["decide"](state["coded"][row : row + 1])[0])]
    return {
        "anchor": list(answer.anchor),
        "precision": float(np.ravel(answer.precision)[0]),
        "inside": np.flatnonzero(inside).tolist(),
        "decided": str(decided),
    }


def _meets(condition: str, frame: pd.DataFrame) -> np.ndarray:
    """Tell which rows meet a condition as alibi writes it: "age > 28.00", "28.00 < age <= 37.00", "sex = Male"."""
    name, equals, level = condition.partition(" = ")
    if equals:
        return (frame[name] == level).to_numpy()
    read = BETWEEN.match(condition)
    if read is None:
        raise RuntimeError(f"alibi writes {condition!r}, which is not understood.")
    values, meets = frame[read["name"]].to_numpy(float), np.ones(len(frame), dtype=bool)
    if read["low"]:
        meets &= values >= float(read["low"]) if read["closed"] else values > float(read["low"])
    if read["side"]:
        meets &= COMPARED[read["side"]](values, float(read["end"]))
    return meets


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "anchors": anchors})
