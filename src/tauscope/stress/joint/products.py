"""Products of long thin matrices, in pieces small enough that BLAS keeps each to one core.

Waking a second core for a product of a few columns costs more than it saves, and on a busy machine a hundred
times more: 39 columns of 2,051 rows took 61 ms instead of 1 with all cores taken.
"""

# Decided in docs/decisions/0029-no-compiled-code.md.

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SERIAL = 131_072  # multiplications per piece; OpenBLAS stays on one core up to twice as many


def over_rows(a: Array, b: Array) -> Array:
    """Return a bᵀ, the sum over rows.

    Parameters
    ----------
    a : ndarray of shape (p, n_rows)
        Contiguous along the rows.
    b : ndarray of shape (q, n_rows)

    Returns
    -------
    ndarray of shape (p, q)
    """
    (p, n), q = a.shape, len(b)
    piece = max(16, SERIAL // (p * q))
    n_pieces = n // piece
    cut = n_pieces * piece
    rest: Array = a[:, cut:] @ b[:, cut:].T
    if n_pieces:
        left = a[:, :cut].reshape(p, n_pieces, piece).transpose(1, 0, 2)
        right = b[:, :cut].reshape(q, n_pieces, piece).transpose(1, 2, 0)
        rest += np.matmul(left, right).sum(axis=0)
    return rest


def of_rows(a: Array, b: Array) -> Array:
    """Return a b for a few columns b.

    Parameters
    ----------
    a : ndarray of shape (n_rows, p)
        Contiguous along the columns.
    b : ndarray of shape (p, q)

    Returns
    -------
    ndarray of shape (n_rows, q)
    """
    n, (p, q) = len(a), b.shape
    piece = max(16, SERIAL // max(p * q, 1))
    n_pieces = n // piece
    cut = n_pieces * piece
    out = np.empty((n, q))
    if n_pieces:
        np.matmul(a[:cut].reshape(n_pieces, piece, p), b, out=out[:cut].reshape(n_pieces, piece, q))
    np.matmul(a[cut:], b, out=out[cut:])
    return out
