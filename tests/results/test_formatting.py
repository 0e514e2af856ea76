import math
import re

import numpy as np
import pytest

from tauscope.results.formatting import (
    aligned,
    decimals,
    distinct,
    distinct_shares,
    fixed,
    number,
    percentile,
    points,
    share,
    share_below,
    signed,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (38.84, "38.8"),
        (1081.9, "1,082"),
        (999.6, "1,000"),
        (-0.0321, "−0.0321"),
        (0.0, "0"),
        (-0.0, "0"),
        (1.5e12, "1.5e+12"),
        (1e-9, "1e−09"),
        (math.nan, "–"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
    ],
)
def test_number(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0315, "3.15 %"),
        (0.031478, "3.14 %"),
        (0.29, "29 %"),
        (0.09996, "9.99 %"),
        (0.000123987, "0.0123 %"),
        (1.0, "100 %"),
        (0.0, "0 %"),
        (math.inf, "∞ %"),
        (math.nan, "–"),
    ],
)
def test_a_safe_share_is_never_rounded_up(value, text):
    assert share_below(value) == text


def test_shares_and_points():
    assert share(0.19937) == "19.9 %"
    assert share(1.0) == "100 %"
    assert share(math.nan) == "–"
    assert points(-0.0281) == "−2.81 pt"
    assert points(math.nan) == "–"


@pytest.mark.parametrize(
    ("value", "n", "text"),
    [
        (3.58, 1, "3.6"),
        (12, 1, "12.0"),
        (1234.56, 0, "1,235"),
        (-0.031, 2, "−0.03"),
        (-0.001, 2, "0.00"),
        (math.nan, 1, "–"),
        (-math.inf, 1, "−∞"),
    ],
)
def test_fixed(value, n, text):
    assert fixed(value, n) == text


@pytest.mark.parametrize(("span", "n"), [(95, 1), (100, 0), (9.9, 2), (0.04, 4), (5000, 0), (0, 2), (math.nan, 2)])
def test_decimals_for_a_span(span, n):
    assert decimals(span) == n


@pytest.mark.parametrize(
    ("text", "with_sign"), [("2.8 pt", "+2.8 pt"), ("−1", "−1"), ("–", "–"), ("0 pt", "0 pt"), ("0.00 pt", "0.00 pt")]
)
def test_signed(text, with_sign):
    assert signed(text) == with_sign


@pytest.mark.parametrize(
    ("level", "words"),
    [
        (0.99, "99th"), (0.998, "99.8th"), (0.01, "1st"), (0.02, "2nd"), (0.03, "3rd"),
        (0.11, "11th"), (0.12, "12th"), (0.93, "93rd"), (0.95, "95th"),
    ],
)  # fmt: skip
def test_percentile(level, words):
    assert percentile(level) == f"{words} percentile"


def test_columns_are_as_wide_as_their_widest_cell_and_lines_end_with_words():
    assert aligned([("a", "bb", ""), ("ccc", "d", "e")]) == ["a    bb", "ccc  d   e"]


@pytest.mark.parametrize(
    ("value", "other", "words"),
    [
        (45, 38.58, ("45.0", "38.6")),
        (50.0, 33.08, ("50.0", "33.1")),
        (3045.3, 1077.6, ("3,045", "1,078")),
        (0.05, 0.1466, ("0.050", "0.147")),
        (0, 11.63, ("0.0", "11.6")),
        (-0.0001, 12, ("0.0", "12.0")),
        (-5, 5, ("−5.00", "5.00")),
        (1000.25, 1000.5, ("1,000.25", "1,000.50")),
        (7, 7, ("7.00", "7.00")),
        (0, 0, ("0", "0")),
        (2e12, 1e12, ("2e+12", "1e+12")),
        (2e-6, 1e-6, ("0.00000200", "0.00000100")),
        (math.nan, 1, ("–", "1.00")),
    ],
)
def test_two_values_have_the_same_decimals(value, other, words):
    assert distinct(value, other, even=True) == words


SIZES = [10.0**power for power in range(-12, 13)]


def pairs():
    random = np.random.default_rng(0)
    for size in SIZES:
        for gap in (1e-11, 1e-8, 1e-5, 1e-3, 0.3, 2.0):
            one = size * random.uniform(-1, 1)
            yield one, one + gap * abs(one)
            yield -size, size * gap
            yield size, 0.0


@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("write", [distinct, distinct_shares])
def test_values_that_differ_differ_in_words_and_no_zero_has_a_sign(write, even):
    for one, other in pairs():
        if write is distinct_shares and not 1e-10 < max(abs(one), abs(other)) <= 1:
            continue
        texts = write(one, other, even=even)
        assert (texts[0] == texts[1]) == (one == other or abs(one - other) < 1e-12 * max(abs(one), abs(other)))
        assert not any(re.fullmatch(r"−0(\.0*)?( %)?", text) for text in texts), (one, other)
        if all(1e-8 < abs(value) < 1e8 or value == 0 for value in (one, other)):
            assert not any("e" in text for text in texts), (one, other)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((-119.57, -120.13), ("−119.57", "−120.13")),
        ((35.6012, 35.6413), ("35.601", "35.641")),
        ((38.58, 43.2), ("38.6", "43.2")),
        ((0.1, 2.7e-8), ("0.1", "0")),
        ((0.1, -1.33e-16), ("0.1", "0")),
        ((2.0, 2.0 + 1e-15), ("2", "2")),
    ],
)
def test_a_move_is_told_and_a_residue_is_not(values, words):
    assert distinct(*values) == words


def test_what_rounding_leaves_of_a_share_is_nothing():
    assert share(2.23e-308) == share(-1.33e-16) == "0 %"
    assert points(-1.33e-16) == "0 pt"
    assert number(2.7e-8) == "0.000000027"
