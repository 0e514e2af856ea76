import numpy as np
import pandas as pd
import pytest
import traitlets

from drawn import assert_drawn
from tauscope.study.study import Study
from tauscope.views.packing import unpack

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def surface():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=["a", "b", "c"])
    score = 1 / (1 + np.exp(-X["a"] + X["b"]))
    study = Study.from_predictions(X, (rng.random(300) < score).astype(int), (score > 0.5).astype(int), score)
    return study.stress_surface("a", "b", taus=5)


@pytest.fixture
def view(surface):
    made = surface.widget()
    yield made
    made.close()


def test_first_values(view):
    assert view.stress == {"taus": {}, "hold": "none"}
    assert view.metric == "portion_1"


def test_first_values_can_be_given(surface):
    view = surface.widget(stress={"taus": {"a": 0.5, "b": 0}}, metric="error_rate")
    assert view.stress == {"taus": {"a": 0.5}, "hold": "none"}
    assert view.metric == "error_rate"


@pytest.mark.parametrize("other", ["c", "of another study"])
def test_a_shared_stress_may_move_other_features(view, other):
    view.stress = {"taus": {other: -1, "a": 0.25}, "hold": "means"}
    assert view.stress == {"taus": {other: -1.0, "a": 0.25}, "hold": "means"}


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("stress", {"taus": {"a": 2}}, r"in \[-1, 1\]"),
        ("metric", "error", "error_rate"),
    ],
)
def test_bad_values_are_refused(view, trait, value, words):
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(view, trait, value)


def test_unknown_arguments_are_refused(surface):
    with pytest.raises(traitlets.TraitError, match="Nearest: 'metric'"):
        surface.widget(metrc="error_rate")


def test_buffers_hold_the_arrays(view, surface):
    answers = np.frombuffer(unpack(view.answers), "<f4").reshape(len(surface.metric_names), 5, 5, 3)
    assert_drawn(answers[..., :1], surface._surface.value[..., None], (1, 2))
    population = np.frombuffer(unpack(view.population), "<f4").reshape(5, 5, 6)
    np.testing.assert_allclose(population[..., 0], surface._surface.ess, rtol=1e-6)
    np.testing.assert_allclose(population[..., 4], surface._surface.n_carriers)
    np.testing.assert_allclose(population[..., 5], surface._surface.carried, rtol=1e-6)
    assert view.message["sides"][0]["targets"] == surface._surface.target[0].tolist()


def test_shown_as_a_widget_with_text_beside_it(surface, view):
    data, _ = view._repr_mimebundle_()
    assert WIDGET in data
    assert data["text/plain"] == repr(surface)
    assert surface._repr_mimebundle_(include=["text/plain"]) == {"text/plain": repr(surface)}
