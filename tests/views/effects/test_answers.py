from results.samples import binary_study
from tauscope.study.stress.columns import stress_columns
from tauscope.views.effects.answers import constraints_of
from tauscope.views.shared_stress import unstressed


def test_unstressed_has_no_constraints():
    study = binary_study()
    assert constraints_of(unstressed(), study, stress_columns(study)) is None


def test_constraints_are_those_of_the_study():
    study = binary_study()
    stress = constraints_of({"taus": {"age": 0.5}, "hold": "none"}, study, stress_columns(study))
    assert repr(stress) == "ts.Mean('age', tau=0.5)"
