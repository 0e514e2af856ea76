"""Sets of rows as bits: one row, one bit; a set of 64 rows, one word."""

import sys

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.arrays import Bools, Floats, Ints, sums_by

Words = NDArray[np.uint64]
WORD = 64
DENSE = 0.5  # share of words in use above which all are looked at


def pack(flags: Bools) -> Words:
    """Pack flags (…, n) into words (…, ⌈n/64⌉), the rows beyond n not in the set."""
    n = flags.shape[-1]
    n_words = -(-n // WORD)
    packed = np.zeros((*flags.shape[:-1], n_words * 8), dtype=np.uint8)
    packed[..., : -(-n // 8)] = np.packbits(flags, axis=-1, bitorder="little")
    words = packed.view(np.uint64)
    return words if sys.byteorder == "little" else words.byteswap()


def as_bytes(words: Words) -> NDArray[np.uint8]:
    """Words (…, m) as bytes (…, 8m), the first rows' byte first."""
    ordered = words if sys.byteorder == "little" else words.byteswap()
    return np.ascontiguousarray(ordered).view(np.uint8)


def count(sets: Words) -> Floats:
    """Count the rows in each set (P, n_words): shape (P,)."""
    return np.bitwise_count(sets).sum(axis=1, dtype=np.int64).astype(np.float64)


class Weights:
    """Weights of rows, summed over sets of them eight rows at a time.

    Parameters
    ----------
    weights : ndarray of shape (n,)
    """

    def __init__(self, weights: Floats) -> None:
        n_words = -(-len(weights) // WORD)
        padded = np.zeros(n_words * WORD)
        padded[: len(weights)] = weights
        patterns = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        self._sums = (padded.reshape(-1, 8) @ patterns.T.astype(np.float64)).ravel()
        self._starts = 256 * np.arange(8 * n_words, dtype=np.int64)

    def total(self, sets: Words) -> Floats:
        """Weight of each set (P, n_words): shape (P,)."""
        used = np.flatnonzero(sets != 0)
        if len(used) > DENSE * sets.size:
            return self._sums[self._starts + as_bytes(sets)].sum(axis=1)
        set_of, word_of = np.divmod(used, sets.shape[1])
        octets = as_bytes(sets.ravel()[used, None])
        sums = self._sums[self._starts.reshape(-1, 8)[word_of] + octets].sum(axis=1)
        return sums_by(set_of, sums, len(sets))


def members(sets: Words) -> tuple[Ints, Ints]:
    """Every (set, row) with the row in the set, sets ascending."""
    used = np.flatnonzero(sets != 0)
    set_of, word_of = np.divmod(used, sets.shape[1])
    flags = np.unpackbits(as_bytes(sets.ravel()[used, None]), axis=1, bitorder="little")
    item, bit = np.divmod(np.flatnonzero(flags.view(np.bool_)), WORD)
    return set_of[item].astype(np.int64), (word_of[item] * WORD + bit).astype(np.int64)
