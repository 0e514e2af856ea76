import numpy as np
import pytest
import traitlets

import tauscope as ts
from tauscope.views.stress import image as stress_image_message
from tauscope.views.stress.image import stress_image_wire


@pytest.fixture(scope="module")
def image():
    rng = np.random.default_rng(0)
    pixels = np.where(rng.random((300, 3, 4)) < 0.6, 0, rng.integers(1, 256, (300, 3, 4))).astype(np.uint8)
    pixels[:, 0, 0] = 9
    return ts.ChunkedStudy(None, [(pixels, pixels[:, 1, 2] > 0, pixels[:, 1, 1] > 0)]).stress_image((3, 4))


@pytest.fixture
def view(image):
    made = image.widget()
    yield made
    made.close()


def test_first_values(view):
    assert (view.tau, view.against) == (1.0, "opposite")
    assert view.message["shape"] == [3, 4, 1]


def test_first_values_can_be_given(image):
    view = image.widget(tau=-0.5, against="unstressed")
    assert (view.tau, view.against) == (-0.5, "unstressed")


@pytest.mark.parametrize(("trait", "value"), [("tau", 2), ("against", "nothing")])
def test_bad_values_are_refused(view, trait, value):
    with pytest.raises(traitlets.TraitError):
        setattr(view, trait, value)


def test_unknown_arguments_are_refused(image):
    with pytest.raises(traitlets.TraitError, match="Nearest: 'tau'"):
        image.widget(taus=3)


def test_buffers_hold_the_arrays_on_a_finer_grid(view, image):
    taus = view.message["taus"]
    assert len(taus) == 21
    fine = image.at(taus)._curves
    answers = np.frombuffer(view.answers, "<f4").reshape(len(image.metric_names), 21, 3, 12)
    np.testing.assert_allclose(answers[:, :, 0], fine.value.transpose(1, 2, 0), rtol=1e-6)
    np.testing.assert_allclose(answers[:, :, 2], fine.upper.transpose(1, 2, 0), rtol=1e-6)
    reasons = np.frombuffer(view.reasons, "u1").reshape(len(image.metric_names), 21, 2, 12)
    np.testing.assert_array_equal(reasons[:, :, 0], fine.reason.transpose(1, 2, 0))
    population = np.frombuffer(view.population, "<f4").reshape(21, 3, 12)
    np.testing.assert_allclose(population[:, 1], fine.ess.T, rtol=1e-6)


def test_what_does_not_fit_stays_behind(monkeypatch, image):
    monkeypatch.setattr(stress_image_message, "BUDGET", 2000)
    wire = stress_image_wire(image)
    assert wire.message["taus"] == [-1, 0, 1]
    assert not wire.message["intervals"]
    assert len(wire.answers) == 4 * len(image.metric_names) * 3 * 12


def test_shown_as_a_widget_with_text_beside_it(image, view):
    data, _ = view._repr_mimebundle_()
    assert data["text/plain"] == repr(image)
    assert "application/vnd.jupyter.widget-view+json" in data
