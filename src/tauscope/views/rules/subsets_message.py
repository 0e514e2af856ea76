"""The sets of features that were tried for a row, by size and probability, as the page reads them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING, Annotated, TypedDict

from tauscope.views.wire import Each

if TYPE_CHECKING:
    from tauscope.results.rules.rules import Rules

MOST_OF_A_SIZE = 300
"""Sets of one size that are sent, the most probable."""


class SubsetsSizeMessage(TypedDict):
    """Sets of one size, the most probable first, each as positions in `features` with its probability.

    `minimal` are the places of those none of whose parts suffices, and `rules` the rule of each, −1 where it has none.
    `n_tried` were looked at, of `n_all` there are.
    """

    size: int
    n_tried: int
    n_all: int
    sets: Annotated[list[list[int]], Each("set")]
    sdp: Annotated[list[float], Each("set")]
    minimal: Annotated[list[int], Each("minimal set")]
    rules: Annotated[list[int], Each("minimal set")]


class SubsetsMessage(TypedDict):
    """Every size of which any set was tried; of a greedy search the sets on its way."""

    features: list[str]
    greedy: bool
    sizes: list[SubsetsSizeMessage]


def subsets_wire(result: Rules) -> SubsetsMessage:
    """Fill the message.

    Parameters
    ----------
    result : Rules

    Returns
    -------
    SubsetsMessage
    """
    explanation = result.explanation
    place = {column: k for k, column in enumerate(explanation._candidates)}
    by_size: defaultdict[int, list[tuple[float, tuple[int, ...]]]] = defaultdict(list)
    for subset, sdp in zip(explanation._numbers.subsets, explanation._numbers.sdp.tolist(), strict=True):
        by_size[len(subset)].append((sdp, subset))
    shown = explanation.minimal_sets[: len(result)]
    minimal = set(explanation.all_sets)
    return {
        "features": [explanation._columns[j].name for j in explanation._candidates],
        "greedy": explanation.greedy,
        "sizes": [_size(size, by_size[size], place, minimal, shown) for size in sorted(by_size)],
    }


def _size(
    size: int,
    tried: list[tuple[float, tuple[int, ...]]],
    place: dict[int, int],
    minimal: set[tuple[int, ...]],
    shown: Sequence[tuple[int, ...]],
) -> SubsetsSizeMessage:
    ranked = sorted(tried, key=lambda one: -one[0])
    kept = [one for k, one in enumerate(ranked) if k < MOST_OF_A_SIZE or one[1] in minimal]
    marked = [k for k, (_, subset) in enumerate(kept) if subset in minimal]
    return {
        "size": size,
        "n_tried": len(tried),
        "n_all": comb(len(place), size),
        "sets": [[place[j] for j in subset] for _, subset in kept],
        "sdp": [sdp for sdp, _ in kept],
        "minimal": marked,
        "rules": [shown.index(kept[k][1]) if kept[k][1] in shown else -1 for k in marked],
    }
