"""Buffers made small: nothing is lost but digits that nobody reads."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tauscope.views.packing import DRAWN, SAMPLE, pack, pack_bytes, pack_drawn, pack_floats, span_of, unpack


@pytest.mark.parametrize("kind", ["u1", "<u2", "<u4", "<f4"])
@pytest.mark.parametrize("lag", [0, 1, 3, 50, 1000])
def test_integers_and_floats_come_back_bit_by_bit(kind: str, lag: int) -> None:
    values = np.random.default_rng(0).integers(0, 256, 480, dtype=np.uint8).view(kind)
    assert unpack(pack(values, lag)) == values.tobytes()


def test_nothing_is_packed_and_unpacked() -> None:
    assert unpack(pack(np.zeros(0, "<f4"))) == b""


def test_plain_bytes_stay_as_they_are() -> None:
    for plain in (b"", b"abc", np.array([1.5, np.nan, np.inf], "<f4").tobytes()):
        assert unpack(plain) == plain


@pytest.mark.parametrize("n", [3 * SAMPLE, 5000])
def test_bytes_of_few_values_are_packed_once(n: int) -> None:
    plain = np.random.default_rng(0).integers(0, 16, n, dtype=np.uint8).tobytes()
    packed = pack_bytes(plain)
    assert len(packed) < 0.6 * len(plain)
    assert unpack(packed) == plain
    assert pack_bytes(packed) is packed


def test_what_deflates_in_a_part_alone_is_packed_too() -> None:
    many = np.random.default_rng(0).bytes(2 * SAMPLE)
    plain = many + bytes(2 * SAMPLE)
    assert unpack(pack_bytes(plain)) == plain
    assert len(pack_bytes(plain)) < 0.6 * len(plain)


@pytest.mark.parametrize("n", [3 * SAMPLE, 5000])
def test_what_does_not_deflate_and_what_is_short_stays_plain(n: int) -> None:
    for plain in (np.random.default_rng(0).bytes(n), bytes(100)):
        assert pack_bytes(plain) is plain


def drawn(values: NDArray[np.float64], axes: tuple[int, ...] = (-1,)) -> NDArray[np.float32]:
    return np.frombuffer(unpack(pack_drawn(values, 2, span_of(values, axes))), "<f4").reshape(values.shape)


def test_what_is_drawn_is_off_by_a_small_step_of_its_span_and_by_no_other_s() -> None:
    values = np.random.default_rng(0).normal(size=(3, 4, 50)) * np.array([1e-6, 1, 1e4])[:, None, None]
    back = drawn(values, (-2, -1))
    off = np.abs(back - values).max(axis=(1, 2)) / np.ptp(values, axis=(1, 2))
    assert (off <= DRAWN + 1e-6).all()
    assert (off > DRAWN / 8).all()


def test_what_is_no_number_stays_so_and_what_has_no_span_stays_as_it_is() -> None:
    values = np.array([[np.nan, np.inf, -np.inf, 0.25], [0.1, 0.1, 0.1, np.nan], [np.nan] * 4])
    np.testing.assert_array_equal(drawn(values), values.astype("<f4"))


def test_the_largest_numbers_are_packed_without_a_warning() -> None:
    assert drawn(np.array([-1.7e308, 1.7e308, 0.0])).tolist() == [-np.inf, np.inf, 0.0]


@pytest.mark.parametrize("far", [0.0, 0.5, 40.0])
@pytest.mark.parametrize("n_steps", [20, 200, 2_000, 9_000])
def test_every_number_reads_as_it_is(n_steps: int, far: float) -> None:
    values = far + np.random.default_rng(0).random((2, 40_000))
    unit = 10.0 ** int(np.log10(n_steps))
    # a float32 is itself off by a hundred-millionth of what it stands for
    clear = np.abs(values * unit % 1 - 0.5) > 1e-7 * (1 + far) * unit
    np.testing.assert_array_equal(np.round(drawn(values).astype(float) * unit)[clear], np.round(values * unit)[clear])


def test_the_largest_floats_become_infinite_and_no_other() -> None:
    assert np.frombuffer(unpack(pack_floats(np.array([1e300, 3e38]))), "<f4").tolist() == [np.inf, np.float32(3e38)]


def test_smooth_curves_are_a_third() -> None:
    tau = np.linspace(-1, 1, 101)
    curves = np.stack([0.1 + 0.05 * np.sin(tau + j) for j in range(60)])[..., None] + [0, -0.02, 0.02]
    assert len(pack_drawn(curves, 3, span_of(curves, (0, 1, 2)))) < 4 * curves.size / 3
