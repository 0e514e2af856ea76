"""The sentence that says which population one is looking at."""

import pytest

from tauscope.results.stress.population import alike, population
from tauscope.stress.joint.terms import Term


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
        (2e-6, 1e-6, ("2e−06", "1e−06")),
        (float("nan"), 1, ("nan", "1")),
    ],
)
def test_two_values_are_written_alike(value, other, words):
    assert alike(value, other) == words


def test_every_kind_of_term_has_its_words():
    terms = (
        Term("mean", "age", 45, 38.58),
        Term("share", "sex = Female", 0.5, 0.3308),
        Term("variance", "age", 279, 186, held=False),
        Term("covariance", "age and hours", 0, 11.6),
        Term("moment", "over 60", 0.3, 0.072),
        Term("mean", "hours", 40.44, 40.44, held=True),
        Term("rows", "age", 0.9, 0.9, held=True),
    )
    words = population(terms, [term.required for term in terms], 4210.4, 6400)
    assert words == (
        "age 45.0 on average (was 38.6), sex = Female for 50.0 % of rows (was 33.1 %), "
        "variance of age 279 (was 186), covariance of age and hours 0.0 (was 11.6), "
        "over 60 0.300 (was 0.072), hours 40.4 on average as before; effective sample 4,210 of 6,400"
    )
