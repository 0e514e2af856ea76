"""The view behind a saved page: the same state, and no front end that hears of it."""

from typing import Any

import pytest

from browser import study
from tauscope.views.detached import DetachedEffectView, DetachedStressCurvesView


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return study.run()


def test_state_is_the_widgets(names):
    widget, detached = names["curves"].widget(), DetachedStressCurvesView(names["curves"])
    for name in ("tau", "feature", "index", "rank_by", "message", "curves", "population", "histograms"):
        assert getattr(detached, name) == getattr(widget, name)
    assert detached.comm is None


def test_saving_a_page_opens_no_widget(names, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(
        "tauscope.views.stress_curves.StressCurvesView.open", lambda self: opened.append(type(self).__name__)
    )
    names["curves"].save(tmp_path / "curves.html")
    assert opened == []


def test_saving_an_effects_page_opens_no_widget(names, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("tauscope.views.effect.EffectView.open", lambda self: opened.append(type(self).__name__))
    names["effect"].save(tmp_path / "effect.html")
    assert opened == []


def test_detached_effect_has_the_widgets_state(names):
    widget, detached = names["effect"].widget(), DetachedEffectView(names["effect"])
    for name in ("features", "kind", "epsilon", "stress", "message", "floats", "integers", "columns"):
        assert getattr(detached, name) == getattr(widget, name)
    assert detached.comm is None
