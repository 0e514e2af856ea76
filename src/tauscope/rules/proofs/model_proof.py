"""What is proved about a fitted model over a box of rows: read, enclosed, and asked itself about a counterexample."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from tauscope.pipelines.affine import AffineMap
from tauscope.pipelines.linear import Probes, read_linear
from tauscope.pipelines.trees import read_decision_trees
from tauscope.pipelines.unwrap import RowsOf, takes_own_levels, unwrap
from tauscope.rules.proofs.answers import class_forms, interval_forms
from tauscope.rules.proofs.boxes import RowBox
from tauscope.rules.proofs.linear_proof import prove_linear_class, prove_linear_interval
from tauscope.rules.proofs.proof import BUDGET, Proof, prove_answer
from tauscope.rules.proofs.seen import SeenBox, filled_columns, see_box
from tauscope.trees.ensemble import Ensemble
from tauscope.trees.ranges import ValueBoxes
from tauscope.trees.tree_model import TreeModel, UnreadableModel, classifies
from tauscope.weights.arrays import Floats
from tauscope.words import count

Status = Literal["proved", "refuted", "open", "none"]


MOST_FILLED = 6


@dataclass(frozen=True, eq=False)
class ModelProof:
    """What is known about a model's answer in a box.

    Attributes
    ----------
    status : {"proved", "refuted", "open", "none"}
        The model never answers otherwise in the box; it does at `row`, as it said when it was asked; not settled
        within the budget; the model cannot be read.
    kind : {"trees", "linear", ""}
        What the model was read as.
    row : ndarray of shape (p,) or None
        A row of the box that the model answers otherwise.
    reason : str
        Of "none": why.
    n_model_rows : int
        Rows the model was asked about.
    """

    status: Status
    kind: Literal["trees", "linear", ""]
    row: Floats | None = None
    reason: str = ""
    n_model_rows: int = 0


@dataclass(frozen=True)
class Answer:
    """What a rule says: a class, by its position among the model's, or an interval of values.

    Attributes
    ----------
    label : int
        −1 for values.
    low, high : float
        Ends of the values, included.
    """

    label: int = -1
    low: float = -np.inf
    high: float = np.inf

    def differs(self, answers: Any) -> bool:
        """Tell whether a model's answer to one row, a class's position or a value, is another."""
        answer = float(np.asarray(answers).ravel()[0])
        return answer != self.label if self.label >= 0 else not self.low <= answer <= self.high


def prove_model(
    estimator: Any,
    box: RowBox,
    answer: Answer,
    ask: Callable[[Floats], Any],
    probes: Floats,
    *,
    rows_of: RowsOf = None,
    budget: int = BUDGET,
) -> ModelProof:
    """Prove that a fitted model answers alike in a box, or find a row that it answers otherwise.

    Parameters
    ----------
    estimator : fitted estimator
        A tree ensemble, or linear model of scikit-learn, alone or behind affine steps and encoders.
    box : RowBox
        In the columns the estimator takes.
    answer : Answer
    ask : callable
        Rows (m, p) to the model's decisions: positions of classes, or values.
    probes : ndarray of shape (m, p)
        Rows at which what is read is compared with what the estimator answers.
    rows_of : callable, optional
        Rows (m, p) to those the estimator takes, where it begins by encoding levels.
    budget : int
        Leaves looked at, about.

    Returns
    -------
    ModelProof
    """
    asked = Probes(probes)
    try:
        proof = _prove(estimator, box, answer, ask, asked, rows_of, budget)
    except UnreadableModel as reason:
        proof = ModelProof("none", "", reason=str(reason))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        proof = ModelProof("none", "", reason=f"it is stored otherwise than is known here ({error})")
    return replace(proof, n_model_rows=proof.n_model_rows + asked.n_model_rows)


def _prove(
    estimator: Any,
    box: RowBox,
    answer: Answer,
    ask: Callable[[Floats], Any],
    probes: Probes,
    rows_of: RowsOf,
    budget: int,
) -> ModelProof:
    model, steps = unwrap(estimator, box.in_block, rows_of)
    tried = steps.transform(probes.points)
    own_rows = rows_of if steps.is_identity and box.in_block.any() and takes_own_levels(model) else None
    read = read_linear(model, tried, probes) or read_decision_trees(model, tried, probes, own_rows)
    kind = "trees" if isinstance(read, TreeModel) else "linear"
    if isinstance(read, TreeModel):
        steps = _encoded(read, steps, box)
    parts = _parts(box, filled_columns(steps, box).tolist())
    status: Status = "proved"
    for part in parts:
        seen = see_box(steps, part)
        if isinstance(read, TreeModel):
            proof = _prove_trees(read.trees, classifies(model), answer, seen, budget // len(parts))
        else:
            proof = _prove_linear(*read, answer, seen)
        if proof.status == "refuted":
            row = seen.row(proof.row)
            confirmed = answer.differs(ask(row[None]))
            return ModelProof("refuted" if confirmed else "open", kind, row if confirmed else None, "", 1)
        status = "open" if proof.status == "open" else status
    return ModelProof(status, kind)


def _parts(box: RowBox, columns: list[int]) -> list[RowBox]:
    """Part a box by which of some columns are missing, since what fills them need not lie between their ends."""
    if len(columns) > MOST_FILLED:
        raise UnreadableModel(
            f"missing values of {count(len(columns), 'column')} are filled in, more than {MOST_FILLED}"
        )
    parts = [box]
    for column in columns:
        parts = [side for part in parts for side in (part.present(column), part.absent(column))]
    return parts


def _prove_linear(coefficients: Floats, intercepts: Floats, answer: Answer, seen: SeenBox) -> Proof:
    ends = seen.lower, seen.upper
    if seen.missing.any():
        raise UnreadableModel("a linear model takes no missing values")
    if answer.label >= 0:
        return prove_linear_class(coefficients, intercepts, answer.label, *ends, blocks=seen.blocks)
    low, high = answer.low, answer.high
    return prove_linear_interval(coefficients[0], float(intercepts[0]), low, high, *ends, blocks=seen.blocks)


def _encoded(read: TreeModel, steps: AffineMap, box: RowBox) -> AffineMap:
    """Let the trees' own encoding follow the steps: columns of levels are codes, made of blocks."""
    order = np.argsort(read.column_of)
    matrix = steps.matrix[order].copy()
    for column in read.trees.split_by_levels:
        if (matrix[column] != 0)[~box.in_block].any():
            raise UnreadableModel("it splits on levels of a column that the box takes for numbers")
        matrix[column] = 0.0
    return AffineMap(matrix, steps.offset[order], lambda rows: read.encode(steps.transform(rows)))


def _prove_trees(trees: Ensemble, labels: bool, answer: Answer, seen: SeenBox, budget: int) -> Proof:
    forms = class_forms(trees, answer.label) if labels else interval_forms(trees, answer.low, answer.high)
    lower, upper = (trees.compared(end[None]).astype(np.float64) for end in (seen.lower, seen.upper))
    blocks = tuple(replace(block, values=trees.compared(block.values).astype(np.float64)) for block in seen.blocks)
    return prove_answer(trees, forms, ValueBoxes(lower, upper, seen.missing[None]), blocks=blocks, budget=budget)
