"""What was found for one row, as the page reads it: the row and its flip in order, the path, the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.paths import Walk
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.results.boundary.numbers import DIAGNOSTICS, BoundaryNumbers, scaled_changes
from tauscope.results.boundary.pictures import ImageShape, rival_label
from tauscope.results.boundary.text import ANSWERS, LEVELS, MEANINGS, SHORT_UNITS, away, proved_by, subject
from tauscope.results.formatting import number
from tauscope.views.boundary.answer_message import (
    BoundaryAnswerMessage,
    BoundaryAnswersMessage,
    BoundaryDiagnosticMessage,
    BoundaryFeatureMessage,
    BoundaryPathMessage,
    BoundaryProjectionMessage,
    Ends,
    ExplanationMessage,
    UnsentMessage,
)
from tauscope.views.boundary.columns import columns_by_name
from tauscope.views.boundary.pictures import pictures_wire
from tauscope.views.boundary.words import words_message
from tauscope.views.wire import Block, finite, float32, layout_of
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.boundary.boundary import Boundary

MOST_FEATURES = 400
MOST_POINTS = 400
MANY_ZEROS = 12
NEAREST = "nearest"
UNRATED: ExplanationMessage = {"level": "reliable", "words": "", "reasons": []}


class Answers(NamedTuple):
    """A message and its buffers."""

    message: BoundaryAnswersMessage
    path_values: bytes
    pictures: bytes = b""


class _Point(NamedTuple):
    """One of several points beyond the boundary: the nearest, of a region, or of a list that differ."""

    name: str
    headline: str
    point: Floats
    label: int
    direction: Floats
    length: float


def answers_wire(result: Boundary, target: str, *, shape: ImageShape | None = None, text: str | None = None) -> Answers:
    """Fill the message of a boundary.

    Parameters
    ----------
    result : Boundary
    target : str
        The class that was searched, by name; "" for the nearest of any.
    shape : ImageShape or None
        Of the image whose pixels the features are.
    text : str or None
        Whose words the features are.

    Returns
    -------
    Answers
    """
    points = _points(result)
    order = [_order(result._numbers, each) for each in points]
    walked = _walked_points(result)
    path, values = _path(result, order[0], walked)
    answers = [_answer(result, target, each, places) for each, places in zip(points, order, strict=True)]
    answers[0]["path"] = path
    pictures = b"" if shape is None else _add_pictures(result, points, answers, shape, walked)
    if text is not None:
        for answer, point in zip(answers, points, strict=True):
            directed = bool(np.nan_to_num(point.direction).any())
            answer["words"] = words_message(text, result._numbers, point.direction) if directed else None
    return Answers({"answers": answers}, float32(values), pictures)


def _add_pictures(
    result: Boundary, points: list[_Point], answers: list[BoundaryAnswerMessage], shape: ImageShape, walked: Floats
) -> bytes:
    """Add to each answer where its pictures stand, and return them; the way is that of the first."""
    numbers, buffer = result._numbers, b""
    nowhere = np.empty((0, len(numbers.columns)))
    for k, (point, answer) in enumerate(zip(points, answers, strict=True)):
        ends = np.stack([numbers.start[0], point.point, numbers.rival[0]])
        on_the_way = walked if k == 0 and answer["path"] is not None else nowhere
        answer["pictures"], more = pictures_wire(shape, ends, point.direction, on_the_way, len(buffer))
        buffer += more
    return buffer


def numeric_bounds(bounds: Mapping[str, Any] | None, columns: Mapping[str, BoundaryColumn]) -> dict[str, Ends]:
    """Pick the bounds of numbers that are two ends, which a page can show in boxes; an open end is None."""
    return {
        name: (_end(ends[0]), _end(ends[1]))
        for name, ends in (bounds or {}).items()
        if columns[name].kind == "number" and _is_range(ends)
    }


def _end(end: float | None) -> float | None:
    return None if end is None else finite(end)


def _is_range(ends: Any) -> bool:
    if isinstance(ends, str) or not isinstance(ends, Sequence):
        return False
    pair = cast(Sequence[Any], ends)
    return len(pair) == 2 and all(
        isinstance(end, int | float | np.number | None) and not isinstance(end, bool) for end in pair
    )


def _points(result: Boundary) -> list[_Point]:
    numbers = result._numbers
    found, direction = numbers.inspection, numbers.inspection.explanation.direction[0]
    label = int(found.label[0])
    is_found = result.status == "found"
    said = result.sentence if is_found else f"{subject(numbers, 0)} is predicted {result.predicted}"
    first = _Point(NEAREST, f"{said}.", found.point[0], label, direction, _walked(result))
    measure = numbers.measure
    regions = [
        _Point(
            f"stretch {k}",
            f"Another stretch of the boundary: {numbers.classes[region.label]} {away(measure, region.distance)}.",
            region.point,
            region.label,
            region.direction,
            region.distance,
        )
        for k, region in enumerate(result.regions[1:], start=2)  # the first is that of the nearest point
    ]
    others = [
        _Point(
            f"alternative {k}",
            f"Another way to {numbers.classes[other.label]}: {count(other.n_changed, 'change')}, "
            f"{away(measure, other.distance)}; local density there {number(other.density)}.",
            other.point,
            other.label,
            np.zeros_like(direction),
            0.0,
        )
        for k, other in enumerate(result.diverse, start=1)
        if not np.array_equal(other.point, found.point[0])
    ]
    return [first, *regions, *others]


def _order(numbers: BoundaryNumbers, point: _Point) -> Ints:
    """Order features, the changes that matter first, then those the direction takes farthest."""
    scaled = scaled_changes(numbers, point.point[None])[0]
    keys = [-np.abs(np.nan_to_num(point.direction)), -np.abs(scaled)]
    if _is_mostly_zero(numbers):  # what the row has stands before words that it has not
        present = np.nan_to_num(np.stack([numbers.start[0], numbers.rival[0]])).any(axis=0)
        keys.insert(1, ~present)
    return np.lexsort(keys)[:MOST_FEATURES]


def _unsent(numbers: BoundaryNumbers, point: _Point, order: Ints) -> UnsentMessage:
    """Count the features that are not sent, and of those the ones that change or are 0 throughout."""
    unsent = np.ones(len(numbers.columns), dtype=np.bool_)
    unsent[order] = False
    changed = scaled_changes(numbers, point.point[None])[0] != 0
    zero = (numbers.start[0] == 0) & ~np.nan_to_num(np.stack([point.point, numbers.rival[0]])).any(axis=0)
    return {
        "n_more": int(unsent.sum()),
        "n_more_changed": int((unsent & changed).sum()),
        "n_more_zero": int((unsent & zero).sum()) if _is_mostly_zero(numbers) else 0,
    }


def _is_mostly_zero(numbers: BoundaryNumbers) -> bool:
    """Whether more than half of a row's features, and many, are 0."""
    counted = np.array([column.kind == "number" or column.boolean for column in numbers.columns])
    n_zero = int(np.count_nonzero(counted & (numbers.start[0] == 0)))
    return n_zero >= MANY_ZEROS and 2 * n_zero > len(numbers.columns)


