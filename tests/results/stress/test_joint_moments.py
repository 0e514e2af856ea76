from results.samples import binary_study
from tauscope.results.stress.numbers.joint_moments import joint_constraints
from tauscope.study.stress.columns import stress_columns


def test_unstressed_has_no_constraints():
    assert joint_constraints(stress_columns(binary_study()), {}) is None


def test_constraints_are_those_of_the_study():
    stress = joint_constraints(stress_columns(binary_study()), {"age": 0.5})
    assert repr(stress) == "ts.Mean('age', tau=0.5)"
