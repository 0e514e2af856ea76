import pytest
import traitlets

from results.samples import binary_study
from tauscope.study.stress_columns import stress_columns
from tauscope.views.stress_state import checked_stress, constraints_of, unstressed


def test_unstressed_moves_nothing():
    assert checked_stress(unstressed(), ["age"]) == unstressed()
    study = binary_study()
    assert constraints_of(unstressed(), study, stress_columns(study)) is None


def test_zeros_are_left_out_and_parts_may_be():
    assert checked_stress({"taus": {"a": 0, "b": 1}}, ["a", "b"]) == {"taus": {"b": 1.0}, "hold": "none"}
    assert checked_stress({"hold": "means"}, ["a"]) == {"taus": {}, "hold": "means"}


def test_constraints_are_those_of_the_study():
    study = binary_study()
    stress = constraints_of({"taus": {"age": 0.5}, "hold": "none"}, study, stress_columns(study))
    assert repr(stress) == "ts.Mean('age', tau=0.5)"


def test_not_a_stress():
    with pytest.raises(traitlets.TraitError, match="got 3"):
        checked_stress(3, ["a"])
