"""What a sum of trees can answer in a box of rows: proved, refuted by a row, or left open within a budget.

An answer is a form of the leaves' sum that stays above 0 as long as the answer stands (`rules/proofs/answers.py`). The
least that it can be over a box is at least the sum of each tree's least leaf there. A box in which that is not above 0
is parted at the split that separates the leaves most, until every part is proved, one of them holds a row that is
answered otherwise, or the budget ends.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.prediction.stopping import step
from tauscope.rules.proofs.answers import Form
from tauscope.trees.ensemble import Ensemble
from tauscope.trees.ranges import SumRanges, ValueBoxes, enclose_sums, part
from tauscope.weights.arrays import Bools, Floats, Ints

ProofStatus = Literal["proved", "refuted", "open"]
BUDGET = 2_000_000
"""Leaves looked at."""
MOST_BOXES = 256
"""Parted in one step; fewer where each reaches many leaves."""
MOST_LEAVES = 4_000_000


@dataclass(frozen=True, eq=False)
class Proof:
    """What is known about an answer over a box.

    Attributes
    ----------
    status : {"proved", "refuted", "open"}
        The answer is the same in the whole box; it is another at `row`; neither was shown within the budget.
    low : float
        The form is nowhere in the box below it.
    value : float
        The form at `row`, the least seen.
    row : ndarray of shape (d,)
        A row in the box as the trees compare it, NaN where it is missing.
    n_leaves : int
        Leaves looked at.
    """

    status: ProofStatus
    low: float
    value: float
    row: Floats
    n_leaves: int


@dataclass(frozen=True, eq=False)
class Block:
    """Columns that take some tuples of values only: the 0/1 columns of a feature's levels, or one column's codes.

    Attributes
    ----------
    columns : ndarray of int, shape (g,)
    values : ndarray of shape (v, g)
        As compared with thresholds; at least one.
    """

    columns: Ints
    values: Floats

    def compatible(self, boxes: ValueBoxes) -> Bools:
        """Tell which tuples lie in each box: shape (m, v)."""
        lower, upper = boxes.lower[:, None, self.columns], boxes.upper[:, None, self.columns]
        inside: Bools = (self.values >= lower) & (self.values <= upper)
        return np.logical_and.reduce(inside, axis=2)


def prove_answer(
    trees: Ensemble, forms: list[Form], box: ValueBoxes, *, blocks: tuple[Block, ...] = (), budget: int = BUDGET
) -> Proof:
    """Prove that all forms of an answer stay above 0 in a box, or find a row at which one does not.

    Parameters
    ----------
    trees : Ensemble
    forms : list of Form
        From `class_forms` or `interval_forms`.
    box : ValueBoxes
        One.
    blocks : tuple of Block
        Rows outside them are not of the box; its columns of blocks have no missing values.
    budget : int
        Leaves looked at, about.

    Returns
    -------
    Proof
        Of the form that is refuted, else of the one with the least `low`.

    Notes
    -----
    Sound with a slack for the rounding of sums: forms within it of 0 are neither above nor below. Rows need not
    be likely, or in the data: the columns that the box leaves open take every value.
    """
    proofs: list[Proof] = []
    for form in forms:
        spent = sum(proof.n_leaves for proof in proofs)
        proof = _prove(trees, form, box, blocks, (budget - spent) // (len(forms) - len(proofs)))
        proofs.append(proof)
        if proof.status == "refuted":
            break
    least = next((one for one in proofs if one.status == "refuted"), min(proofs, key=lambda one: one.low))
    return Proof(least.status, least.low, least.value, least.row, sum(proof.n_leaves for proof in proofs))


def _prove(trees: Ensemble, form: Form, box: ValueBoxes, blocks: tuple[Block, ...], budget: int) -> Proof:
    search = _Search(trees, form, box, blocks)
    while search.least_open <= form.slack and search.value >= -form.slack and search.n_leaves < budget:
        step()
        search.part_lowest()
    low = min(search.least_open, search.settled)
    status = "refuted" if search.value < -form.slack else "proved" if low > form.slack else "open"
    return Proof(status, low, search.value, search.row, search.n_leaves)


class _Search:
    """Parts of a box still open, with the least the form can be in each."""

    def __init__(self, trees: Ensemble, form: Form, box: ValueBoxes, blocks: tuple[Block, ...]) -> None:
        self.trees, self.form, self.blocks = trees, form, blocks
        self.boxes = box.take(np.empty(0, dtype=np.int64))
        self.low, self.cut, self.column = np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)
        self.settled, self.value, self.row = np.inf, np.inf, np.full(box.lower.shape[1], np.nan)
        self.n_leaves, self.leaves_of_one = 0, 1
        self.enclose(box)

    def enclose(self, boxes: ValueBoxes) -> None:
        """Bound the form in boxes, and look at it in one row of each."""
        boxes = self._narrow(boxes)
        if boxes.n == 0:
            return
        ranges = enclose_sums(self.trees, self.form.values, boxes)
        self.n_leaves += ranges.n_leaves
        self.leaves_of_one = max(1, ranges.n_leaves // boxes.n)
        self._look_at(boxes)
        self._keep(boxes, ranges)

    @property
    def least_open(self) -> float:
        """The least that the form may be in a part that can be parted further; ∞ if there is none."""
        return float(self.low.min(initial=np.inf))

    def part_lowest(self) -> None:
        """Part the boxes in which the form may be least."""
        n = min(MOST_BOXES, max(1, MOST_LEAVES // self.leaves_of_one))
        chosen = np.argsort(self.low, kind="stable")[:n]
        chosen = chosen[self.low[chosen] <= self.form.slack]
        parts = part(self.trees, self.boxes.take(chosen), self.column[chosen], self.cut[chosen])
        rest = np.setdiff1d(np.arange(len(self.low)), chosen)
        self._take(self.boxes.take(rest), self.low[rest], self.column[rest], self.cut[rest])
        self.enclose(parts)

    def _narrow(self, boxes: ValueBoxes) -> ValueBoxes:
        """Cut boxes to the values that their blocks leave, and drop those in which a block has none."""
        for block in self.blocks:
            compatible = block.compatible(boxes)
            some = np.flatnonzero(np.logical_or.reduce(compatible, axis=1))
            boxes, open_ = boxes.take(some), compatible[some][:, :, None]
            boxes.lower[:, block.columns] = np.where(open_, block.values, np.inf).min(axis=1)
            boxes.upper[:, block.columns] = np.where(open_, block.values, -np.inf).max(axis=1)
        return boxes

    def _keep(self, boxes: ValueBoxes, ranges: SumRanges) -> None:
        low = ranges.low + self.form.offset
        single = ranges.column < 0
        self.settled = min(self.settled, float(low[single].min(initial=np.inf)))
        more = np.flatnonzero(~single)
        self._take(
            self.boxes.joined(boxes.take(more)),
            np.concatenate([self.low, low[more]]),
            np.concatenate([self.column, ranges.column[more]]),
            np.concatenate([self.cut, ranges.cut[more]]),
        )

    def _take(self, boxes: ValueBoxes, low: Floats, column: Ints, cut: Floats) -> None:
        self.boxes, self.low, self.column, self.cut = boxes, low, column, cut

    def _look_at(self, boxes: ValueBoxes) -> None:
        rows = middle_rows(self.trees, boxes)
        for block in self.blocks:
            rows[:, block.columns] = block.values[block.compatible(boxes).argmax(axis=1)]
        found = np.full(len(rows), self.form.offset)
        for node in self.trees.leaves(rows):
            found += self.form.values[node]
        least = int(found.argmin())
        if found[least] < self.value:
            self.value, self.row = float(found[least]), rows[least]


def middle_rows(trees: Ensemble, boxes: ValueBoxes) -> Floats:
    """Return a row in each box: in the middle, at the end where one side is open, 0 where both are."""
    lower, upper = boxes.lower, boxes.upper
    least, most = np.where(np.isfinite(lower), lower, upper), np.where(np.isfinite(upper), upper, lower)
    with np.errstate(invalid="ignore"):
        middle = np.where(np.isfinite(least), least / 2 + most / 2, 0.0)
    levels = list(trees.split_by_levels)
    middle[:, levels] = np.floor(middle[:, levels])
    return np.where(lower <= upper, middle, np.nan)
