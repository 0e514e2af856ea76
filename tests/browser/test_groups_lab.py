"""Groups in JupyterLab: picked in the workspace with keys, followed by the kernel, and moved by a slider."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from browser import lab as in_lab
from browser.notebooks import PYTHON
from browser.server import Server
from browser.study import SOURCE
from browser.waits import ask_until
from browser.widget import PaintedWidget, says

NOTEBOOK = "groups.ipynb"
MORE = '''
study = curves.source


def moved(view):
    """Return the one feature moved and its τ; nothing before it is, and groups are picked."""
    taus = dict(view.stress["taus"])
    return next(iter(taus.items()), ()) if view.by else ()


def groups_in_python(view):
    """Return the error rate of each group at the stress shown, and the gap between them."""
    if not (stress := moved(view)):
        return json.dumps({})
    feature, tau = stress
    found = study.stress_curves(feature, metrics="error_rate", taus=[-1, 0, tau, 1]).by(view.by)
    here = f"tau == {tau!r}"
    return json.dumps({
        "tau": tau,
        "values": found.frame.query(here)["value"].tolist(),
        "gap": found.gaps.query(here)["gap"].item(),
        "thresholds": view.opened.get("thresholds", {}).get("state", ""),
    })


def effect_in_python(view):
    """Return what the groups' curves begin with under the stress shown, and how many rows count."""
    if not (stress := moved(view)):
        return json.dumps({})
    feature, tau = stress
    found = study.effect(view.feature).by(view.by, ts.Mean(feature, tau=tau))
    counts = [f"{one.label} {one.ess:,.0f} of {one.n_rows:,}" for one in found.groups]
    first = found.frame.groupby("group")["effect"].first().to_dict()
    return json.dumps({"tau": tau, "rows": f"Effective rows: {', '.join(counts)}.", "first": first})
'''


def test_groups_are_followed_in_the_workspace(
    page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell(
            "view = study.workspace(feature='mean texture', inside={'curves': {'metric': 'error_rate'}})\nview"
        ),
        new_code_cell("print(groups_in_python(view))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), notebook_folder / NOTEBOOK)
    in_lab.run_notebook(page, lab, NOTEBOOK)
    workspace = PaintedWidget(page, ".ts-workspace[data-ready='1']")
    workspace.at("tab-curves").press("Enter")
    curves = PaintedWidget(page, ".ts-cell-curves .ts-stress-curves[data-ready='1']")
    curves.at("by").focus()
    page.keyboard.press("ArrowDown")
    curves.wait_for_text("group-note", "marginal shift")
    curves.at("open-groups").press("Enter")
    slider = workspace.root.locator('.ts-cell-sliders input[data-feature="mean texture"]')
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    told: dict[str, Any] = ask_until(
        lambda: json.loads(in_lab.run_cell(page, 2)), lambda found: found.get("tau") == 0.04
    )
    lines = curves.at("groups").locator("tbody tr td").all_inner_texts()
    now = [line.split("→")[1].splitlines()[0] for line in lines]
    assert all(says(line, value) for line, value in zip(now, told["values"], strict=True))
    assert says(curves.at("gap").locator("b").first.inner_text(), told["gap"], share=True)
    picture("groups-lab")
    workspace.at("tab-thresholds").press("Enter")
    tab = PaintedWidget(page, ".ts-inside-thresholds .tauscope[data-ready='1']")
    assert "medium" in tab.text("group-rows")
    picture("thresholds-lab")


def test_groups_picked_are_those_of_the_tabs(
    page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    cells = [
        new_code_cell(SOURCE + MORE + "X['many'] = [f'level {k % 250}' for k in range(len(X))]\n"),
        new_code_cell("view = ts.Study(model, X, y).workspace(view='calibration')\nview"),
        new_code_cell("print(view.by, *(view.inside[tab].result.grouped_by for tab in ('calibration', 'thresholds')))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), notebook_folder / NOTEBOOK)
    in_lab.open_notebook(page, lab, NOTEBOOK)
    in_lab.execute(page, "application:toggle-left-area")
    page.set_viewport_size({"width": 1600, "height": 900})
    for cell in (0, 1):
        in_lab.run_cell(page, cell)
    workspace = PaintedWidget(page, ".ts-workspace[data-ready='1']")
    by = workspace.root.locator("[data-testid=by]:visible").first
    for tab in ("calibration", "thresholds"):
        workspace.at(f"tab-{tab}").press("Enter")
        inside = PaintedWidget(page, f".ts-inside-{tab} .tauscope[data-ready='1']")
        if tab == "calibration":
            expect(inside.at("group-rows")).to_be_hidden()
            by.focus()
            page.keyboard.press("ArrowDown")
        expect(inside.at("group-rows")).to_contain_text("medium")
        expect(inside.at("population")).to_have_text("the data as they are")
        by.focus()
        page.keyboard.press("ArrowDown")
        expect(inside.at("population")).to_contain_text("Numbers by many cannot be shown. Rows are told apart by")
        expect(inside.at("group-rows")).to_contain_text("medium")
        assert workspace.collisions() == []
        picture(f"groups-lab-{tab}")
        page.keyboard.press("ArrowUp")
        expect(inside.at("population")).to_have_text("the data as they are")
    ask_until(lambda: in_lab.run_cell(page, 2).strip(), lambda found: found == "size size size")


def test_groups_over_the_effect_follow_the_sliders(
    page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = study.workspace(view='effect', feature='mean texture')\nview"),
        new_code_cell("print(effect_in_python(view))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), notebook_folder / NOTEBOOK)
    in_lab.open_notebook(page, lab, NOTEBOOK)
    in_lab.execute(page, "application:toggle-left-area")
    page.set_viewport_size({"width": 1600, "height": 900})
    for cell in (0, 1):
        in_lab.run_cell(page, cell)
    workspace = PaintedWidget(page, ".ts-workspace[data-ready='1']")
    effect = PaintedWidget(page, ".ts-inside-effect .tauscope[data-ready='1']")
    effect.at("by").focus()
    page.keyboard.press("ArrowDown")
    expect(effect.root.locator(".ts-name")).to_have_text(["large", "medium", "small"])
    expect(workspace.root.locator(".ts-cell-curves [data-testid=by]").first).to_have_value("size")
    unstressed = effect.text("group-rows")
    slider = workspace.root.locator('.ts-cell-sliders input[data-feature="mean texture"]')
    slider.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(effect.at("group-rows")).not_to_have_text(unstressed)
    told: dict[str, Any] = ask_until(
        lambda: json.loads(in_lab.run_cell(page, 2)), lambda found: found.get("tau") == 0.2
    )
    assert effect.text("group-rows") == told["rows"]
    effect.at("chart").focus()
    page.keyboard.press("Home")
    reading = effect.text("reading")
    for label, value in told["first"].items():
        said = next(part for part in reading.split("; ") if part.startswith(f"{label} "))
        assert says(said.removeprefix(f"{label} ").split(" (")[0], value, share=True)
    assert workspace.collisions() == []
    picture("groups-effect-lab")
    effect.at("by").focus()
    page.keyboard.press("ArrowUp")
    expect(effect.root.locator(".ts-of-group.ts-overlay")).to_have_count(0)
