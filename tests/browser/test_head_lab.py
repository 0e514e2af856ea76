"""The head of the workspace in JupyterLab: a stress kept, code that gives the numbers on screen, a page saved."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page

from browser import lab as in_lab
from browser.notebooks import PYTHON
from browser.server import Server
from browser.study import SOURCE
from browser.waits import ask_until
from browser.widget import Widget, says

NOTEBOOK = "head.ipynb"
SHOW, ASK = 1, 2
FEATURE = "mean compactness"
MORE = '''

study = ts.Study(model, X, y)


def scenarios_in_python():
    """Say what is kept, and what else the traits of the workspace are."""
    view = study._show()
    return json.dumps({"scenarios": view.scenarios, "stress": view.stress, "kind": getattr(view, "effect__kind", "")})


def ends_of(code):
    """Run copied code as a cell, and say the ends of the effect in it."""
    names = {"study": study}
    exec(code, names)
    return json.dumps(names["effect"].frame[["effect", "lower", "upper"]].iloc[[0, -1]].to_numpy().tolist())
'''


@pytest.fixture
def workspace(page: Page, lab: Server, notebook_folder: Path) -> Widget:
    """The workspace of a notebook, and a cell that says what Python knows of it."""
    cells = [
        new_code_cell("import json\n" + SOURCE + MORE),
        new_code_cell("study"),
        new_code_cell("print(scenarios_in_python())"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), notebook_folder / NOTEBOOK)
    in_lab.open_notebook(page, lab, NOTEBOOK)
    in_lab.execute(page, "application:toggle-left-area")
    in_lab.run_cell(page, 0)
    in_lab.run_cell(page, SHOW)
    page.set_viewport_size({"width": 1600, "height": 900})
    return Widget(page, ".ts-workspace[data-ready='1']")


def ask_python(widget: Widget, agrees: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask Python, in a later cell, until it knows what the page shows."""
    return ask_until(lambda: json.loads(in_lab.run_cell(widget.page, ASK)), agrees)


def test_keys_keep_a_stress_and_bring_it_back(workspace: Widget, picture: Callable[[str], object]) -> None:
    keyboard = workspace.page.keyboard
    workspace.press(FEATURE, "ArrowRight", times=8)
    workspace.at("scenario").press("Enter")
    picture("workspace-head-menu")
    keyboard.press("Enter")
    keyboard.type("Recession & rows")  # keys that are JupyterLab's own elsewhere
    keyboard.press("Enter")
    kept = {"name": "Recession & rows", "taus": {FEATURE: 0.08}, "hold": "none"}
    assert ask_python(workspace, lambda told: told["scenarios"] != [])["scenarios"] == [kept]
    while workspace.at("undo").is_enabled():
        workspace.at("undo").press("Enter")
    ask_python(workspace, lambda told: told["stress"]["taus"] == {})
    workspace.at("scenario").press("Space")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "Enter"):
        keyboard.press(key)
    ask_python(workspace, lambda told: told["stress"]["taus"] == {FEATURE: 0.08})


def test_copied_code_gives_the_numbers_on_screen(workspace: Widget) -> None:
    page = workspace.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    workspace.at("tab-effect").press("Enter")
    effect = workspace.at("panel-effect")
    effect.locator(".ts-effect[data-ready='1']").wait_for()
    chart = effect.get_by_test_id("chart").element_handle()
    effect.get_by_test_id("kind").select_option("ale")
    page.wait_for_function("(chart) => chart.getAttribute('aria-label').startsWith('Accumulated')", arg=chart)
    words = chart.get_attribute("aria-label") or ""
    workspace.at("copy").press("ArrowUp")
    page.keyboard.press("Enter")
    workspace.wait_for_text("said", "Copied")
    code = page.evaluate("() => navigator.clipboard.readText()")
    assert "kind='ale'" in code
    assert ".bounds(" in code
    ends = json.loads(in_lab.run_cell(page, ASK, f"print(ends_of({code!r}))"))
    first = words.partition(": ")[2].partition(" at ")[0]
    assert says(first, ends[0][0])
    assert says(first.partition("(")[2], *ends[0][1:], share=True)


def test_a_page_of_what_is_on_screen_is_downloaded(workspace: Widget, tmp_path: Path) -> None:
    workspace.press(FEATURE, "ArrowRight", times=8)
    with workspace.page.expect_download() as told:
        workspace.at("save-page").press("Enter")
    assert told.value.suggested_filename == "audit.html"
    path = tmp_path / "audit.html"
    told.value.save_as(path)
    workspace.wait_for_text("said", "Saved audit.html.")
    number = workspace.at("panel-metrics").get_by_test_id("value").first.inner_text()
    alone = workspace.page.context.new_page()
    alone.goto(path.as_uri())
    saved = Widget(alone, ".ts-workspace[data-ready='1']")
    assert saved.at("panel-metrics").get_by_test_id("value").first.inner_text() == number
    assert saved.at("save-page").is_hidden()
