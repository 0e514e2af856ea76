"""What a page cannot compute alone: other effects, and an effect under a stress of too many rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple, Required

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, TauscopeError
from tauscope.results.reliability import degrees_of_freedom
from tauscope.results.stress.numbers.joint_moments import joint_constraints
from tauscope.results.stress.numbers.population import changes
from tauscope.views.columns_message import columns_size
from tauscope.views.effects.moves import OF_MOVE, MoveMessage, compute_move
from tauscope.views.shared_stress import StressState
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import (
    Absent,
    AnsweredMessage,
    Block,
    CarriersMessage,
    Layout,
    carriers_message,
    distance_message,
    float32,
    layout_of,
)

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.spec import EffectKind
    from tauscope.results.stress.columns import StressColumns
    from tauscope.results.stress.reweight import Reweighting

Floats = NDArray[np.float64]
Choice = tuple[tuple[str, ...], "EffectKind"]
Progress = Callable[[int, int], object]


class EffectAnswerMessage(AnsweredMessage, total=False):
    """What the kernel found, and the state of the page that it answers.

    The floats are the weights of the rows where `weights` says so, and what each of `moves` says.
    """

    epsilon: Required[float]
    target_class: Required[str]
    features: Required[list[str]]
    kinds: Required[list[EffectKind]]
    carriers: Annotated[CarriersMessage, Absent({"n": 0, "share": 0})]
    df: float
    weights: Required[bool]
    moves: Required[list[MoveMessage]]
    layout: Layout


class Answer(NamedTuple):
    """An answer and its numbers."""

    message: EffectAnswerMessage
    floats: bytes


class Question(NamedTuple):
    """A state of the page: which effects, of which class, under which stress, at which distance."""

    features: tuple[str, ...]
    kinds: tuple[EffectKind, ...]
    target_class: str
    output: int
    stress: StressState
    epsilon: float


class EffectAnswers:
    """A study's effects, each computed once, when first requested.

    Parameters
    ----------
    effect : FeatureEffect
        The first.
    """

    def __init__(self, effect: FeatureEffect) -> None:
        self.first = effect
        self._effects: dict[Choice, FeatureEffect] = {choice_of(effect): effect}
        self._solved: tuple[StressState, Reweighting] | None = None

    @property
    def source(self) -> Study | None:
        """The study, to compute more; None where the effect has none."""
        return self.first.source

    @property
    def unstressable(self) -> str:
        """Why no stress can be shown; "" where one can."""
        if self.first._chunked:
            return "The rows came in chunks and were not kept: no stress can be shown on them."
        if self.source is None:
            return "This effect is under a stress of its own and does not follow another."
        try:
            _ = self.columns
        except InputError as error:  # no feature that can be moved, or rows that are not in memory
            return str(error)
        return ""

    @property
    def columns(self) -> StressColumns:
        """Every feature that can be moved."""
        assert self.source is not None
        return columns_of(self.source)

    def columns_within(self, budget: int) -> StressColumns:
        """Choose the columns that fit a number of bytes: those of numbers first, then shares of levels."""
        columns = self.columns
        if columns_size(columns) <= budget:
            return columns
        per_column = 4 * columns.n_rows
        n_columns = int((budget - (0 if columns.sample_weight is None else per_column)) // per_column)
        numbers_first = sorted(range(len(columns.features)), key=lambda k: columns.features[k].kind != "numeric")
        selected = sorted(numbers_first[: max(n_columns, 0)])
        return columns if not selected else _select_columns(columns, selected)

    def find(self, features: Sequence[str], kind: EffectKind) -> FeatureEffect | None:
        """Return an effect that is there already."""
        return self._effects.get((tuple(features), kind))

    def compute(self, features: Sequence[str], kind: EffectKind, progress: Progress) -> FeatureEffect | None:
        """Ask the model for another effect; None where `progress` wanted to stop before all rows were reached.

        Raises
        ------
        TauscopeError
            Where there is no such effect.
        """
        effect = self.first._recompute(features, kind, progress)
        if effect.status == "stopped":
            return None
        self._effects[tuple(features), kind] = effect
        return effect

    def answer(self, question: Question, *, weights: bool, without_rows: Sequence[EffectKind]) -> Answer:
        """Compute effects under a stress and their bounds.

        Parameters
        ----------
        question : Question
        weights : bool
            Whether the page takes the weights, to move what it has the rows of.
        without_rows : sequence of kinds
            Effects that the page has no rows of.

        Returns
        -------
        Answer
        """
        message: EffectAnswerMessage = {
            "stress": question.stress,
            "epsilon": question.epsilon,
            "target_class": question.target_class,
            "features": list(question.features),
            "kinds": list(question.kinds),
            "error": "",
            "weights": False,
            "moves": [],
            "layout": [],
        }
        try:
            solved = self.solve(question.stress)
        except TauscopeError as error:
            return Answer({**message, "error": str(error)}, b"")
        blocks: list[Floats] = []
        row_weights = None
        if solved is not None:
            row_weights = solved._row_weights("an effect under it")
            message = {
                **message,
                "words": changes(solved._terms, solved.values.tolist()),
                **distance_message(solved),
                "carriers": carriers_message(solved.carriers),
                "df": degrees_of_freedom(row_weights),
                "weights": weights,
            }
            if weights:
                blocks.append(row_weights)
                message["layout"] = layout_of([Block(("weights",), "row", row_weights.shape)])
        moves: list[MoveMessage] = []
        for kind in without_rows:
            effect = self.find(question.features, kind)
            if effect is not None:
                try:
                    numbers, move = compute_move(effect, question.output, question.epsilon, row_weights)
                except InputError as error:  # individual curves that passed the memory allowed were not kept
                    return Answer({**message, "weights": False, "moves": [], "error": str(error)}, b"")
                start = sum(block.size for block in blocks)
                blocks.append(numbers.ravel())
                move["layout"] = layout_of([Block(OF_MOVE, "field point", numbers.shape)], start=start)
                moves.append(move)
        message["moves"] = moves
        return Answer(message, float32(np.concatenate(blocks)) if blocks else b"")

    def solve(self, stress: StressState) -> Reweighting | None:
        """Solve a stress on all rows, the last one remembered; None where nothing is moved.

        Raises
        ------
        InputError
            Where no reweighting meets it.
        """
        if not stress["taus"]:
            return None
        if self._solved is not None and self._solved[0] == stress:
            return self._solved[1]
        if self.source is None:
            raise InputError(self.unstressable)
        constraints = joint_constraints(self.columns, stress["taus"], stress["hold"])
        assert constraints is not None
        solved = self.source.reweight(constraints, quantile=self.columns.quantile)
        if solved.status == "unconverged":
            raise InputError(solved.message)
        self._solved = (stress, solved)
        return solved


def _select_columns(columns: StressColumns, selected: list[int]) -> StressColumns:
    """Return some of the columns, in their order."""
    return replace(
        columns,
        features=tuple(columns.features[k] for k in selected),
        ends=tuple(columns.ends[k] for k in selected),
        low=columns.low[selected],
        mean=columns.mean[selected],
        high=columns.high[selected],
        sd=columns.sd[selected],
        n_missing=columns.n_missing[selected],
        notes=tuple(columns.notes[k] for k in selected),
    )


def choice_of(effect: FeatureEffect) -> Choice:
    """Return what a page calls an effect by: its features and kind."""
    return effect.feature_names, effect.kind
