"""A sum of decision trees as arrays, whatever library grew them."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from tauscope.weights.arrays import Bools, Floats, Ints

Compared = NDArray[np.float64 | np.float32]

LinkFunction = Literal["identity", "logistic", "softmax", "exponential"]
ROUNDING = 1e-12
"""Of all that can be added up: how far a sum in double precision may be off by the order of its terms."""
LINKED = 4.0
"""What the rounding of a probability near ½, where it rises by ¼ as fast as its margin, adds to that."""


@dataclass(frozen=True)
class Ensemble:
    """Trees laid end to end; a row's answer is link(offset + the sum of its leaves' values).

    Attributes
    ----------
    roots : ndarray of shape (n_trees + 1,)
        First node of each tree, and the number of nodes.
    feature : ndarray of shape (n_nodes,)
        Column compared; −1 at a leaf.
    threshold : ndarray of shape (n_nodes,)
        A row goes left where its value is at most this.
    missing_left : ndarray of bool, shape (n_nodes,)
        Where a missing value goes.
    category : ndarray of shape (n_nodes,)
        Row of `left_levels` for a split on levels; −1 for one on a threshold.
    left_levels : ndarray of bool, shape (n_category_splits, n_levels)
        Whether a code goes left.
    left, right : ndarray of shape (n_nodes,)
        Children; a node itself at a leaf.
    value : ndarray of shape (n_nodes, k)
        What a leaf adds, to outputs `first_output` … `first_output` + k − 1.
    first_output : ndarray of shape (n_nodes,)
    offset : ndarray of shape (q,)
    link : {"identity", "logistic", "softmax", "exponential"}
        "logistic" makes two responses of one output.
    single_precision : bool
        Whether values are rounded to float32 before they are compared; thresholds are then float32 numbers too.
    outputs : tuple of int or None
        Responses kept after a link; None: all.
    single_sums : bool
        Whether the library adds the leaves up in single precision; here they are added in double precision.
    """

    roots: Ints
    feature: Ints
    threshold: Floats
    missing_left: Bools
    category: Ints
    left_levels: Bools
    left: Ints
    right: Ints
    value: Floats
    first_output: Ints
    offset: Floats
    link: LinkFunction
    single_precision: bool
    outputs: tuple[int, ...] | None = None
    single_sums: bool = False

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.roots) - 1

    @property
    def rounding(self) -> float:
        """How far the library's own sums may be off: a share of all that can be added up."""
        return (self.n_trees + 8) * float(np.finfo(np.float32).epsneg) if self.single_sums else ROUNDING

    def slack(self, values: Floats, offset: float) -> float:
        """Return how close to 0 a sum of leaves can be while the library's own is on the other side.

        Parameters
        ----------
        values : ndarray of shape (n_nodes,)
            What a leaf adds.
        offset : float
        """
        size = abs(offset) + float(np.maximum.reduceat(np.abs(values), self.roots[:-1]).sum())
        return self.rounding * (size if self.link == "identity" else size + LINKED)

    @property
    def split_by_levels(self) -> frozenset[int]:
        """Columns some split of which is on levels."""
        return frozenset(int(column) for column in np.unique(self.feature[self.category >= 0]))

    def blocks(self, n_nodes: int) -> list[tuple[int, int]]:
        """First and last-plus-one tree of runs of trees of at most `n_nodes` nodes, or of one tree."""
        runs: list[tuple[int, int]] = []
        first = 0
        for tree in range(1, self.n_trees + 1):
            if tree == self.n_trees or self.roots[tree + 1] - self.roots[first] > n_nodes:
                runs.append((first, tree))
                first = tree
        return runs

    def only(self, outputs: tuple[int, ...]) -> "Ensemble":
        """Keep some responses, in the order given."""
        if self.link != "identity":
            kept = outputs if self.outputs is None else tuple(self.outputs[output] for output in outputs)
            return replace(self, outputs=kept)
        columns = np.array(outputs, dtype=np.int64)
        offset = self.offset[columns]
        if self.value.shape[1] == len(self.offset):
            return replace(self, value=self.value[:, columns], offset=offset)
        place = np.full(len(self.offset), -1, dtype=np.int64)
        place[columns] = np.arange(len(columns))
        first_output = place[self.first_output]
        # trees that add to other responses stay, and add nothing
        value = np.where(first_output[:, None] < 0, 0.0, self.value)
        return replace(self, value=value, first_output=np.maximum(first_output, 0), offset=offset)

    @property
    def columns_used(self) -> frozenset[int]:
        """Columns that some split is on."""
        return frozenset(int(column) for column in np.unique(self.feature[self.feature >= 0]))

    def following(self, values: Floats) -> Floats:
        """Return the least value above each, among those the trees compare."""
        if not self.single_precision:
            return np.nextafter(values, np.inf)
        return np.nextafter(values.astype(np.float32), np.float32(np.inf)).astype(np.float64)

    def compared(self, values: Floats) -> Compared:
        """Values as they are compared with thresholds."""
        return values.astype(np.float32) if self.single_precision else values

    def goes_left(self, nodes: Ints, values: Compared) -> Bools:
        """Whether each value goes left at its node, both of shape (m,)."""
        left = values <= self.threshold[nodes]
        of_levels = self.category[nodes] >= 0
        if of_levels.any():
            has_level = of_levels & ~np.isnan(values)
            left[has_level] = self.left_levels[self.category[nodes[has_level]], values[has_level].astype(np.int64)]
        missing = np.isnan(values)
        left[missing] = self.missing_left[nodes[missing]]
        return left

    def raw(self, rows: Floats) -> Floats:
        """Offset plus the leaves' sum, by plain descent: shape (q, n_rows)."""
        total = np.repeat(self.offset[:, None], len(rows), axis=1)
        everyone = np.arange(len(rows))
        for node in self.leaves(rows):
            for k in range(self.value.shape[1]):
                total[self.first_output[node] + k, everyone] += self.value[node, k]
        return total

    def leaves(self, rows: Floats) -> Ints:
        """Leaf that each row reaches in each tree, by plain descent: shape (n_trees, n_rows)."""
        compared = self.compared(rows)
        leaves = np.repeat(self.roots[:-1, None], len(rows), axis=1)
        for node in leaves:
            while True:
                inner = np.flatnonzero(self.feature[node] >= 0)
                if len(inner) == 0:
                    break
                at = node[inner]
                left = self.goes_left(at, compared[inner, self.feature[at]])
                node[inner] = np.where(left, self.left[at], self.right[at])
        return leaves

    def margin(self, answer: float) -> float:
        """Raw output of an answer that is one of a single output; −∞ or ∞ where all answers are above or below it."""
        if self.link == "logistic":
            return float(np.asarray(special.logit(min(max(answer, 0.0), 1.0)), dtype=np.float64))
        if self.link == "exponential":
            return float(np.log(answer)) if answer > 0 else -np.inf
        return answer

    def answers(self, raw: Floats) -> Floats:
        """Responses from raw outputs: shape (q', …) from (q, …)."""
        if self.link == "identity":
            return raw
        if self.link == "logistic":
            positive = np.asarray(special.expit(raw[0]), dtype=np.float64)
            transformed = np.stack([1 - positive, positive])
        elif self.link == "softmax":
            transformed = np.asarray(special.softmax(raw, axis=0), dtype=np.float64)
        else:
            transformed = np.exp(raw)
        return transformed if self.outputs is None else transformed[list(self.outputs)]
