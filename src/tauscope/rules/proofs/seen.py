"""A box of rows as the model behind a pipeline sees it, and a row seen there told back in the person's columns.

Each column the model sees is made of one column, or one block, of the rows: the ends of a number's are found by
transforming the box's own ends, which rounds as the pipeline rounds, and those of a block by transforming each tuple of
values it takes.
"""

from dataclasses import dataclass

import numpy as np

from tauscope.pipelines.affine import AffineMap
from tauscope.rules.proofs.boxes import RowBox
from tauscope.rules.proofs.proof import Block
from tauscope.trees.tree_model import UnreadableModel
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class SeenBox:
    """What a model sees of a box.

    Attributes
    ----------
    lower, upper : ndarray of shape (d,)
    missing : ndarray of bool, shape (d,)
    blocks : tuple of Block
        In the same order as those of the rows, the tuples too; of those that the model sees at all.
    """

    lower: Floats
    upper: Floats
    missing: Bools
    blocks: tuple[Block, ...]
    _box: RowBox
    _steps: AffineMap
    _source: Ints
    _seen_blocks: Ints

    def row(self, seen: Floats) -> Floats:
        """Return a row of the box that the model sees as `seen`, but for rounding."""
        row = self._box.inner_row()
        for k in np.flatnonzero(self._source >= 0):
            j, slope = self._source[k], self._steps.matrix[k, self._source[k]]
            value = (seen[k] - self._steps.offset[k]) / slope
            gap = np.isnan(seen[k]) or self._box.lower[j] > self._box.upper[j]
            row[j] = np.nan if gap else np.clip(value, self._box.lower[j], self._box.upper[j])
        for block, place in zip(self.blocks, self._seen_blocks, strict=True):
            own: Block = self._box.blocks[int(place)]
            row[own.columns] = own.values[np.abs(block.values - seen[block.columns]).sum(axis=1).argmin()]
        return row


def see_box(steps: AffineMap, box: RowBox) -> SeenBox:
    """Transform a box.

    Raises
    ------
    UnreadableModel
        Where a step mixes columns, so that what the model sees of a box is none.
    """
    numbers = steps.matrix.copy()
    numbers[:, box.in_block] = 0.0
    if (np.count_nonzero(numbers, axis=1) > 1).any():
        raise UnreadableModel("a step before the model mixes columns, so that a box is none behind it")
    source = np.where(numbers.any(axis=1), np.argmax(numbers != 0, axis=1), -1)
    base, (lower, upper) = steps.transform(box.inner_row()[None])[0], _ends(steps, box)
    _open_sides(numbers, source, box, lower, upper)
    missing = _add_missing(steps, box, source, lower, upper)
    seen = [_see_block(steps, box, block, base) for block in box.blocks]
    for block in seen:
        lower[block.columns], upper[block.columns] = block.values.min(axis=0), block.values.max(axis=0)
    gone = np.isnan(base) & (source < 0)  # made of a block whose value is missing
    lower[gone], upper[gone], missing[gone] = np.inf, -np.inf, True
    columns = np.concatenate([block.columns for block in seen]) if seen else np.empty(0, dtype=np.int64)
    if len(np.unique(columns)) < len(columns) or (source[columns] >= 0).any():
        raise UnreadableModel(
            "a step before the model mixes levels with other columns, so that a box is none behind it"
        )
    places = [place for place, block in enumerate(seen) if len(block.columns)]
    blocks = tuple(seen[place] for place in places)
    return SeenBox(lower, upper, missing, blocks, box, steps, source, np.array(places, dtype=np.int64))


def filled_columns(steps: AffineMap, box: RowBox) -> Ints:
    """Find the columns of a box whose missing values are seen as a number, and those of blocks that may be missing."""
    in_block = np.flatnonzero(box.missing & box.in_block)
    gaps = np.flatnonzero(box.missing & ~box.in_block & (box.lower <= box.upper))
    inner = box.inner_row()
    rows = np.repeat(inner[None], len(gaps), axis=0)
    rows[np.arange(len(gaps)), gaps] = np.nan
    seen = np.isnan(steps.transform(np.concatenate([inner[None], rows])))
    return np.concatenate([gaps[(seen[1:] == seen[:1]).all(axis=1)], in_block])


def _ends(steps: AffineMap, box: RowBox) -> tuple[Floats, Floats]:
    """Transform the two ends, an open one as if it were the other."""
    inner = box.inner_row()
    rows = [
        np.where(np.isfinite(end) & ~box.in_block & (box.lower <= box.upper), end, inner)
        for end in (box.lower, box.upper)
    ]
    first, second = steps.transform(np.stack(rows))
    return np.fmin(first, second), np.fmax(first, second)


def _open_sides(numbers: Floats, source: Ints, box: RowBox, lower: Floats, upper: Floats) -> None:
    of_number = np.flatnonzero(source >= 0)
    rising = numbers[of_number, source[of_number]] > 0
    low, high = np.isneginf(box.lower[source[of_number]]), np.isposinf(box.upper[source[of_number]])
    lower[of_number[np.where(rising, low, high)]] = -np.inf
    upper[of_number[np.where(rising, high, low)]] = np.inf


def _add_missing(steps: AffineMap, box: RowBox, source: Ints, lower: Floats, upper: Floats) -> Bools:
    """Add what a missing value is seen as: missing, or the value a step fills in."""
    gaps = box.missing & ~box.in_block
    if not gaps.any():
        return np.zeros(len(lower), dtype=np.bool_)
    seen = steps.transform(np.where(gaps, np.nan, box.inner_row())[None])[0]
    possible = np.where(source >= 0, gaps[source], False)
    missing: Bools = possible & np.isnan(seen)
    none = (box.lower > box.upper)[np.maximum(source, 0)] & (source >= 0)
    filled = np.flatnonzero(possible & ~np.isnan(seen))
    lower[none], upper[none] = np.inf, -np.inf
    lower[filled], upper[filled] = np.minimum(lower[filled], seen[filled]), np.maximum(upper[filled], seen[filled])
    return missing


def _see_block(steps: AffineMap, box: RowBox, block: Block, base: Floats) -> Block:
    rows = np.repeat(box.inner_row()[None], len(block.values), axis=0)
    rows[:, block.columns] = block.values
    seen = steps.transform(rows)
    same = (seen == base) | (np.isnan(seen) & np.isnan(base))
    moved = np.flatnonzero(~np.logical_and.reduce(same, axis=0))
    # a block of one tuple moves nothing: what it is seen as is in the base already
    return Block(moved.astype(np.int64), seen[:, moved])
