"""The way to another population in JupyterLab: its slider moves the joint stress of another cell."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page

from browser import lab as in_lab
from browser.notebooks import PYTHON
from browser.server import Server
from browser.study import SOURCE
from browser.test_towards_page import READY
from browser.waits import ask_until
from browser.widget import PaintedWidget, says

NOTEBOOK = "towards.ipynb"
ASK = 3
JOINT = ".ts-joint-stress[data-ready='1']"
MORE = '''
study = curves.source
there = study.towards(X[X["mean radius"] > 13], features=["mean radius", "mean texture", "size"])


def amount_in_python(view, other):
    """Return where both views are, and the error rate there."""
    amount, stress, linked = view.amount, view.stress, other.stress
    error = there.at(amount).metrics.set_index("metric").loc["error_rate"]
    same = stress == there.stress_at(amount) == linked
    return json.dumps({"amount": amount, "same": same, "value": error["value"], "n_moved": len(linked["taus"])})
'''


def write_notebook(folder: Path) -> None:
    """Write the notebook: the way, a joint stress linked to it, and what Python makes of both."""
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = there.widget()\nview"),
        new_code_cell("other = study.joint_stress().widget(metric='error_rate')\nlinked = ts.link(view, other)\nother"),
        new_code_cell("print(amount_in_python(view, other))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), folder / NOTEBOOK)


def ask(page: Page, amount: float) -> dict[str, Any]:
    """Ask Python, in a later cell, once the view is at an amount and the other with it."""
    return ask_until(
        lambda: json.loads(in_lab.run_cell(page, ASK)), lambda told: told["amount"] == amount and told["same"]
    )


def test_the_slider_moves_the_joint_stress_of_another_cell(
    page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    write_notebook(notebook_folder)
    in_lab.run_notebook(page, lab, NOTEBOOK)
    way, joint = PaintedWidget(page, READY), PaintedWidget(page, JOINT)
    way.root.locator("[data-testid=amount]:enabled").wait_for()
    before = joint.revision()
    way.press("amount", "ArrowLeft", times=2)
    joint.wait_for_paint(before)
    told = ask(page, 0.8)
    assert told["n_moved"] >= 4
    expected = way.at("metric-error_rate").get_by_test_id("expected").inner_text()
    assert says(expected, told["value"])
    assert says(joint.text("value"), told["value"])
    picture("towards-lab")
    before = way.revision()
    joint.at("reset").press("Enter")
    way.wait_for_paint(before)
    assert "0 %" in way.text("population")
    assert ask(page, 0)["n_moved"] == 0
