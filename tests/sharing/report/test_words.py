import pytest

from tauscope.sharing.report.words import apart, changed, interval, relied, short_number, stated, written
from tauscope.stress.metrics import Metric

RATE, VALUE = Metric("error_rate", "error rate", "share"), Metric("rmse", "RMSE", "value")


def test_numbers_and_their_intervals():
    assert (written(RATE, 0.147), written(VALUE, 0.147)) == ("14.7 %", "0.147")
    assert interval(RATE, 0.1, 0.2) == "10 % to 20 %"
    assert (changed(RATE, 0.02), changed(VALUE, -0.5)) == ("+2 pt", "−0.5")
    assert stated(RATE, 0.147, 0.1, 0.2, 0.95) == "14.7 % (95 % interval 10 % to 20 %)"


@pytest.mark.parametrize(
    ("level", "why", "words"),
    [
        ("reliable", "", "Reliable."),
        ("reliable", "not said", "Reliable."),
        ("wide", "", "Wide: read the interval, not the number."),
        ("unreliable", "unreliable: 3 rows carry 60 % of ESS", "Unreliable: 3 rows carry 60 % of ESS."),
        ("out of reach", "", "Out of reach of these rows."),
    ],
)
def test_how_far_a_number_is_relied_on(level, why, words):
    assert relied(level, why) == words


def test_intervals_that_touch_overlap():
    assert apart((0.1, 0.2), (0.2, 0.3)) == apart((0.1, 0.4), (0.2, 0.3)) == "The two intervals overlap."
    assert apart((0.1, 0.2), (0.21, 0.3)) == apart((0.3, 0.4), (0.2, 0.29)) == "The two intervals do not overlap."


def test_code_has_six_digits():
    assert short_number(0.123456789) == 0.123457
    assert short_number(-0.5) == -0.5
