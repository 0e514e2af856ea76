"""The view behind a saved page: the same state, and no front end that hears of it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from browser import study
from tauscope.results import show
from tauscope.sharing.page import HOST_STATE

TESTS = Path(__file__).parents[1]
VIEWS = ("curves", "effect", "joint", "surface")


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    made = study.run()
    surface = made["study"].stress_surface(*made["curves"].feature_names[:2], taus=3)
    return made | {"joint": made["study"].joint_stress(), "surface": surface}


@pytest.mark.slow
@pytest.mark.parametrize("which", VIEWS)
def test_state_is_the_widgets(names, which):
    widget, offline = names[which].widget(), show.view_class(names[which]).offline(names[which])
    own = [name for name in widget.keys if not name.startswith("_") and name not in HOST_STATE]
    assert "message" in own
    shown = {name: getattr(offline, name) for name in own}
    if which in ("curves", "effect"):  # they ask the kernel, for groups too, and say that there is none
        assert widget.message["by"]
        assert shown["message"] == widget.message | {"live": False, "by": []}
        shown["message"] = widget.message
    assert shown == {name: getattr(widget, name) for name in own}
    assert offline.comm is None


@pytest.mark.parametrize("which", VIEWS)
@pytest.mark.slow
def test_saving_a_page_opens_no_widget(names, which, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("anywidget.AnyWidget.open", lambda self: opened.append(type(self).__name__))
    names[which].save(tmp_path / "page.html")
    assert opened == []


@pytest.mark.slow
def test_saving_curves_loads_no_other_view(tmp_path):
    code = (
        "import sys\nfrom results.samples import made_by_hand\n"
        f"made_by_hand().save({str(tmp_path / 'curves.html')!r})\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TESTS, check=True)
    loaded = done.stdout.split()
    assert "tauscope.views.stress.curves" in loaded
    assert not {"tauscope.views.effects.effect", "tauscope.views.stress.joint"} & set(loaded)
