"""The view behind a saved page: the same state, and no front end that hears of it."""

import subprocess
import sys
from typing import Any

import pytest

from browser import study
from tauscope.sharing.effect_page import DetachedEffectView
from tauscope.sharing.joint_stress import DetachedJointStressView
from tauscope.sharing.page import HOST_STATE
from tauscope.sharing.stress_curves import DetachedStressCurvesView
from tauscope.sharing.stress_image import DetachedStressImageView
from tauscope.sharing.stress_surface import DetachedStressSurfaceView
from tauscope.views.detached import Detached

VIEWS = {
    "curves": DetachedStressCurvesView,
    "effect": DetachedEffectView,
    "joint": DetachedJointStressView,
    "surface": DetachedStressSurfaceView,
}


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    made = study.run()
    surface = made["study"].stress_surface(*made["curves"].feature_names[:2], taus=3)
    return made | {"joint": made["study"].joint_stress(), "surface": surface}


@pytest.mark.parametrize("which", VIEWS)
def test_state_is_the_widgets(names, which):
    widget, detached = names[which].widget(), VIEWS[which](names[which])
    own = [name for name in widget.keys if not name.startswith("_") and name not in HOST_STATE]
    assert "message" in own
    assert {name: getattr(detached, name) for name in own} == {name: getattr(widget, name) for name in own}
    assert detached.comm is None


@pytest.mark.parametrize("which", VIEWS)
def test_saving_a_page_opens_no_widget(names, which, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(VIEWS[which].__bases__[1], "open", lambda self: opened.append(type(self).__name__))
    names[which].save(tmp_path / "page.html")
    assert opened == []


@pytest.mark.parametrize("view", [*VIEWS.values(), DetachedStressImageView])
def test_the_line_taken_away_is_the_views_own(view):
    assert view.open is Detached.open


def test_saving_curves_loads_no_other_view():
    code = "import sys, tauscope.sharing.stress_curves; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "tauscope.views.stress.curves" in loaded
    assert not {"tauscope.views.effects.effect", "tauscope.views.stress.joint"} & set(loaded)
