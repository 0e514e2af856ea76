"""Two views in a row of JupyterLab: as wide as each other, and seen together."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page

from browser import lab as in_lab, notebooks
from browser.effect_widget import READY as EFFECT
from browser.server import Server
from browser.study import EFFECT_SOURCE, SOURCE

NOTEBOOK = "side-by-side.ipynb"
JOINT = ".ts-joint-stress[data-ready='1']"
LINKED, BOXED, STACKED = 1, 2, 3
HEIGHT = 900
MAKE = "a, b = study.joint_stress().widget(), effect.widget()\n"


def write_notebook(folder: Path) -> None:
    cells = [
        new_code_cell(SOURCE + EFFECT_SOURCE + "\nimport ipywidgets"),
        new_code_cell(MAKE + "ts.link(a, b)"),
        new_code_cell(MAKE + "ipywidgets.HBox([a, b])"),
        new_code_cell(MAKE + "ipywidgets.VBox([a, b])"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=notebooks.PYTHON), folder / NOTEBOOK)


def views(page: Page, cell: int) -> tuple[Locator, Locator]:
    """Return the two views of a cell, painted."""
    shown = page.locator(".jp-Notebook .jp-Cell").nth(cell)
    found = shown.locator(JOINT), shown.locator(EFFECT)
    for view in found:
        view.wait_for()
    return found


def box(part: Locator) -> Any:
    found = part.bounding_box()
    assert found is not None
    return found


@pytest.mark.slow
def test_two_views_share_a_row(
    page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    page.set_viewport_size({"width": 1440, "height": HEIGHT})
    write_notebook(notebook_folder)
    in_lab.run_notebook(page, lab, NOTEBOOK)
    in_lab.execute(page, "application:toggle-left-area")
    for cell in (LINKED, BOXED):
        first, second = views(page, cell)
        row = box(first.locator("xpath=ancestor::*[contains(@class, 'widget-hbox')]"))
        left, right = box(first), box(second)
        assert left["width"] == pytest.approx(right["width"], rel=0.05)
        assert left["width"] + right["width"] >= 0.95 * row["width"]
        assert left["y"] == pytest.approx(right["y"], abs=4)
        first.scroll_into_view_if_needed()
        first.evaluate("(root) => root.scrollIntoView({ block: 'start' })")
        picture(f"side-by-side-{cell}")
        for seen in (first.locator("input[data-testid='tau']").first, second.get_by_test_id("chart")):
            shown = box(seen)
            assert shown["y"] >= 0
            assert shown["y"] + shown["height"] <= HEIGHT
    first, second = views(page, STACKED)
    assert box(first)["y"] + box(first)["height"] <= box(second)["y"] + 1
    assert first.evaluate("(root) => root.scrollHeight - root.clientHeight") <= 1
    assert min(box(first)["height"], box(second)["height"]) > 300
