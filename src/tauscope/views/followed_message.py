"""The population that a view was answered in, as the messages of several views have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from tauscope.results.reliability import level_of
from tauscope.results.stress.by_group import UNMOVED
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.reliability import LEVELS, Level
from tauscope.views.shared_stress import StressState, unstressed
from tauscope.views.study_columns import in_memory
from tauscope.views.wire import Absent, AnsweredMessage, NotEmpty, finite

if TYPE_CHECKING:
    from tauscope.results.base import Study

OF_CHUNKS = "sliders weight all rows anew at each move, and these came in chunks"


class GroupedMessage(TypedDict):
    """What stays of a view of metrics in groups, whatever the population.

    `by` is what groups are told apart by, "" without, when `groups` has one "" of all rows. `offline` says why no other
    population can be asked for, "" where one can.
    """

    version: Literal[1]
    title: str
    n_rows: int
    by: str
    groups: Annotated[list[str], NotEmpty("name a group")]
    confidence: float
    interval: str
    offline: str


class FollowedMessage(AnsweredMessage, total=False):
    """A population, as several views follow it.

    `stress` is what views share, unstressed of the result's own population, which `moved` says to be another than the
    rows as tested. `aside` follows its `words`: which groups are on their way, or cannot be had. `doubt` is what of the
    weights speaks against any number.
    """

    moved: bool
    aside: str
    level: Annotated[Level, Absent("reliable")]
    doubt: str


def followed_message(
    population: str, ess: float, moved: Reweighting | None, stress: StressState | None = None
) -> FollowedMessage:
    """Encode the population of a result, under the stress that views share where it is of one."""
    judged = None if moved is None else moved._judged
    return {
        "stress": stress or unstressed(),
        "error": "",
        "moved": moved is not None,
        "words": "the data as they are" if population == UNMOVED else population.partition(";")[0],
        "ess": float(ess),
        "kl": 0.0 if moved is None else float(moved.kl),
        "tv": 0.0 if moved is None else float(moved.tv),
        "pareto_k": 0.0 if moved is None else finite(moved.pareto_k),
        "level": LEVELS[0] if judged is None else level_of(judged.reason),
        "doubt": "" if judged is None else judged.words,
    }


def offline_words(source: Study | None, *, kernel: bool, no_kernel: str, no_study: str) -> str:
    """Say why a view can be answered under no other stress; "" where it can."""
    if not kernel:
        return no_kernel
    if source is None:
        return no_study
    return "" if in_memory(source) else OF_CHUNKS
