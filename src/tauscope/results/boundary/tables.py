"""Tables of boundaries: changes by feature, the path, one line a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from tauscope.results.boundary.numbers import BoundaryNumbers, scaled_changes
from tauscope.results.boundary.reliability import level_at, reasons_at, verdict_of
from tauscope.results.boundary.text import reason_sentence, status_sentence
from tauscope.weights.arrays import Floats


def steps(numbers: BoundaryNumbers) -> Floats:
    """Change of each feature in its own unit per unit of distance along the direction, shape (n, p).

    NaN for levels, of which none is taken in part, and where all that move are levels.
    """
    space, direction = numbers.space, numbers.inspection.explanation.direction
    length = space.number_length(direction * space.scale)[:, None]
    step = direction * space.scale / np.where(length > 0, length, np.nan)
    step[:, space.in_block] = np.nan
    return step


def change_table(numbers: BoundaryNumbers) -> pd.DataFrame:
    """Lay the row, its point and the rival side by side, the changes that matter first."""
    point, start, rival = numbers.inspection.point[0], numbers.start[0], numbers.rival[0]
    scaled = scaled_changes(numbers)[0]
    direction = numbers.inspection.explanation.direction[0]
    number = np.array([column.kind != "levels" or column.ordered for column in numbers.columns])
    table = pd.DataFrame(
        {
            "feature": list(numbers.feature_names),
            "value": user_values(numbers, start),
            "point": user_values(numbers, point),
            "rival": user_values(numbers, rival),
            "change": np.where(number, point - start, np.nan),
            "change_scaled": scaled,
            "direction": direction,
            "step": steps(numbers)[0],
        }
    )
    order = np.lexsort((-np.abs(np.nan_to_num(direction)), -np.abs(scaled)))
    return table.iloc[order].reset_index(drop=True)


def path_table(numbers: BoundaryNumbers) -> pd.DataFrame:
    """Return the answer and the decision at each length along the direction."""
    paths = numbers.inspection.paths
    if paths is None:
        return pd.DataFrame({"length": np.empty(0), "answer": np.empty(0), "label": np.empty(0, dtype=object)})
    labels = [numbers.classes[int(code)] if code >= 0 else None for code in paths.label[0]]
    return pd.DataFrame({"length": paths.length[0], "answer": paths.answer[0], "label": labels})


def rows_table(numbers: BoundaryNumbers) -> pd.DataFrame:
    """Return one line for each start."""
    found, n = numbers.inspection, numbers.n
    codes: list[int] = numbers.label.tolist()
    reached: list[int] = found.label.tolist()
    verdict = verdict_of(numbers)
    doubts = [reasons_at(numbers, verdict, i) for i in range(n)]
    is_found = [numbers.status(i) == "found" for i in range(n)]
    n_changed = numbers.n_changed()
    first = [reason_sentence(each[0]) if each else "" for each in doubts]
    return pd.DataFrame(
        {
            "row": numbers.row,
            "predicted": [numbers.classes[code] for code in codes],
            "reached": [numbers.classes[code] if code >= 0 else None for code in reached],
            "status": [numbers.status(i) for i in range(n)],
            "distance": found.distance,
            "distance_lower": numbers.lower,
            "certificate": list(numbers.certificate),
            "rival_row": found.detection.rival,
            "n_changed": np.where(is_found, n_changed, 0),
            "crossing_ratio": found.diagnostics.crossing_ratio,
            "cosine": found.diagnostics.cosine,
            "balance": found.diagnostics.balance,
            "faithfulness": found.diagnostics.faithfulness,
            "balanced_accuracy": found.diagnostics.balanced_accuracy,
            "derivative": found.diagnostics.derivative,
            "reliability": [level_at(numbers, verdict, i) for i in range(n)],
            "reason": [
                text if ok else status_sentence(numbers, i)
                for i, (text, ok) in enumerate(zip(first, is_found, strict=True))
            ],
        }
    )


def points_table(numbers: BoundaryNumbers, points: Floats, index: Any) -> pd.DataFrame:
    """Return points (n, p) in the user's values, one column a feature; missing where nothing was found."""
    columns: dict[str, Any] = {}
    for j, column in enumerate(numbers.columns):
        columns[column.name] = user_column(column, points[:, j])
    return pd.DataFrame(columns, index=index)


def user_values(numbers: BoundaryNumbers, point: Floats) -> list[Any]:
    """Return one point's values as a person's."""
    return [column.value(value) for column, value in zip(numbers.columns, point, strict=True)]


def user_column(column: Any, values: Floats) -> Any:
    """Return a column's values as a person's: numbers as they are, levels by name."""
    return values if column.kind == "number" else [column.value(value) for value in values]
