from types import SimpleNamespace

import IPython
import ipywidgets
import pytest
from IPython.core.formatters import DisplayFormatter

from results.samples import binary_result

WIDGET = "application/vnd.jupyter.widget-view+json"
VIEW = "application/vnd.tauscope.view+json"


@pytest.fixture
def notebook(monkeypatch):
    """What displays in a notebook, before any view was made there."""
    formatter = DisplayFormatter()
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(display_formatter=formatter))
    return formatter


@pytest.mark.slow
def test_a_box_shows_what_other_readers_can_see_of_its_views(notebook):
    first, second = binary_result().widget(), binary_result().widget()
    box = ipywidgets.VBox([ipywidgets.Label("a"), ipywidgets.HBox([first]), second])
    data, _ = notebook.format(box)
    assert data[WIDGET]["model_id"] == box.model_id
    assert data[VIEW] == {}
    assert data["text/html"] == first.still() + second.still()
    assert data["text/html"].count("<img") == 2
    assert data["text/plain"].count("Stress curves of ") == 2


def test_other_boxes_look_as_ever(notebook):
    box = ipywidgets.VBox([ipywidgets.Label("a")])
    before = notebook.format(box)
    binary_result().widget()
    assert notebook.format(box) == before
    assert set(before[0]) == {WIDGET, "text/plain"}
