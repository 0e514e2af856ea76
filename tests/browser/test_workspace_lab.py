"""The workspace in JupyterLab, as a study shows itself: sliders, views and undo by real keys, against Python."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from browser import lab as in_lab
from browser.contrast import contrast
from browser.notebooks import PYTHON
from browser.server import Server
from browser.study import SOURCE
from browser.test_accessibility import findings
from browser.test_lab import use_theme
from browser.waits import ask_until
from browser.widget import Widget, says

NOTEBOOK = "workspace.ipynb"
SHOW, ASK = 1, 2
FIRST, SECOND = "mean radius", "mean compactness"
MORE = '''

study = ts.Study(model, X, y)


def workspace_in_python():
    """Say the traits of the workspace, and what its numbers must be, computed here."""
    view = study._show()
    stress = view.stress
    joint = study.joint_stress()
    found = joint.at(stress["taus"], stress["hold"]) if stress["taus"] else None
    inside = {name: type(one).__name__ for name, one in view.inside.items()}
    told = {"stress": stress, "view": view.view, "feature": view.feature, "row": view.row, "inside": inside}
    told["selection"] = view.selection
    if "pooled" in view.inside:
        result = view.inside["pooled"].result
        told["pooled"] = result.boundaries._numbers.row.tolist()
        for name, tau in stress["taus"].items():
            result = result.under(ts.Mean(name, tau=tau))
        told["largest"] = result.frame.iloc[0][["feature", "direction", "lower", "upper"]].to_dict()
        told["size"] = result.ess
    if found is None:
        return json.dumps(told)
    portion = found.metrics.set_index("metric").loc["portion_1", "value"]
    return json.dumps({**told, "portion": portion, "ess": found.ess})
'''


@pytest.fixture
def workspace(page: Page, lab: Server, notebook_folder: Path) -> Widget:
    """The workspace of a notebook whose last line was the study."""
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("study"),
        new_code_cell("print(workspace_in_python())"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), notebook_folder / NOTEBOOK)
    in_lab.open_notebook(page, lab, NOTEBOOK)
    in_lab.execute(page, "application:toggle-left-area")
    in_lab.run_cell(page, 0)
    in_lab.run_cell(page, SHOW)
    return Widget(page, ".ts-workspace[data-ready='1']")


def ask_python(widget: Widget, **traits: Any) -> dict[str, Any]:
    """Ask Python, in a later cell, once its traits are those of the page."""
    return ask_until(
        lambda: json.loads(in_lab.run_cell(widget.page, ASK)),
        lambda told: all(told[name] == value for name, value in traits.items()),
    )


def test_one_slider_moves_all(workspace: Widget, picture: Callable[[str], object]) -> None:
    workspace.page.set_viewport_size({"width": 1600, "height": 900})
    workspace.press(FIRST, "ArrowRight", times=8)
    workspace.press(SECOND, "ArrowRight", times=4)
    told = ask_python(workspace, stress={"taus": {FIRST: 0.08, SECOND: 0.04}, "hold": "none"})
    metrics = workspace.at("panel-metrics")
    assert says(metrics.get_by_test_id("value").first.inner_text(), told["portion"])
    assert says(workspace.at("ess").first.inner_text(), told["ess"])
    assert set(told["inside"]) == {"curves", "joint"}
    picture("workspace-lab")
    assert workspace.collisions() == []
    for button, then in (("undo", {}), ("redo", {FIRST: 0.08, SECOND: 0.04})):
        while workspace.at(button).is_enabled():
            workspace.at(button).press("Enter")
        ask_python(workspace, stress={"taus": then, "hold": "none"})


def test_views_open_when_they_are_shown(workspace: Widget, picture: Callable[[str], object]) -> None:
    workspace.page.set_viewport_size({"width": 1600, "height": 900})
    workspace.press(FIRST, "ArrowRight", times=8)
    for name, ready in (
        ("effect", ".ts-effect"),
        ("boundary", ".ts-boundary"),
        ("pooled", ".ts-pooled"),
        ("rules", ".ts-rules"),
        ("table", ".ts-row-table"),
    ):
        workspace.at(f"tab-{name}").press("Enter")
        workspace.at(f"panel-{name}").locator(f"{ready}[data-ready='1']").wait_for()
        picture(f"workspace-lab-{name}")
        assert workspace.collisions() == []
    told = ask_python(workspace, view="table")
    assert set(told["inside"]) == {"curves", "joint", "effect", "boundary", "pooled", "rules", "table"}
    assert told["stress"] == {"taus": {FIRST: 0.08}, "hold": "none"}
    assert told["feature"] == FIRST


def test_the_rows_selected_are_pooled_when_that_is_asked_for(
    workspace: Widget, picture: Callable[[str], object]
) -> None:
    page = workspace.page
    page.set_viewport_size({"width": 1600, "height": 900})
    pooled, table = workspace.at("panel-pooled"), workspace.at("panel-table")
    workspace.at("tab-pooled").press("Enter")
    pooled.locator(".ts-pooled[data-ready='1']").wait_for()
    expect(pooled.get_by_test_id("rows")).to_contain_text("rows that the model misclassifies")
    expect(pooled.get_by_test_id("pool")).to_be_hidden()
    workspace.at("tab-table").press("Enter")
    table.get_by_test_id("search").fill("large")
    table.get_by_test_id("select-found").press("Enter")
    workspace.at("tab-pooled").press("Enter")
    expect(pooled.get_by_test_id("choice")).to_contain_text("rows that the model misclassifies, not the ")
    asked = ask_python(workspace, view="pooled")
    selection = asked["selection"]
    assert 20 < len(selection) <= 200
    assert asked["pooled"] != selection
    picture("workspace-lab-pooled-others")
    pooled.get_by_test_id("pool").press("Enter")
    expect(pooled.get_by_test_id("rows")).to_have_text(f"Pooled: the {len(selection)} rows selected")
    assert page.evaluate("document.activeElement.closest('.ts-pooled') !== null")
    before = pooled.get_by_test_id("reading").inner_text()
    workspace.press(FIRST, "ArrowLeft", times=20)
    told = ask_python(workspace, stress={"taus": {FIRST: -0.2}, "hold": "none"})
    assert told["pooled"] == selection
    assert FIRST in pooled.get_by_test_id("population").inner_text()
    assert pooled.get_by_test_id("reading").inner_text() != before
    largest = told["largest"]
    line = pooled.locator(f"li[data-feature={largest['feature']!r}]").get_by_test_id("weight").inner_text()
    assert says(line.split("→")[-1], largest["direction"], largest["lower"], largest["upper"])
    assert says(pooled.get_by_test_id("size").inner_text(), told["size"])
    pooled.get_by_test_id("pooled-rows").locator("summary").press("Enter")
    chosen = pooled.get_by_test_id("rows-pooled").locator("tr").nth(2)
    chosen.locator("button").press("Enter")
    row = int(chosen.get_attribute("data-row") or -1)
    assert row in selection
    ask_python(workspace, row=row)
    picture("workspace-lab-pooled")
    use_theme(page, "JupyterLab Dark", "#111")
    picture("workspace-lab-pooled-dark")
    assert contrast(pooled.get_by_test_id("rows")) >= 4.5
    page.set_viewport_size({"width": 390, "height": 900})
    picture("workspace-lab-pooled-390")
    assert workspace.collisions() == []
    assert workspace.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    use_theme(page, "JupyterLab Light", "white")


def test_dark_and_narrow(workspace: Widget, picture: Callable[[str], object]) -> None:
    page = workspace.page
    use_theme(page, "JupyterLab Dark", "#111")
    workspace.press(FIRST, "ArrowRight", times=8)
    ratios = [contrast(workspace.at(testid).first) for testid in ("population", "value", "tab-effect")]
    picture("workspace-lab-dark")
    assert min(ratios) >= 4.5, ratios
    assert findings(page, ".jp-Notebook .ts-workspace") == []
    for width in (800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        workspace.press(FIRST, "ArrowRight")
        picture(f"workspace-lab-{width}")
        assert workspace.collisions() == []
        assert workspace.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    use_theme(page, "JupyterLab Light", "white")
