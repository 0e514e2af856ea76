import numpy as np
import pytest

from tauscope.results.rules.columns import Condition, RuleColumn, exact, whole_above

AGE, RATE = RuleColumn("age", "number", integer=True), RuleColumn("rate", "number")
SEX = RuleColumn("sex", "levels", ("Female", "Male"))
JOB = RuleColumn("job", "levels", tuple("abcdefgh"))
DAY, WAIT = RuleColumn("day", "date"), RuleColumn("wait", "duration")
INF = np.inf


@pytest.mark.parametrize(
    ("column", "lower", "upper", "words"),
    [
        (AGE, 35.0, 46.0, "age from 36 to 46"),
        (AGE, 35.0, INF, "age ≥ 36"),
        (AGE, -INF, 46.0, "age ≤ 46"),
        (AGE, 35.0, 36.0, "age is 36"),
        (AGE, 2.0**54, INF, "age ≥ 18,014,398,509,481,988"),
        (RATE, 0.25, 1234.5, "0.25 < rate ≤ 1,234.5"),
        (RATE, 0.25, INF, "rate > 0.25"),
        (RATE, -INF, -3.0, "rate ≤ −3"),
        (RATE, -INF, INF, "any rate"),
        (SEX, -INF, 0.0, "sex is Female"),
        (SEX, -INF, INF, "any sex"),
        (JOB, 0.0, 3.0, "job is b, c or d"),
        (JOB, -INF, 6.0, "job is not h"),
        (WAIT, 2.0, INF, "wait > 2 days"),
        (DAY, 2015.5, INF, "day > 2015-07-02"),
    ],
)
def test_conditions_in_words(column, lower, upper, words):
    assert str(Condition(column, lower, upper, False, False, 0.0)) == words


@pytest.mark.parametrize(
    ("lower", "upper", "missing", "words", "is_open"),
    [
        (35.0, INF, True, "age ≥ 36, or missing", False),
        (35.0, INF, False, "age ≥ 36", False),
        (-INF, INF, False, "age is not missing", False),
        (-INF, INF, True, "any age", True),
        (INF, -INF, True, "age is missing", False),
        (INF, INF, True, "age is missing", False),
    ],
)
def test_conditions_of_columns_with_gaps(lower, upper, missing, words, is_open):
    condition = Condition(AGE, lower, upper, missing, True, np.nan)
    assert str(condition) == words
    assert condition.open == is_open


def test_levels_of_which_none_is_inside():
    condition = Condition(SEX, INF, INF, True, True, np.nan)
    assert (condition.missing_only, str(condition)) == (True, "sex is missing")


def test_bounds_are_ends_or_names():
    assert Condition(RATE, 0.25, INF, False, False, 1.0).bounds == (0.25, INF)
    assert Condition(JOB, 0.0, 2.0, False, False, 1.0).bounds == ("b", "c")
    assert Condition(SEX, -INF, 1.0, False, False, 1.0).open


def test_entries_read_as_a_person_s_values():
    assert (AGE.value(36.0), RATE.value(0.5), SEX.value(1.0), SEX.value(np.nan)) == (36, 0.5, "Male", None)
    assert (AGE.label(1036.0), SEX.label(0.0), RATE.label(np.nan)) == ("1,036", "Female", "missing")
    assert DAY.value(2015.5).month == 7


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5095.5, "5,095.5"),
        (-0.1234, "−0.1234"),
        (36.0, "36"),
        (1e-7, "0.0000001"),
        (-12345.25, "−12,345.25"),
        (-0.0, "0"),
    ],
)
def test_numbers_keep_their_digits(value, text):
    assert exact(value) == text


@pytest.mark.parametrize(
    ("value", "above"),
    [
        (35.0, 36),
        (35.2, 36),
        (-0.5, 0),
        (-3.0, -2),
        (2.0**53, 2**53 + 2),
        (-(2.0**54), 2 - 2**54),
        (-INF, -INF),
        (INF, INF),
    ],
)
def test_the_least_whole_number_above(value, above):
    assert whole_above(value) == above
