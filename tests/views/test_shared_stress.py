import pytest
import traitlets

from tauscope.views.shared_stress import check_stress, unstressed


def test_unstressed_moves_nothing():
    assert check_stress(unstressed()) == unstressed()


def test_zeros_are_left_out_and_parts_may_be():
    assert check_stress({"taus": {"a": 0, "b": 1}}) == {"taus": {"b": 1.0}, "hold": "none"}
    assert check_stress({"hold": "means"}) == {"taus": {}, "hold": "means"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (3, "A stress is .*; got 3"),
        ({"tau": {}}, "'taus' and 'hold'; got 'tau'"),
        ({"hold": "all"}, "none, means, uncorrelated; got 'all'"),
        ({"taus": ["a"]}, r"τ by feature, such as \{'age': 0.5\}; got \['a'\]"),
        ({"taus": {3: 0.5}}, "the name of a feature; got the name 3"),
        ({"taus": {"a": 2}}, r"τ of 'a' must be a number in \[-1, 1\]; got 2"),
        ({"taus": {"a": float("nan")}}, "got nan"),
        ({"taus": {"a": True}}, "got True"),
    ],
)
def test_not_a_stress(given, words):
    with pytest.raises(traitlets.TraitError, match=words):
        check_stress(given)