def _answer(result: Boundary, target: str, point: _Point, order: Ints) -> BoundaryAnswerMessage:
    numbers = result._numbers
    is_found = result.status == "found"
    reached = numbers.classes[point.label] if point.label >= 0 else ""
    return {
        "row": -1 if result.row is None else result.row,
        "target": target,
        "name": point.name,
        "found": is_found,
        "headline": point.headline,
        "certificate": proved_by(numbers, 0) if is_found else "",
        "status": "" if is_found else f"{result.message[:1].upper()}{result.message[1:]}.",
        "reliability": _reliability(result) if point.name == NEAREST else UNRATED,
        "notes": list(result.notes),
        "labels": {"start": result.predicted, "point": reached, "rival": rival_label(result)},
        "rival_row": result.rival_row,
        "unit": SHORT_UNITS[numbers.measure],
        "response": ANSWERS[numbers.answer].format(result.predicted),
        "response_kind": "share" if numbers.answer in ("probability", "label") else "value",
        "threshold": _threshold(numbers),
        "features": _features(numbers, point, order),
        "effect_words": _effect_words(result, point),
        **_unsent(numbers, point, order),
        "mostly_zero": _is_mostly_zero(numbers),
        "path": None,
        "diagnostics": _diagnostics(result) if is_found and point.name == NEAREST else [],
        "projection": _projection(result) if point.name == NEAREST else None,
        "pictures": None,
        "words": None,
        "n_model_rows": result.n_model_rows,
        "fixed": [str(name) for name in result._spec.fixed],
        "bounds": numeric_bounds(result._spec.bounds, columns_by_name(result)),
    }


def _reliability(result: Boundary) -> ExplanationMessage:
    """Say how far the explanation can be relied on, and why not farther."""
    if result.reliability is None:
        return UNRATED
    words = f"The explanation is {LEVELS[result.reliability]}."
    return {"level": result.reliability, "words": words, "reasons": list(result.reasons)}


def _walked(result: Boundary) -> float:
    """Length to the first crossing, or of the whole path where there is none; 0 where none was walked."""
    paths = result._numbers.inspection.paths
    if paths is None or np.isnan(paths.length[0]).any():
        return 0.0
    return float(paths.crossing[0] if np.isfinite(paths.crossing[0]) else paths.length[0, -1])


def _effect_words(result: Boundary, point: _Point) -> str:
    """Say along which way the effects of the features are counted."""
    is_first = point.length == _walked(result)
    end = "the end of the way walked" if is_first and not np.isfinite(result.crossing) else "where it flips first"
    return f"what changes from the row to {end}, along this direction"


def _walk(numbers: BoundaryNumbers, point: Floats, direction: Floats) -> Walk:
    starts = Starts(numbers.start, numbers.label, np.zeros(1, dtype=np.int64), None)
    return Walk(numbers.space, numbers.limits, starts, point[None], direction[None])


