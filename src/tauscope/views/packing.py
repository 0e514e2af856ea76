"""Buffers made small: a trait is copied into every saved notebook and page, as text a third longer than its bytes."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

PACKED = 0x7FC0545A
"""First four bytes of what is packed: as a float32 a NaN that no computation gives, with which no plain ones begin."""
HEADER = struct.Struct("<IBxH")
BITS = 15
"""Of the mantissa of what is drawn: four digits and a half, where three are read."""
DRAWN = 2.0**-BITS
"""How far a packed number that is drawn may be off, as a share of it; half of it but for ties."""


def pack(values: NDArray[np.generic], lag: int = 1) -> bytes:
    """Pack numbers of one, two or four bytes without loss.

    Parameters
    ----------
    values : ndarray
        Little-endian, in C order.
    lag : int
        How many places before a number its neighbour stands, which is nearly the same.

    Returns
    -------
    bytes
        A header (what it is, bytes of a number, lag), then deflated: the differences of the bits between neighbours,
        first the lowest byte of each, then the next.
    """
    width = values.dtype.itemsize
    bits = np.ascontiguousarray(values).reshape(-1).view(f"<u{width}")
    steps = bits.copy()
    steps[lag:] -= bits[:-lag]  # modulo, so that sums give them back
    planes = steps.view(np.uint8).reshape(-1, width).T
    return HEADER.pack(PACKED, width, lag) + zlib.compress(planes.tobytes(), 9)


def pack_floats(values: NDArray[np.floating], lag: int = 1) -> bytes:
    """Pack numbers as float32, every bit of them."""
    with np.errstate(over="ignore"):
        return pack(values.astype("<f4"), lag)


def unpack(packed: bytes) -> bytes:
    """Return the bytes that were packed; plain ones as they are."""
    if len(packed) < HEADER.size or HEADER.unpack_from(packed)[0] != PACKED:
        return packed
    _, width, lag = HEADER.unpack_from(packed)
    planes = np.frombuffer(zlib.decompress(packed[HEADER.size :]), np.uint8).reshape(width, -1)
    bits = np.ascontiguousarray(planes.T).view(f"<u{width}")[:, 0].copy()
    for first in range(lag):
        bits[first::lag] = np.cumsum(bits[first::lag], dtype=bits.dtype)
    return bits.tobytes()


def pack_drawn(values: NDArray[np.floating], lag: int = 1) -> bytes:
    """Pack numbers that are drawn or read to three digits, as float32 rounded to five hundred-thousandths of each."""
    bits = values.astype("<f4").reshape(-1).view("<u4")
    step = np.uint32(1 << (23 - BITS))
    finite = np.isfinite(values.reshape(-1))
    rounded = np.where(finite, (bits + step // 2) // step * step, bits)
    return pack(rounded.astype("<u4"), lag)
