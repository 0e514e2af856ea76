"""Directions of many rows on one scale, as a table or each in columns of its own, and the sums that pooling takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from tauscope.weights.arrays import Bools, Floats, Ints

Part = Literal["all", "present", "absent"]
"""Rows that are summed over, for each feature: all, those that have it, those that have not."""


class DirectionRows(Protocol):
    """Directions s_i of n rows, each divided by its largest part."""

    @property
    def usable(self) -> Bools:
        """Rows with a direction, shape (n,)."""
        ...

    def lengths(self) -> Floats:
        """‖s_i‖, shape (n,)."""
        ...

    def along(self, unit: Floats) -> Floats:
        """u·s_i for a direction u of shape (p,), shape (n,)."""
        ...

    def mean(self, share: Floats, part: Part) -> Floats:
        """Σ_i w_i s_ij over a part of the rows, shape (p,)."""
        ...

    def spread(self, share: Floats, part: Part, centre: Floats, along: Floats) -> Floats:
        """Σ_i w_i² (s_ij − c_j a_i)² over all rows, s_ij being 0 outside the part; shape (p,)."""
        ...


@dataclass(frozen=True, eq=False)
class DirectionTable:
    """Directions of n rows in the same p columns.

    Attributes
    ----------
    value : ndarray of shape (n, p)
        Each divided by its largest part; 0 in rows without a direction.
    is_present : ndarray of bool, shape (n, p)
        Which features the rows have.
    usable : ndarray of bool, shape (n,)
    """

    value: Floats
    is_present: Bools
    usable: Bools

    @classmethod
    def scaled(cls, directions: Floats, is_present: Bools) -> "DirectionTable":
        """Divide each direction (n, p) by its largest part; NaN in rows without one."""
        largest = np.abs(directions).max(axis=1, initial=0)
        usable = largest > 0
        value = np.divide(directions, largest[:, None], out=np.zeros_like(directions), where=usable[:, None])
        return cls(value, is_present, usable)

    def lengths(self) -> Floats:
        """‖s_i‖, shape (n,)."""
        return np.linalg.norm(self.value, axis=1)

    def along(self, unit: Floats) -> Floats:
        """u·s_i, shape (n,)."""
        return self.value @ unit

    def mean(self, share: Floats, part: Part) -> Floats:
        """Σ_i w_i s_ij over a part of the rows, shape (p,)."""
        return share @ self._of(part)

    def spread(self, share: Floats, part: Part, centre: Floats, along: Floats) -> Floats:
        """Σ_i w_i² (s_ij − c_j a_i)² over all rows, shape (p,)."""
        return share**2 @ (self._of(part) - centre * along[:, None]) ** 2

    def n_present(self, used: Bools) -> Ints:
        """Count the rows used (n,) that have each feature, shape (p,)."""
        return (self.is_present & used[:, None]).sum(axis=0)

    def weighs_absent(self) -> Bools:
        """Tell which features weigh in a row that has them not, shape (p,)."""
        return (~self.is_present & (self.value != 0)).any(axis=0)

    def table(self) -> "DirectionTable":
        """Return the directions in the same columns: these."""
        return self

    def _of(self, part: Part) -> Floats:
        if part == "all":
            return self.value
        return np.where(self.is_present == (part == "present"), self.value, 0.0)


@dataclass(frozen=True, eq=False)
class SparseDirections:
    """Directions of n rows, each in columns of its own among p; elsewhere a direction is 0 and a feature absent.

    Attributes
    ----------
    row, column : ndarray of int, shape (m,)
        Of each entry.
    value : ndarray of shape (m,)
        The direction divided by its largest part; 0 in rows without one.
    is_present : ndarray of bool, shape (m,)
    usable : ndarray of bool, shape (n,)
    p : int
    """

    row: Ints
    column: Ints
    value: Floats
    is_present: Bools
    usable: Bools
    p: int

    @classmethod
    def scaled(
        cls, directions: Sequence[Floats], is_present: Sequence[Bools], places: Sequence[Ints], p: int
    ) -> "SparseDirections":
        """Divide each direction (p_i,) by its largest part; NaN in rows without one.

        Parameters
        ----------
        directions : sequence of n ndarray of shape (p_i,)
        is_present : sequence of n ndarray of bool, shape (p_i,)
        places : sequence of n ndarray of int, shape (p_i,)
            Where among the p columns those of each stand.
        p : int
        """
        tables = [
            DirectionTable.scaled(one[None], flags[None]) for one, flags in zip(directions, is_present, strict=True)
        ]
        return cls(
            np.repeat(np.arange(len(places)), [len(place) for place in places]),
            np.concatenate(places),
            np.concatenate([table.value[0] for table in tables]),
            np.concatenate(is_present),
            np.concatenate([table.usable for table in tables]),
            p,
        )

    def lengths(self) -> Floats:
        """‖s_i‖, shape (n,)."""
        return np.sqrt(np.bincount(self.row, self.value**2, len(self.usable)))

    def along(self, unit: Floats) -> Floats:
        """u·s_i, shape (n,)."""
        return np.bincount(self.row, self.value * unit[self.column], len(self.usable)).astype(np.float64)

    def mean(self, share: Floats, part: Part) -> Floats:
        """Σ_i w_i s_ij over a part of the rows, shape (p,)."""
        return self._by_column(share[self.row] * self._of(part))

    def spread(self, share: Floats, part: Part, centre: Floats, along: Floats) -> Floats:
        """Σ_i w_i² (s_ij − c_j a_i)² over all rows, shape (p,).

        The entries there are, and of the others, whose s_ij is 0, c_j² Σ w_i² a_i²: that of all rows less theirs.
        """
        moved = (share * along)[self.row]
        there = self._by_column((share[self.row] * self._of(part) - centre[self.column] * moved) ** 2)
        others = float(np.sum((share * along) ** 2)) - self._by_column(moved**2)
        return there + centre**2 * np.maximum(others, 0.0)

    def n_present(self, used: Bools) -> Ints:
        """Count the rows used (n,) that have each feature, shape (p,)."""
        return np.bincount(self.column[self.is_present & used[self.row]], minlength=self.p)

    def _of(self, part: Part) -> Floats:
        if part == "all":
            return self.value
        return np.where(self.is_present == (part == "present"), self.value, 0.0)

    def weighs_absent(self) -> Bools:
        """Tell which features weigh in a row that has them not, shape (p,)."""
        return self._by_column(~self.is_present & (self.value != 0)) > 0

    def table(self) -> DirectionTable:
        """Return the directions in the same columns, n × p numbers: for few rows."""
        value, is_present = np.zeros((len(self.usable), self.p)), np.zeros((len(self.usable), self.p), dtype=np.bool_)
        value[self.row, self.column], is_present[self.row, self.column] = self.value, self.is_present
        return DirectionTable(value, is_present, self.usable)

    def _by_column(self, values: Floats) -> Floats:
        return np.bincount(self.column, values, self.p).astype(np.float64)
