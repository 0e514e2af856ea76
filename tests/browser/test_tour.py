"""The tour runs in JupyterLab from top to bottom, and its widgets come up."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from browser import lab as in_lab, notebooks
from browser.server import Server
from browser.widget import READY, Widget


def test_tour(page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]) -> None:
    tour = notebooks.copy_tour(notebook_folder)
    in_lab.open_notebook(page, lab, notebooks.TOUR)
    painted = 0
    for metric in notebooks.code_cells(tour):
        in_lab.run_cell(page, metric)
        painted += in_lab.n_widgets(page, metric)
        page.wait_for_function(
            "([ready, painted]) => document.querySelectorAll(ready).length >= painted", arg=[READY, painted]
        )
    assert painted > 0
    widget = Widget(page)
    before = widget.text("value")
    widget.press(widget.features()[0], "ArrowRight", times=10)
    assert widget.text("value") != before
    picture("tour")
