import numpy as np
import pytest
from hypothesis import given, strategies as st

from results.samples import made_by_hand, metric, reasons
from tauscope.figures.stress.panel import runs, spread, value_range
from tauscope.results.reliability import WIDE

heights = st.lists(st.floats(0, 100), max_size=12)


@given(heights, st.floats(0.1, 30))
@pytest.mark.slow
def test_labels_stay_in_range_in_order_and_apart(wanted, gap):
    positions = np.array(wanted)
    out = spread(positions, gap, 0, 100)
    n = len(positions)
    if n == 0:
        assert out.size == 0
        return
    settled = min(gap, 100 / max(1, n - 1))
    assert out.min() >= -1e-9
    assert out.max() <= 100 + 1e-9
    assert (np.diff(out[np.argsort(positions, kind="stable")]) >= settled - 1e-9).all()


@pytest.mark.slow
@given(heights)
def test_labels_apart_already_do_not_move(wanted):
    positions = np.array(sorted(set(np.round(wanted, -1))))
    np.testing.assert_allclose(spread(positions, 5, 0, 100), positions, atol=1e-9)


def test_two_labels_share_the_way():
    np.testing.assert_allclose(spread(np.array([50.0, 50.0]), 10, 0, 100), [45, 55])


def test_stretches_are_counted():
    result = made_by_hand(
        reason=reasons(["few_rows_beyond", "", "", "", "few_events"], ["few_events", "", "few_rows_beyond", "", ""])
    )
    assert runs(result, "a", "portion_1").tolist() == [-1, 0, 0, 0, -1]
    assert runs(result, "b", "portion_1").tolist() == [-1, 0, -1, 1, 1]
    assert runs(result, "a", "portion_1", WIDE).tolist() == [-1, 0, 0, 0, 0]
    assert runs(result, "b", "portion_1", WIDE).tolist() == [0, 0, -1, 1, 1]


def last(name):
    """Reasons of one feature of which only the last τ is not reliable."""
    return ["", "", "", "", name]


def test_range_ignores_unreliable_bands():
    lower, upper = np.full((2, 1, 5), 0.4), np.full((2, 1, 5), 0.6)
    upper[0, 0, -1] = 1.0
    result = made_by_hand(lower=lower, upper=upper, reason=reasons(last("few_rows_beyond"), [""] * 5))
    low, high = value_range(result, "portion_1", ["a", "b"], ["a"])
    assert (low, high) == (pytest.approx(0.1), pytest.approx(0.9))
    assert value_range(result, "portion_1", ["a"], ["a"]) == (pytest.approx(0.4), pytest.approx(0.6))


def test_a_wide_band_stretches_the_range_by_that_of_the_curves_at_most():
    lower, upper = np.full((2, 1, 5), 0.4), np.full((2, 1, 5), 0.6)
    upper[0, 0, -1] = 1.0
    result = made_by_hand(lower=lower, upper=upper, reason=reasons(last("few_events"), [""] * 5))
    assert value_range(result, "portion_1", ["a"], ["a"]) == (pytest.approx(0.4), pytest.approx(0.8))
    upper[0, 0, -1] = 0.7
    result = made_by_hand(lower=lower, upper=upper, reason=reasons(last("few_events"), [""] * 5))
    assert value_range(result, "portion_1", ["a"], ["a"]) == (pytest.approx(0.4), pytest.approx(0.7))


def test_grey_curves_count_where_they_can_be_read():
    value = np.array([[[0.4, 0.45, 0.5, 0.55, 0.6]], [[0.35, 0.4, 0.5, 0.7, 1.0]]])
    result = made_by_hand(value=value, reason=reasons([""] * 5, last("few_rows_beyond")))
    assert value_range(result, "portion_1", ["a"], [], ["b"]) == (0.35, 0.7)
    assert value_range(result, "portion_1", ["a", "b"], []) == (0.35, 1.0)
    assert value_range(result, "portion_1", [], [], ["b"]) == (0.35, 0.7)
    never = ["few_rows_beyond"] * 5
    nowhere = made_by_hand(value=value, reason=reasons(never, never))
    assert value_range(nowhere, "portion_1", [], [], ["b"]) == (0.35, 1.0)
    assert value_range(nowhere, "portion_1", ["a"], [], ["b"]) == (0.4, 0.6)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("share", 1.0, (0.95, 1.0)),
        ("share", 0.0, (0.0, 0.05)),
        ("value", 20.0, (19.0, 21.0)),
        ("value", 0.0, (-1.0, 1.0)),
        ("value", np.nan, (0.0, 1.0)),
    ],
)
def test_flat_curves_still_have_a_range(kind, value, expected):
    result = made_by_hand(metrics=(metric("i", kind),), value=np.full((2, 1, 5), value))
    assert value_range(result, "i", ["a", "b"], []) == pytest.approx(expected)
