"""Displays of a cell that is run again live no longer than their object, with a kernel that runs it."""

from pathlib import Path

import IPython
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from browser.server import isolated_environment
from tauscope.views.shown import Displays, running_cell

SETUP = """
import gc, weakref
import numpy as np
import tauscope as ts
from IPython.display import display
from ipywidgets.widgets.widget import _instances
made, random = [], np.random.default_rng(0)
def study():
    X = random.normal(size=(200, 3))
    made.append(ts.Study.from_predictions(X, X[:, 0] > 0, X[:, 1] > 0))
    made[-1] = weakref.ref(new := made[-1])
    return new
def curves():
    return study().stress_curves(0, taus=3)
"""
SHOWN = {
    "result": "display(curves())",
    "two": "display(curves())\ndisplay(curves())",
    "study": "display(study())",
    "widget": "display(curves().widget())",
    "named": "mine = curves()\ndisplay(mine)",
}
ALIVE = "gc.collect(); print(sum(one() is not None for one in made))"


class Kernel:
    """A notebook with a kernel, whose cells are run in any order."""

    def __init__(self, folder):
        self.client = NotebookClient(new_notebook(), timeout=60)
        self.running = self.client.setup_kernel(cwd=str(folder), env=isolated_environment(Path(folder)))

    def __enter__(self):
        self.running.__enter__()
        self.run(SETUP)
        return self

    def __exit__(self, *raised):
        self.running.__exit__(*raised)

    def run(self, source):
        """Run a cell and return what it prints."""
        cells = self.client.nb.cells
        if source not in [cell.source for cell in cells]:
            cells.append(new_code_cell(source))
        place = [cell.source for cell in cells].index(source)
        self.client.execute_cell(cells[place], place)
        return "".join(output.get("text", "") for output in cells[place].outputs).strip()


@pytest.mark.slow
def test_a_cell_run_many_times_holds_what_it_shows_last(tmp_path):
    with Kernel(tmp_path) as kernel:
        expected = 0
        for source in SHOWN.values():
            for _ in range(6):
                kernel.run(source)
            expected += source.count("display(")
            assert kernel.run(ALIVE) == str(expected)


@pytest.mark.slow
def test_what_another_cell_or_a_name_holds_stays(tmp_path):
    with Kernel(tmp_path) as kernel:
        kernel.run("first = curves()\ndisplay(first)")
        kernel.run("display(first)")
        show = "shown = [curves()]\nmodel_id = shown[0]._display.model_id\ndisplay(shown[0])"
        kernel.run(show)
        kernel.run("kept = shown[0], model_id")
        kernel.run(show)  # the first lives on, by its name
        assert kernel.run("print(kept[1] in _instances, kept[0]._display.comm is not None)") == "True True"
        kernel.run("del kept")
        assert kernel.run(ALIVE) == "2"
        kernel.run("first = first\ndisplay(first)\n")
        kernel.run("del first")
        assert kernel.run(ALIVE) == "2"


class View:
    """What a display is told."""

    def __init__(self):
        self.held = None

    def hold(self):
        self.held = True

    def release(self):
        self.held = False


def test_a_view_is_held_while_a_cell_shows_it(monkeypatch):
    displays, one, two = Displays(), View(), View()
    runs = iter([("a", "1"), ("b", "2"), ("a", "3"), ("b", "4"), ("b", "4"), ("", ""), ("", "")])
    monkeypatch.setattr("tauscope.views.shown.running_cell", lambda: next(runs))
    seen = []
    for view in (one, one, two, two, one, one, two):
        displays.add(view)
        seen.append((one.held, two.held))
    assert seen == [(True, None), (True, None), (True, True), (False, True), (True, True), (True, True), (True, True)]


def test_a_cell_is_known_by_its_id_or_its_code(monkeypatch):
    def parent(kind, **more):
        message = {"header": {"msg_type": kind, "msg_id": "m"}, "content": {"code": "study"}, **more}
        shell = type("Shell", (), {"get_parent": lambda self: message})()
        monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
        return running_cell()

    assert parent("execute_request", metadata={"cellId": "c"}) == ("c", "m")
    assert parent("execute_request", metadata={}) == ("study", "m")
    assert parent("comm_msg") == ("", "")
    monkeypatch.setattr(IPython, "get_ipython", lambda: object())
    assert running_cell() == ("", "")
