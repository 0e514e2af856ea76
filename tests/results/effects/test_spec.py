"""The options of an effect go along to another feature or kind, where they mean the same there."""

from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.effects import samples
from tauscope.results.effects.spec import EffectSpec


def recompute(effect, features, kind):
    return effect._recompute(features, kind, lambda done, total: None)


def smooth(rows):
    return np.sin(rows["a"]) * rows["b"]


X = pd.DataFrame(np.random.default_rng(0).normal(size=(120, 2)), columns=["a", "b"])


def test_neighbours_go_along_to_another_feature():
    study = samples.study()
    found = recompute(study.effect("fare", kind="cd", n_neighbors=50), ["age"], "cd")
    expected = study.effect("age", kind="cd", n_neighbors=50)
    pd.testing.assert_frame_equal(found.frame, expected.frame)
    assert found._spec.n_neighbors == 50
    assert found.notes == expected.notes
    default = study.effect("age", kind="cd")
    assert not np.allclose(found._computed.effect, default._computed.effect)


def test_a_window_is_in_the_unit_of_its_feature():
    study = samples.study()
    effect = study.effect("fare", kind="cd", window=20)
    kept = recompute(effect, ["fare"], "cd")
    pd.testing.assert_frame_equal(kept.frame, effect.frame)
    assert kept.notes == effect.notes
    other = recompute(effect, ["age"], "cd")
    pd.testing.assert_frame_equal(other.frame, study.effect("age", kind="cd").frame)
    assert other.notes[0] == "window=20 is in the unit of fare; here it is the default, 1/18 of the range"
    assert recompute(effect, ["fare"], "pd").notes == study.effect("fare").notes
    assert recompute(effect, ["age"], "pd")._spec.window is None


def test_a_step_and_derivatives_are_of_their_feature():
    study = ts.Study(smooth, X)
    stepped = study.effect("a", kind="dale", step=0.3)
    pd.testing.assert_frame_equal(recompute(stepped, ["a"], "dale").frame, stepped.frame)
    other = recompute(stepped, ["b"], "dale")
    pd.testing.assert_frame_equal(other.frame, study.effect("b", kind="dale").frame)
    assert other.notes[0] == "step=0.3 is in the unit of a; here it is the default, 1e-4 of the range"
    given = study.effect("a", kind="dale", gradient=lambda rows: np.cos(rows["a"]) * rows["b"])
    assert isinstance(given._spec.gradient, np.ndarray)
    again = recompute(given, ["a"], "dale")
    pd.testing.assert_frame_equal(again.frame, given.frame)
    assert again._computed_from == "gradient"
    assert "the derivatives given are along a" in recompute(given, ["b"], "dale").notes[0]
    assert recompute(given, ["a"], "ale")._spec.gradient is None


def test_every_other_option_goes_along():
    study = samples.study()
    options = {
        "grid": 7,
        "spacing": "equidistant",
        "response_method": "predict",
        "target_class": "no",
        "interval": "bootstrap",
        "confidence": 0.8,
        "random_state": 3,
        "ice_bytes": 0,
        "method": "brute",
    }
    effect = study.effect("fare", **options)
    found = recompute(effect, ["age"], "pd")
    pd.testing.assert_frame_equal(found.frame, study.effect("age", **options).frame)
    assert found._spec == replace(effect._spec, feature=("age",)) or all(
        getattr(found._spec, one.name) == getattr(effect._spec, one.name) for one in fields(EffectSpec)[1:]
    )


def test_points_given_are_of_their_feature():
    study = samples.study()
    effect = study.effect("fare", grid=iter([1.0, 5.0, 9.0]))
    assert effect._spec.grid == (1.0, 5.0, 9.0)
    assert list(recompute(effect, ["fare"], "ale").frame["value"]) == [1.0, 5.0, 9.0]
    assert len(recompute(effect, ["age"], "pd")._axes[0]) > 3
    both = study.effect(("fare", "sex"), grid=([1.0, 5.0], ["male", "female"]))
    again = study._effect_from(both._spec)
    pd.testing.assert_frame_equal(again.frame, both.frame)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("feature", "options"),
    [
        ("fare", {}),
        ("age", {"kind": "cd", "window": 4}),
        ("port", {"kind": "ale", "grid": 3}),
        (("fare", "age"), {"grid": 6, "interval": "bootstrap"}),
    ],
)
def test_an_effect_is_computed_again_from_its_record(feature, options):
    effect = samples.study().effect(feature, **options)
    again = samples.study()._effect_from(effect._spec)
    pd.testing.assert_frame_equal(again.frame, effect.frame)
    assert (again.notes, again.title, again.kind) == (effect.notes, effect.title, effect.kind)
