"""The words of boundaries: what was found, how far away, what is proved, what to doubt; sentences made here alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

import numpy as np

from tauscope.results.boundary.numbers import scaled_changes
from tauscope.results.boundary.pooling import misclassified
from tauscope.results.boundary.reliability import Reason
from tauscope.results.formatting import FLOORED, number, share
from tauscope.weights.student import MIN_SIZE
from tauscope.words import agree, count

if TYPE_CHECKING:
    from tauscope.boundary.detection import Status
    from tauscope.boundary.reliability import Level
    from tauscope.results.boundary.boundaries import Boundaries
    from tauscope.results.boundary.boundary import Boundary
    from tauscope.results.boundary.numbers import AnswerKind, BoundaryNumbers, Certificate, Measure
    from tauscope.results.boundary.pooled import PooledBoundary
    from tauscope.results.boundary.row_decision import RowDecision
    from tauscope.weights.arrays import Ints

AWAY: dict[Measure, str] = {
    "euclidean": "{} standard deviations away",
    "manhattan": "{} standard deviations away, added up over the features",
    "gower": "at a Gower distance of {}",
    "jaccard": "at a Jaccard distance of {}",
    "own euclidean": "at a distance of {}",
    "own manhattan": "at a distance of {}, added up over the features",
}
UNITS: dict[Measure, str] = {
    "euclidean": "standard deviations",
    "manhattan": "standard deviations, added up over the features",
    "gower": "Gower distance",
    "jaccard": "Jaccard distance",
    "own euclidean": "in the features' own units",
    "own manhattan": "in the features' own units, added up",
}
SCALED: dict[Measure, str] = {
    "euclidean": "change, standard deviations",
    "manhattan": "change, standard deviations",
    "gower": "change, share of the range; 1 is another level",
    "jaccard": "change",
    "own euclidean": "change",
    "own manhattan": "change",
}
ANSWERS: dict[AnswerKind, str] = {
    "probability": "probability of {}",
    "score": "score of {}",
    "label": "predicted {}",
    "value": "prediction, distance on the side {}",
}
"""What is followed along the direction, of the class that the row has."""
SHORT_UNITS: dict[Measure, str] = {
    "euclidean": "sd", "manhattan": "sd", "gower": "Gower", "jaccard": "Jaccard", "own euclidean": "",
    "own manhattan": "",
}  # fmt: skip
PROVED_BY: dict[Certificate, str] = {
    "exact": "The lower distance follows from the model's own formula.",
    "trees: boxes": "The lower distance follows from the boxes of the trees' leaves.",
    "linear relaxation": "The lower distance follows from linear bounds of the network.",
    "none": "No lower distance: nothing is proved of nearer points.",
}
WHOLE = "with whole numbers kept whole"
MEANINGS = {
    "balance": ("balance", "share of the sample decided as the row; 0.3 to 0.7 is wanted"),
    "faithfulness": ("faithfulness", "share of the sample on which the plane agrees with the model"),
    "balanced_accuracy": ("balanced accuracy", "mean of that share on the two sides"),
    "cosine": ("cosine", "of the direction with the way to the flip"),
    "crossing_ratio": ("crossing ratio", "first crossing along the direction over the distance bisected to"),
    "scaled_distance": ("scaled distance", "that distance over the mean distance between rows"),
    "derivative": ("derivative", "of the answer along the direction, at the row"),
    "stability": ("stability", "mean cosine between directions fitted on other samples"),
    "r2": ("R²", "of the fit"),
}
"""Of the diagnostics: a name for people, and what it is."""

LEVELS: dict[Level, str] = {
    "reliable": "reliable",
    "wide": "wide: it leads across, but how much each feature counts is uncertain",
    "unreliable": "unreliable",
}
REASONS: dict[str, str] = {
    "none": "",
    "unsteady": "the model answered differently for the same row",
    "not_explained": "the search ended before the direction was tried",
    "no_crossing": "the direction does not flip the decision within 1.5 times the distance",
    "late_crossing": "along the direction the decision flips at {amount} times the distance of the point",
    "one_sided": "{share} of the sampled points are decided as the row: outside of 30 to 70 %",
    "unfaithful": "the balanced accuracy of the plane on the sample is {share} only",
    "askew": "the direction and the way to the point make an angle with cosine {amount}",
    "unstable": "the direction changes with the sample: mean cosine {amount}",
    "returns": "farther along the direction the first decision comes back",
}
"""By name of the reason, of which `tauscope.boundary.reliability.REASONS` has the level."""
STATUS_WORDS: dict[Status, str] = {
    "found": "found",
    "no_rival": "no row is predicted otherwise",
    "none_within_constraints": "nothing within the constraints",
    "nothing_to_move": "nothing to move",
    "budget": "ended by max_model_rows",
}

MOST_WOBBLE = 0.25
"""Standard error of a pooled direction, over its length, up to which its intervals cover what they say."""
FEW_POOLED = 10
"""Effective rows below which an interval rests on few."""
PooledDoubt = Literal["alone", "cancel", "unsettled", "few"]
POOLED_DOUBTS: Mapping[PooledDoubt, str] = {
    "alone": "fewer than two effective rows are pooled: there is no interval",
    "cancel": "the rows' directions cancel: there is nothing that they share",
    "unsettled": "the rows' directions differ too much for how few they are: the pooled one is not settled, and its "
    "intervals are too short",
    "few": "fewer than 10 effective rows are pooled: the intervals rest on few",
}
"""What speaks against a pooled direction, the graver first."""


def number_below(value: float) -> str:
    """Write a distance that is claimed to be safe: as `number`, but never rounded up."""
    return number(float(FLOORED.create_decimal(Decimal(repr(float(value)))))) if math.isfinite(value) else number(value)


def away(measure: Measure, distance: float) -> str:
    """Write a distance: "0.97 standard deviations away"."""
    return AWAY[measure].format(number(distance))


def reason_sentence(reason: Reason) -> str:
    """Say what speaks against an explanation."""
    return REASONS[reason.name].format(amount=number(reason.amount), share=share(reason.amount))


def status_sentence(numbers: BoundaryNumbers, i: int) -> str:
    """Say what was found for a start, or what was tried where nothing was."""
    status: Status = numbers.status(i)
    detection = numbers.inspection.detection
    match status:
        case "found":
            return "found"
        case "no_rival":
            return "not found: no row is predicted otherwise"
        case "none_within_constraints":
            tried = "the nearest rows predicted otherwise, brought within the constraints,"
            return f"not found: {tried} are predicted as this one; loosen fixed, bounds or monotonic_cst"
        case "nothing_to_move":
            return "not found: the constraints leave nothing to move"
        case "budget":
            n = int(detection.n_rivals[i])
            return f"not found: max_model_rows ended the search with {count(n, 'rival')} tried; allow more"


def subject(numbers: BoundaryNumbers, i: int) -> str:
    """Name a start: "Row 17", "The row given"."""
    return f"Row {numbers.row[i]}" if numbers.row[i] >= 0 else "The row given"


def boundary_sentence(numbers: BoundaryNumbers, i: int) -> str:
    """Say what is predicted, what flips it how far away, and what cannot."""
    predicted = f"{subject(numbers, i)} is predicted {numbers.classes[numbers.label[i]]}"
    if numbers.status(i) != "found":
        return f"{predicted}; {status_sentence(numbers, i)}{_proof(numbers, i)}"
    found = numbers.inspection
    becomes = numbers.classes[int(found.label[i])]
    return f"{predicted}; it becomes {becomes} {away(numbers.measure, float(found.distance[i]))}" + _proof(numbers, i)


def edited_sentence(decision: RowDecision, n_edits: int, own: str) -> str:
    """Say what is decided with other values, and whether the row itself is decided so."""
    these = "this value" if n_edits == 1 else "these values"
    beside = "as the row itself" if decision.label == own else f"in place of {own}"
    these += f" ({', '.join(decision.switched_off)} at 0)" if decision.switched_off else ""
    return f"With {these}: {decision.sentence}, {beside}."


def _proof(numbers: BoundaryNumbers, i: int) -> str:
    """Say what is proved to leave the decision as it is."""
    if numbers.certificate[i] == "none" or not numbers.lower[i] > 0:
        return ""
    held = ["within the constraints"] * numbers.constrained + [WHOLE] * bool(numbers.whole_free()[i])
    within = f" {' and '.join(held)}" if held else ""
    if numbers.status(i) != "found":
        return f"; nothing{within} can flip it (proved)" if np.isinf(numbers.lower[i]) else ""
    return f"; nothing nearer than {number_below(float(numbers.lower[i]))}{within} can flip it (proved)"


def boundary_summary(result: Boundary) -> str:
    """Write the sentence, the changes that matter most, the reliability, and what must be known."""
    lines = [result.sentence]
    if result.status == "found":
        lines += [f"  {line}" for line in _changes(result._numbers)]
        level = LEVELS[result.reliability or "reliable"]
        lines.append(f"  explanation {level}" + "".join(f"; {reason}" for reason in result.reasons))
    lines += [f"  {note}" for note in result.notes]
    return "\n".join([*lines, f"  {result.model_name} was called on {count(result.n_model_rows, 'row')}"])


def proved_by(numbers: BoundaryNumbers, i: int) -> str:
    """Say how the lower distance of a start is known, and what it takes for granted."""
    said = PROVED_BY[numbers.certificate[i]]
    if numbers.certificate[i] == "none" or not numbers.whole_free()[i]:
        return said
    return f"{said} Whole numbers stay whole."


def _changes(numbers: BoundaryNumbers, most: int = 5) -> list[str]:
    """Write the changes that matter most: "age: 38 → 41"."""
    point, start, scaled = numbers.inspection.point[0], numbers.start[0], scaled_changes(numbers)[0]
    order: list[int] = [int(j) for j in np.argsort(-np.abs(scaled), kind="stable") if scaled[j] != 0]
    columns = numbers.columns
    lines = [f"{columns[j].name}: {columns[j].change(start[j], point[j])}" for j in order[:most]]
    return (
        [*lines, f"and {count(len(order) - most, 'more feature changes', 'more features change')}"]
        if len(order) > most
        else lines
    )


def boundaries_summary(result: Boundaries) -> str:
    """Write how many were found, how far away, and what must be known."""
    lines = [result._caption, f"  {found_sentence(result)}"]
    lines += [f"  {note}" for note in result.notes]
    return "\n".join([*lines, f"  the model was called on {count(result.n_model_rows, 'row')}"])


def found_sentence(result: Boundaries) -> str:
    """Say how many were found, and how far away: "found for 1,000 of 1,000, median 2.26 standard deviations away"."""
    n_found = result.statuses.get("found", 0)
    others = [f"{STATUS_WORDS[status]} for {n:,}" for status, n in result.statuses.items() if status != "found"]
    if not n_found:
        return "; ".join(others)
    median = away(result._numbers.measure, result.median_distance())
    return "; ".join([f"found for {n_found:,} of {len(result):,}, the median {median}", *others])


def pooled_axis(result: PooledBoundary) -> str:
    """Say where pooled directions lead."""
    where = "away from the row's own class" if result.towards is None else f"towards {result.towards}"
    return f"pooled direction, {where}"


def pooled_interval(confidence: float, weighted: bool) -> str:
    """Say what the intervals of pooled directions cover, of rows that count alike or carry weights."""
    known = ", the weights taken as known" if weighted else ""
    held = "the model and each row's direction held fixed"
    return f"{100 * confidence:g} % interval of the mean over rows, {held} (Student t){known}"


def subset_words(found: Boundaries, given: Ints) -> str:
    """Say which rows are pooled: "the 30 rows that the model misclassifies", "200 drawn from all 569 rows".

    Parameters
    ----------
    found : Boundaries
        Those of the rows pooled.
    given : ndarray of shape (m,)
        Positions of the rows that they are or were drawn from, −1 for new rows.
    """
    n, source = len(given), found.source
    drawn = f"{len(found):,} drawn from " if n > len(found) else ""
    if source is None or (given < 0).any():
        return f"{drawn}{count(n, 'row' if source is None else 'new row')}"
    if np.array_equal(np.unique(given), np.arange(source.n_rows)):
        return f"{drawn}all {count(source.n_rows, 'row')}"
    if np.array_equal(np.unique(given), misclassified(source)):
        return f"{drawn}the {'row' if n == 1 else count(n, 'row')} that the model misclassifies"
    return f"{drawn}{n:,} of {count(source.n_rows, 'row')}"


def pooled_notes(result: PooledBoundary) -> tuple[str, ...]:
    """Say which rows were drawn, how many are left out, and what speaks against the direction and its intervals."""
    n, missing = len(result.boundaries), len(result.boundaries) - result.n_rows
    lack = agree(missing, "has no direction or no weight and is", "have no direction or no weight and are")
    left_out = f"{missing:,} of {count(n, 'row')} {lack} left out"
    doubt = pooled_doubt(result.ess, result.wobble)
    return (*drawn_notes(result), *([left_out] if missing else []), *([doubt] if doubt else []))


def drawn_notes(result: PooledBoundary) -> tuple[str, ...]:
    """Say from how many the rows pooled were drawn, and how."""
    if not result.n_drawn_from:
        return ()
    seed = result.boundaries._spec.random_state
    return (f"{len(result.boundaries):,} of {count(result.n_drawn_from, 'row')} were drawn, with random_state={seed}",)


def pooled_doubt(ess: float, wobble: float) -> str:
    """Say why a pooled direction or its intervals are not to be relied on; "" where nothing speaks against them."""
    if ess < MIN_SIZE:
        return POOLED_DOUBTS["alone"]
    if np.isnan(wobble):
        return POOLED_DOUBTS["cancel"]
    if wobble > MOST_WOBBLE:
        return POOLED_DOUBTS["unsettled"]
    return POOLED_DOUBTS["few"] if ess < FEW_POOLED else ""


def pooled_summary(result: PooledBoundary) -> str:
    """Write the features that carry the decisions with their intervals, and what must be known."""
    lines = [result._caption, f"  of {result.subset}; mean cosine with it {number(result.agreement)}"]
    for _, row in result.frame.head(8).iterrows():
        ends = "" if np.isnan(row["lower"]) else f" ({number(row['lower'])} to {number(row['upper'])})"
        lines.append(f"  {row['feature']}: {number(row['direction'])}{ends}")
    lines += [f"  {note}" for note in (pooled_interval(result.confidence, result.weighted), *result.notes)]
    return "\n".join([*lines, f"  the model was called on {count(result.n_model_rows, 'row')}"])
