"""A box of rows in the model's own columns: ends of numbers, and the values that columns of levels can take."""

from dataclasses import dataclass, replace

import numpy as np

from tauscope.rules.proofs.proof import Block
from tauscope.weights.arrays import Bools, Floats


@dataclass(frozen=True, eq=False)
class RowBox:
    """Rows between two ends, those included.

    Attributes
    ----------
    lower, upper : ndarray of shape (p,)
        ±∞ where a side is open; lower > upper where only a missing value is left. Of columns of blocks they are not
        read.
    missing : ndarray of bool, shape (p,)
        Whether a value may be missing; of columns of blocks, besides the tuples they take.
    blocks : tuple of Block
        Columns of levels, or of a one-hot group, with the values they take in the box.
    """

    lower: Floats
    upper: Floats
    missing: Bools
    blocks: tuple[Block, ...] = ()

    @property
    def in_block(self) -> Bools:
        """Columns of blocks, shape (p,)."""
        inside = np.zeros(len(self.lower), dtype=np.bool_)
        for block in self.blocks:
            inside[block.columns] = True
        return inside

    def present(self, column: int) -> "RowBox":
        """Return the rows whose value in a column is not missing."""
        missing = self.missing.copy()
        missing[column] = False
        return replace(self, missing=missing)

    def absent(self, column: int) -> "RowBox":
        """Return the rows whose value in a column is missing."""
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[column], upper[column] = np.inf, -np.inf
        gone = [column in block.columns for block in self.blocks]
        blocks = (
            replace(block, values=np.full((1, len(block.columns)), np.nan)) if none else block
            for block, none in zip(self.blocks, gone, strict=True)
        )
        return replace(self, lower=lower, upper=upper, blocks=tuple(blocks))

    def inner_row(self) -> Floats:
        """Return a row of the box: at the lower end, at the upper one where that is open, 0 where both are."""
        lower, upper = self.lower, self.upper
        row = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper, np.clip(0.0, lower, upper)))
        row = np.where(lower <= upper, row, np.nan)
        for block in self.blocks:
            row[block.columns] = block.values[0]
        return row
