"""The tour runs in JupyterLab from top to bottom, and its widgets come up."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from browser import lab as in_lab
from browser import notebooks
from browser.server import Server
from browser.widget import Widget


def test_tour(page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]) -> None:
    notebooks.copy_tour(notebook_folder)
    in_lab.open_notebook(page, lab, notebooks.TOUR)
    in_lab.run_all(page)
    widget = Widget(page)
    before = widget.text("value")
    widget.press(widget.features()[0], "ArrowRight", times=10)
    assert widget.text("value") != before
    widget.root.scroll_into_view_if_needed()
    picture("tour")
