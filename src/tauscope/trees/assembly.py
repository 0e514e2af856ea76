"""Trees that were read one by one, laid end to end."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tauscope.trees.ensemble import Ensemble, LinkFunction
from tauscope.trees.frames import numbers_of
from tauscope.trees.tree_model import Encode, TreeModel, UnreadableModel
from tauscope.weights.arrays import Bools, Floats, Ints

MOST_FLAGS = 2**26
"""Most codes of all splits on levels together: one byte each."""


@dataclass(frozen=True, eq=False)
class SingleTree:
    """One tree, its nodes numbered from 0, the root first.

    Attributes
    ----------
    feature, threshold, missing_left, left, right, value
        As in `Ensemble`.
    output : int
        First output that its leaves add to.
    levels : dict of int to ndarray of int
        The codes named by each node that splits on levels.
    """

    feature: Ints
    threshold: Floats
    missing_left: Bools
    left: Ints
    right: Ints
    value: Floats
    output: int = 0
    levels: dict[int, Ints] = field(default_factory=dict[int, Ints])


def lay_out(
    trees: Sequence[SingleTree],
    offset: Floats,
    link: LinkFunction,
    *,
    outputs: tuple[int, ...] | None = None,
    single_precision: bool = False,
    single_sums: bool = False,
    named_go_left: bool = True,
) -> Ensemble:
    """Lay trees end to end.

    Parameters
    ----------
    trees : sequence of SingleTree
    offset, link, outputs, single_precision, single_sums
        As in `Ensemble`.
    named_go_left : bool
        Whether the codes that a split on levels names go left, and all others right; or the other way round.

    Returns
    -------
    Ensemble
        With one code more than any split names, for levels that none does: see `encode_levels`.
    """
    if not trees:
        raise UnreadableModel("it has no trees")
    roots = np.concatenate([[0], np.cumsum([len(tree.feature) for tree in trees])]).astype(np.int64)
    named = [
        (root + node, codes)
        for root, tree in zip(roots[:-1], trees, strict=True)
        for node, codes in tree.levels.items()
    ]
    n_levels = 1 + max((int(codes.max(initial=-1)) + 1 for _, codes in named), default=-1)
    if n_levels * len(named) > MOST_FLAGS:
        raise UnreadableModel("its splits name too many levels")
    left_levels = np.full((len(named), n_levels), not named_go_left, dtype=np.bool_)
    category = np.full(int(roots[-1]), -1, dtype=np.int64)
    for split, (node, codes) in enumerate(named):
        category[node] = split
        left_levels[split, codes] = named_go_left
    return Ensemble(
        roots=roots,
        feature=np.concatenate([tree.feature for tree in trees]),
        threshold=np.concatenate([tree.threshold for tree in trees]),
        missing_left=np.concatenate([tree.missing_left for tree in trees]),
        category=category,
        left_levels=left_levels,
        left=np.concatenate([tree.left + root for tree, root in zip(trees, roots[:-1], strict=True)]),
        right=np.concatenate([tree.right + root for tree, root in zip(trees, roots[:-1], strict=True)]),
        value=np.concatenate([tree.value for tree in trees]),
        first_output=np.repeat([tree.output for tree in trees], np.diff(roots)).astype(np.int64),
        offset=offset,
        link=link,
        single_precision=single_precision,
        outputs=outputs,
        single_sums=single_sums,
    )


def encode_levels(trees: Ensemble, levels: Sequence[Sequence[Any]] | None = None) -> Encode:
    """Make the encoding of rows as given: levels as codes, and a code that no split names as the last one.

    `levels` as in `numbers_of`.
    """
    columns = sorted(trees.split_by_levels)
    unnamed = trees.left_levels.shape[1] - 1

    def encode(rows: Any) -> Floats:
        encoded = numbers_of(rows, levels)
        if not columns:
            return encoded
        codes = np.trunc(encoded[:, columns])
        named = np.isnan(codes) | ((codes >= 0) & (codes < unnamed))
        encoded[:, columns] = np.where(named, codes, unnamed)
        return encoded

    return encode


def as_tree_model(trees: Ensemble, n_columns: int, levels: Sequence[Sequence[Any]] | None = None) -> TreeModel:
    """Let trees take rows in the order of their columns; `levels` as in `numbers_of`."""
    if int(trees.feature.max(initial=-1)) >= n_columns:
        raise UnreadableModel("it splits on columns that it does not have")
    return TreeModel(trees, encode_levels(trees, levels), tuple(range(n_columns)))
