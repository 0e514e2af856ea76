import math

import pytest

from tauscope.results.formatting import aligned, decimals, fixed, number, percentile, points, share, share_below, signed


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
