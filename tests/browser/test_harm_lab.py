"""Bars of shifts in JupyterLab: a bar moves the joint stress of another cell, with the numbers of its row."""

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
from browser.test_harm_page import READY
from browser.waits import ask_until
from browser.widget import PaintedWidget, says

NOTEBOOK = "harm.ipynb"
ASK = 3
JOINT = ".ts-joint-stress[data-ready='1']"
MORE = '''
harm = curves.harm("error_rate")


def row_in_python(view, other):
    """Return where both views are, and the row of that shift, if there is one."""
    stress, linked = view.stress, other.stress
    if not stress["taus"]:
        return json.dumps({"stress": stress, "linked": linked})
    ((feature, tau),) = stress["taus"].items()
    found = harm.frame[(harm.frame["feature"] == feature) & (harm.frame["tau"] == tau)]
    return json.dumps({"stress": stress, "linked": linked, **found.iloc[0].drop("note").to_dict()})
'''


def write_notebook(folder: Path) -> None:
    """Write the notebook: the bars, a joint stress linked to it, and what Python makes of both."""
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = harm.widget()\nview"),
        new_code_cell(
            "other = curves.source.joint_stress().widget(metric='error_rate')\nlinked = ts.link(view, other)\nother"
        ),
        new_code_cell("print(row_in_python(view, other))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), folder / NOTEBOOK)


def ask(page: Page, n_moved: int) -> dict[str, Any]:
    """Ask Python, in a later cell, once both views move so many features."""
    return ask_until(
        lambda: json.loads(in_lab.run_cell(page, ASK)),
        lambda told: told["stress"] == told["linked"] and len(told["stress"]["taus"]) == n_moved,
    )


def test_a_bar_moves_the_joint_stress_of_another_cell(
    page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    write_notebook(notebook_folder)
    in_lab.run_notebook(page, lab, NOTEBOOK)
    bars, joint = PaintedWidget(page, READY), PaintedWidget(page, JOINT)
    before = joint.revision()
    bars.press("shifts", "ArrowDown")
    joint.wait_for_paint(before)
    told = ask(page, n_moved=1)
    assert says(joint.text("value"), told["value"])
    assert says(bars.text("change").replace("points", "%"), told["change"])
    picture("harm-lab")
    before = joint.revision()
    bars.press("shifts", "Escape")
    joint.wait_for_paint(before)
    ask(page, n_moved=0)
