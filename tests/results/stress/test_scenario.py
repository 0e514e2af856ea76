"""A stress with a name: what it is made of, and that it stays what was checked."""

import copy
import pickle

import pytest

import tauscope as ts
from results.samples import binary_study
from tauscope.views.shared_stress import check_stress

WRONG = {
    "no name": (("", {"age": 0.5}), ts.InputError, "1 to 80 characters that can be seen; got ''"),
    "blanks": (("  ", {"age": 0.5}), ts.InputError, "one line"),
    "two lines": (("a\nb", {"age": 0.5}), ts.InputError, "one line"),
    "a long name": (("n" * 81, {"age": 0.5}), ts.InputError, "Try 'recession'"),
    "a number for a name": ((3, {"age": 0.5}), ts.InputTypeError, "name must be a str that a file can hold; got 3"),
    "a list": (("a", [("age", 0.5)]), ts.InputTypeError, "taus must be a mapping"),
    "nothing": (("a", {}), ts.InputError, "at least one feature; got none. Try ts.Scenario"),
    "no name of a feature": (("a", {True: 0.5}), ts.InputTypeError, "by the name of a feature; got True"),
    "zero": (("a", {"age": 0.0}), ts.InputError, "must not be 0.*Leave it out"),
    "beyond": (("a", {"age": 45}), ts.InputError, r"\[-1, 1\]; got 45"),
    "NaN": (("a", {"age": float("nan")}), ts.InputError, r"\[-1, 1\]; got nan"),
    "text": (("a", {"age": "0.5"}), ts.InputTypeError, "must be a number"),
    "True": (("a", {"age": True}), ts.InputTypeError, "must be a number"),
    "another hold": (("a", {"age": 0.5}, "all"), ts.InputError, "hold must be one of none, means, uncorrelated"),
}


@pytest.mark.parametrize("case", WRONG)
def test_it_is_checked_at_the_door(case):
    given, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        ts.Scenario(*given)


def test_it_stays_what_was_checked():
    taus = {"age": 1, "sex = Female": -0.5}
    one = ts.Scenario("older", taus, hold="means")
    taus["age"] = 7
    one.stress["taus"]["age"] = 7
    assert one.stress == {"taus": {"age": 1.0, "sex = Female": -0.5}, "hold": "means"}
    for change in (lambda: one.taus.update(age=7), lambda: setattr(one, "name", "younger")):
        with pytest.raises(AttributeError):
            change()


def test_its_stress_is_that_of_the_views():
    one = ts.Scenario("older", {"age": 1, "b": -0.25})
    assert check_stress(one.stress) == one.stress


def test_it_equals_its_copies_and_text():
    one = ts.Scenario("it's", {"age": 0.5, "b": -1}, hold="uncorrelated")
    for other in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
        assert other == one
        assert hash(other) == hash(one)
    assert repr(one) == "ts.Scenario(\"it's\", {'age': 0.5, 'b': -1.0}, hold='uncorrelated')"
    assert repr(ts.Scenario("a", {"b": 0.5})) == "ts.Scenario('a', {'b': 0.5})"
    assert one != ts.Scenario("it's", {"age": 0.5, "b": -1})


def test_a_joint_stress_takes_it_with_what_it_holds():
    joint, one = binary_study().joint_stress(), ts.Scenario("older", {"age": 0.4, "gain": 0.1}, hold="means")
    expected = joint.at(one.taus, "means")
    assert repr(joint.at(one).stress) == repr(joint.at(one, "means").stress) == repr(expected.stress)
    with pytest.raises(
        ts.InputError, match=r"'older' says hold='means' itself; got hold='uncorrelated'.*scenario\.taus"
    ):
        joint.at(one, "uncorrelated")
