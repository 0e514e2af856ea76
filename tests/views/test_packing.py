"""Buffers made small: nothing is lost but digits that nobody reads."""

import numpy as np
import pytest

from tauscope.views.packing import DRAWN, pack, pack_drawn, pack_floats, unpack


@pytest.mark.parametrize("kind", ["u1", "<u2", "<u4", "<f4"])
@pytest.mark.parametrize("lag", [1, 3, 50, 1000])
def test_integers_and_floats_come_back_bit_by_bit(kind: str, lag: int) -> None:
    values = np.random.default_rng(0).integers(0, 256, 480, dtype=np.uint8).view(kind)
    assert unpack(pack(values, lag)) == values.tobytes()


def test_nothing_is_packed_and_unpacked() -> None:
    assert unpack(pack(np.zeros(0, "<f4"))) == b""


def test_plain_bytes_stay_as_they_are() -> None:
    for plain in (b"", b"abc", np.array([1.5, np.nan, np.inf], "<f4").tobytes()):
        assert unpack(plain) == plain


def test_what_is_drawn_keeps_its_first_digits_and_what_is_no_number() -> None:
    values = np.array([0.0, -0.0, 1e-30, -0.123456789, 12345.678, 3e38, np.nan, np.inf, -np.inf])
    back = np.frombuffer(unpack(pack_drawn(values, 2)), "<f4")
    np.testing.assert_allclose(back, values, rtol=DRAWN)
    assert (back != values.astype("<f4")).any()


def test_the_largest_floats_become_infinite_and_no_other() -> None:
    assert np.frombuffer(unpack(pack_floats(np.array([1e300, 3e38]))), "<f4").tolist() == [np.inf, np.float32(3e38)]


def test_smooth_curves_are_a_third() -> None:
    tau = np.linspace(-1, 1, 101)
    curves = np.stack([0.1 + 0.05 * np.sin(tau + j) for j in range(60)])[..., None] + [0, -0.02, 0.02]
    assert len(pack_drawn(curves, 3)) < 4 * curves.size / 3
