"""Buffers made small: a trait is copied into every saved notebook and page, as text a third longer than its bytes."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

PACKED = 0x7FC0545A
"""First four bytes of what is packed: as a float32 a NaN that no computation gives, with which no plain ones begin."""
HEADER = struct.Struct("<IBxH")
SHORT = 1024
"""Bytes that are sent as they are."""
SAMPLE = 32_768
"""Bytes looked at, in pieces, before many are packed."""
WORTH = 0.85
"""Share of their length that packed bytes must stay below: to unpack them costs the page time."""
DRAWN = 2.0**-16
"""How far a packed number that is drawn may be off, as a share of the span it is drawn over."""
SMALLEST = 1e-30
"""Span of what does not move."""
DECIMALS = 8
"""How many numbers of decimals, from the finest that the step resolves, are kept as they read."""


def pack(values: NDArray[np.generic], lag: int = 1) -> bytes:
    """Pack numbers of one, two or four bytes without loss.

    Parameters
    ----------
    values : ndarray
        Little-endian, in C order.
    lag : int
        How many places before a number its neighbour stands, which is nearly the same; 0 where there is none such.

    Returns
    -------
    bytes
        A header (what it is, bytes of a number, lag), then deflated: the differences of the bits between neighbours,
        first the lowest byte of each, then the next.
    """
    width = values.dtype.itemsize
    bits = np.ascontiguousarray(values).reshape(-1).view(f"<u{width}")
    steps = bits.copy()
    if lag > 0:
        steps[lag:] -= bits[:-lag]  # modulo, so that sums give them back
    planes = steps.view(np.uint8).reshape(-1, width).T
    return HEADER.pack(PACKED, width, lag) + zlib.compress(planes.tobytes(), 9)


def pack_bytes(plain: bytes) -> bytes:
    """Pack bytes of whatever numbers where much is saved; as they are, and what is packed already, where not.

    Columns of rows are of two kinds: few different values, often as places among them, which deflate to a half or less;
    and each row's own, which do not. A sample tells them apart, so that the latter cost no time.
    """
    if len(plain) < SHORT or is_packed(plain):
        return plain
    if len(plain) > 2 * SAMPLE:
        starts = np.linspace(0, len(plain) - SAMPLE // 8, 8).astype(int)
        sample = b"".join(plain[start : start + SAMPLE // 8] for start in starts)
        if len(zlib.compress(sample, 1)) > WORTH * len(sample):
            return plain
    packed = HEADER.pack(PACKED, 1, 0) + zlib.compress(plain, 6)
    return packed if len(packed) < WORTH * len(plain) else plain


def is_packed(given: bytes) -> bool:
    """Tell packed bytes from plain ones."""
    return len(given) >= HEADER.size and HEADER.unpack_from(given)[0] == PACKED


def pack_floats(values: NDArray[np.floating], lag: int = 1) -> bytes:
    """Pack numbers as float32, every bit of them."""
    with np.errstate(over="ignore"):
        return pack(values.astype("<f4"), lag)


def unpack(packed: bytes) -> bytes:
    """Return the bytes that were packed; plain ones as they are."""
    if not is_packed(packed):
        return packed
    _, width, lag = HEADER.unpack_from(packed)
    planes = np.frombuffer(zlib.decompress(packed[HEADER.size :]), np.uint8).reshape(width, -1)
    bits = np.ascontiguousarray(planes.T).view(f"<u{width}")[:, 0].copy()
    for first in range(lag):
        bits[first::lag] = np.cumsum(bits[first::lag], dtype=bits.dtype)
    return bits.tobytes()


def pack_drawn(values: NDArray[np.floating], lag: int, span: NDArray[np.floating]) -> bytes:
    """Pack numbers that are drawn and read, as float32 rounded to a small step of the span they are read over.

    Decimals that resolve that span into ten thousand or fewer read as they do of the numbers themselves: where the
    nearest multiple of the step would round to another decimal, the next one stands for it.

    Parameters
    ----------
    values : ndarray
    lag : int
        As of `pack`.
    span : ndarray, as `values` with axes of 1
        Such as `span_of` gives; the formats of a view take it of the values, not of their intervals.
    """
    shown = np.where(np.isfinite(values), values, np.nan)
    step = DRAWN * np.exp2(np.floor(np.log2(np.fmax(span, SMALLEST))))
    with np.errstate(over="ignore", invalid="ignore"):
        nearest = np.round(shown / step) * step
        other = np.where(nearest > shown, nearest - step, nearest + step)
        rounded = np.where(_reads_alike(shown, nearest, step), nearest, other)
    return pack_floats(np.where(np.isfinite(rounded), rounded, values), lag)


def span_of(values: NDArray[np.floating], axes: tuple[int, ...]) -> NDArray[np.floating]:
    """Return the largest finite value less the smallest, over some axes, which are kept; NaN where there is none."""
    finite = np.where(np.isfinite(values), values, np.nan)
    with np.errstate(over="ignore"):
        return np.fmax.reduce(finite, axis=axes, keepdims=True) - np.fmin.reduce(finite, axis=axes, keepdims=True)


def _reads_alike(
    values: NDArray[np.floating], rounded: NDArray[np.floating], step: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """Tell which read alike with every number of decimals a reader may get."""
    finest = np.floor(-np.log10(4 * step))
    alike = np.ones(values.shape, dtype=bool)
    for fewer in range(DECIMALS):
        unit = 10.0 ** (finest - fewer)
        alike &= np.round(values * unit) == np.round(rounded * unit)
    return alike