def _features(numbers: BoundaryNumbers, point: _Point, order: Ints) -> list[BoundaryFeatureMessage]:
    direction = np.nan_to_num(point.direction)
    walk = _walk(numbers, np.where(np.isnan(point.point), numbers.start[0], point.point), direction)
    reached = numbers.start[0] if not direction.any() else walk.at(np.array([[point.length]]))[0, 0]
    levels = np.array([column.kind == "levels" for column in numbers.columns])
    effect = np.where(levels, 0.0, np.nan_to_num(reached - numbers.start[0]))
    return [_feature(numbers, point, int(j), float(direction[j]), float(effect[j])) for j in order]


def _feature(
    numbers: BoundaryNumbers, point: _Point, j: int, direction: float, effect: float
) -> BoundaryFeatureMessage:
    column = numbers.columns[j]
    return {
        "name": column.name,
        "kind": column.kind,
        "integer": column.integer,
        "scale": float(numbers.space.scale[j]),
        "levels": list(column.levels),
        "start": finite(numbers.start[0, j]),
        "point": finite(point.point[j]),
        "rival": finite(numbers.rival[0, j]),
        "changed": bool(numbers.start[0, j] != point.point[j] and not np.isnan(point.point[j])),
        "held": column.held,
        "direction": direction,
        "effect": effect,
        "leads_to": _leads_to(numbers, point, j, direction),
    }


def _leads_to(numbers: BoundaryNumbers, point: _Point, j: int, direction: float) -> int | None:
    """Return the code of the level that a direction leads to; None for numbers, and where that is not known."""
    if numbers.columns[j].kind != "levels":
        return None
    if numbers.space.is_nominal[j]:
        reached = point.point[j]
        return None if np.isnan(reached) or reached == numbers.start[0, j] else int(reached)
    return len(numbers.columns[j].levels) - 1 if direction > 0 else 0


def _threshold(numbers: BoundaryNumbers) -> float | None:
    """Find the answer at which the decision turns, where one value tells it at every step walked."""
    if numbers.answer == "value":
        return 0.0
    paths = numbers.inspection.paths
    if numbers.answer != "probability" or len(numbers.classes) > 2 or paths is None or np.isnan(paths.answer[0]).any():
        return None
    own = paths.label[0] == numbers.label[0]
    return 0.5 if np.array_equal(own, paths.answer[0] >= 0.5) else None


def _walked_points(result: Boundary) -> Floats:
    """Return the points of the path, shape (n_steps, p); none where the model was not asked along it."""
    numbers, found = result._numbers, result._numbers.inspection
    paths = found.paths
    if paths is None or not np.isfinite(paths.answer[0]).all() or paths.length.shape[1] < 2:
        return np.empty((0, len(numbers.columns)))
    walk = _walk(numbers, found.detection.point[0], found.explanation.direction[0])
    return walk.at(paths.length)[0]


def _path(result: Boundary, order: Ints, walked: Floats) -> tuple[BoundaryPathMessage | None, Floats]:
    """Return the path and the values of the features that change along it, [moving][step]."""
    numbers, found = result._numbers, result._numbers.inspection
    paths = found.paths
    if paths is None or not len(walked):
        return None, np.empty(0)
    labels = paths.label[0]
    target = result._spec.target
    points = walked[:, order]
    moving = np.flatnonzero((points != points[0]).any(axis=0) & ~np.isnan(points[0]))
    flipped = labels != numbers.label[0] if target is None else labels == found.label[0]
    codes, short = np.unique(labels, return_inverse=True)
    message: BoundaryPathMessage = {
        "length": paths.length[0].tolist(),
        "answer": [finite(value) for value in paths.answer[0]],
        "label": short.tolist(),
        "flipped": flipped.astype(np.int64).tolist(),
        "labels": [numbers.classes[int(code)] for code in codes],
        "crossing": finite(paths.crossing[0]),
        "returns": bool(paths.returns[0]),
        "moving": moving.tolist(),
        "layout": layout_of([Block(("values",), "moving step", (len(moving), len(labels)))]),
    }
    return message, points[:, moving].T


def _diagnostics(result: Boundary) -> list[BoundaryDiagnosticMessage]:
    values = result.diagnostics
    return [
        {"label": MEANINGS[name][0], "value": number(float(values[name])), "words": MEANINGS[name][1]}
        for name in DIAGNOSTICS
        if not np.isnan(values[name])
    ]


def _projection(result: Boundary) -> BoundaryProjectionMessage | None:
    """Return the first points of the sample of partial least squares, which come in no order."""
    projected = result._numbers.inspection.explanation.projection
    if projected is None:
        return None
    points, codes = projected[0][:MOST_POINTS], projected[1][:MOST_POINTS]
    flipped = codes != result._numbers.label[0]
    return {
        "first": np.round(points[:, 0], 4).tolist(),
        "second": np.round(points[:, 1], 4).tolist(),
        "flipped": flipped.astype(np.int64).tolist(),
        "words": f"{count(len(codes), 'point')} around the flip on two components: "
        f"{int(flipped.sum()):,} of them not decided {result.predicted}",
    }
