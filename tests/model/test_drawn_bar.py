"""What a bar leaves in a notebook, with a kernel that runs it: nothing."""

from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

from browser.server import isolated_environment

STUDY = """
import numpy as np
import ipywidgets
import tauscope as ts
from ipywidgets.widgets.widget import _instances
from tauscope.model import progress_bar
random = np.random.default_rng(0)
X = random.normal(size=(400, 6))
study = ts.Study(lambda X: X[:, 0] + X[:, 1], X, X[:, 0], batch_rows=40)
"""
CALLS = """
study.stress_curves(taus=3)
study.effect(0, grid=5)
study.effects(grid=5)
study.attack(0, columns=[1], random_state=0)
print(len(_instances))
"""
SLOW = "progress_bar.DELAY = 0\nstudy.stress_curves(taus=3).frame[:0]\nstudy.effects(grid=5);"
FAILING = """
from tauscope.model.progress_bar import bars_shown, progress
with bars_shown(True):
    for number in progress(range(3), "Failing", 3, "number"):
        if number == 2:
            raise ValueError("the model is gone")
"""


class Listening(NotebookClient):
    """A client that remembers the displays as they came."""

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
        if msg["msg_type"] in ("display_data", "update_display_data"):
            self.said.append((msg["msg_type"], msg["content"]["data"]["text/plain"]))
        return super().process_message(msg, cell, cell_index)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Listening:
    folder = tmp_path_factory.mktemp("bars")
    cells = [new_code_cell(source) for source in (STUDY, CALLS, SLOW, FAILING)]
    client = Listening(new_notebook(cells=cells), allow_errors=True, timeout=60)
    client.said = []
    client.execute(cwd=str(folder), env=isolated_environment(Path(folder)))
    return client


@pytest.mark.slow
def test_calls_make_no_widgets(ran):
    (printed,) = ran.nb.cells[1].outputs
    assert printed["text"] == "0\n"


@pytest.mark.slow
def test_a_bar_shows_and_ends_empty(ran):
    kinds = [kind for kind, _ in ran.said]
    bars = [text for _, text in ran.said if text]
    assert kinds.count("display_data") == 3  # curves, effects, and the loop that fails
    assert any("Stressing" in text and "%" in text for text in bars)
    assert any("Failing" in text for text in bars)
    for cell in ran.nb.cells[2:]:
        shown = [output["data"] for output in cell.outputs if output["output_type"] == "display_data"]
        assert shown
        assert all(not any(data.values()) for data in shown)


@pytest.mark.slow
def test_nothing_is_left_in_a_page(ran):
    assert [output.get("ename") for output in ran.nb.cells[3].outputs] == [None, "ValueError"]
    ran.nb.cells[2].source = ""
    page, _ = HTMLExporter(template_name="lab").from_notebook_node(ran.nb)
    assert "Stressing" not in page
    assert "it/s" not in page
    assert "application/vnd.jupyter.widget-view+json" not in page
