"""The sentence that says which population one is looking at."""

from tauscope.results.stress.numbers.population import population
from tauscope.stress.joint.terms import Term


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
