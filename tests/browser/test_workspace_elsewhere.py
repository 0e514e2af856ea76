"""The workspace of 100,000 rows in JupyterLab, which no page carries: what the kernel answers in the page's place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from browser import lab as in_lab
from browser.notebooks import PYTHON
from browser.server import Server
from browser.waits import ask_until
from browser.widget import Widget, says, shown

NOTEBOOK = "elsewhere.ipynb"
SHOW, ASK = 1, 2
AGE = "age"
SOURCE = '''\
import json

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import tauscope as ts

rng = np.random.default_rng(0)
names = ["age", "hours", *(f"feature {k}" for k in range(10))]
X = pd.DataFrame(rng.normal(size=(100_000, 12)), columns=names)
X["age"] = np.round(40 + 10 * X["age"])
y = pd.Series(X["age"] / 10 + X["hours"] + rng.logistic(size=len(X)) > 4, name="bought")
model = LogisticRegression(max_iter=1000).fit(X[:1000], y[:1000])
study = ts.Study(model, X, y)


def in_python():
    """Say the workspace's traits, and what its matrix and the share of the rows selected must be."""
    view = study._show()
    taus = view.stress["taus"]
    truth, predicted = study._outcomes.truth, study._outcomes.predicted
    weight = study.joint_stress().at(taus).weights if taus else np.ones(len(X))
    places = [weight[2 * truth + predicted == place].sum() / weight.sum() for place in range(4)]
    before = [float(np.mean(2 * truth + predicted == place)) for place in range(4)]
    selected = view.selection
    share = weight[selected].sum() / weight.sum()
    wrong = np.flatnonzero((truth == 0) & (predicted == 1)).tolist()
    table = getattr(view.inside.get("table"), "display", "")
    return json.dumps({
        "taus": taus, "places": places, "before": before, "n": len(selected), "share": share, "display": table,
        "are_wrong": selected == wrong, "first": selected[:3],
    })
'''


@pytest.fixture
def workspace(page: Page, lab: Server, notebook_folder: Path) -> Widget:
    """The workspace of a study of 100,000 rows."""
    cells = [new_code_cell(SOURCE), new_code_cell("study"), new_code_cell("print(in_python())")]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), notebook_folder / NOTEBOOK)
    page.set_viewport_size({"width": 1600, "height": 900})
    in_lab.open_notebook(page, lab, NOTEBOOK)
    in_lab.execute(page, "application:toggle-left-area")
    in_lab.run_cell(page, 0)
    in_lab.run_cell(page, SHOW)
    return Widget(page, ".ts-workspace[data-ready='1']")


def ask_python(widget: Widget, agrees: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask Python, in a later cell, until it knows what the page shows."""
    return ask_until(lambda: json.loads(in_lab.run_cell(widget.page, ASK)), agrees)


def wait_for_answer(workspace: Widget) -> None:
    """Wait until nothing shown is of another stress."""
    expect(workspace.root.locator(".ts-is-stale:visible")).to_have_count(0)


def test_matrix_and_share_come_from_the_kernel(workspace: Widget, picture: Callable[[str], object]) -> None:
    cells = [workspace.at(f"confusion-{place}") for place in range(4)]
    at_rest = ask_python(workspace, lambda told: told["taus"] == {})
    for place, share in enumerate(at_rest["places"]):
        assert says(cells[place].locator("b").inner_text(), share)
    workspace.press(AGE, "ArrowRight", times=20)
    wait_for_answer(workspace)
    told = ask_python(workspace, lambda told: told["taus"] == {AGE: 0.2})
    for place, share in enumerate(told["places"]):
        assert says(cells[place].inner_text(), told["before"][place], share)
    cells[1].press("Enter")
    expect(workspace.at("selected-words")).to_contain_text("as tested")
    told = ask_python(workspace, lambda told: told["are_wrong"])
    words = workspace.text("selected-words")
    n, *shares = (number for number, _ in shown(words))
    assert round(100 * n) == told["n"]  # as a share, since there is a percentage beside it
    assert shares == pytest.approx([told["share"], told["before"][1]], abs=5e-4)
    picture("workspace-elsewhere")
    assert workspace.collisions() == []
    workspace.press(AGE, "ArrowLeft", times=40)
    wait_for_answer(workspace)
    told = ask_python(workspace, lambda told: told["taus"] == {AGE: -0.2})
    _, now, before = (number for number, _ in shown(workspace.text("selected-words")))
    assert (now, before) == pytest.approx((told["share"], told["before"][1]), abs=5e-4)


def test_scatter_draws_a_sample_and_selects_of_it(workspace: Widget, picture: Callable[[str], object]) -> None:
    page = workspace.page
    workspace.at("tab-table").press("Enter")
    table = workspace.at("panel-table")
    table.locator(".ts-row-table[data-ready='1']").wait_for()
    table.get_by_test_id("display-scatter").press("Enter")
    expect(table.get_by_test_id("scatter-said")).to_have_text(
        "2,000 of 100,000 rows, drawn at random, seed 0; a rectangle selects among those drawn."
    )
    plot = table.get_by_test_id("scatter")
    box = plot.bounding_box() or pytest.fail("The scatter is not there.")
    # hover waits until the plot stands still and nothing lies over it
    plot.hover(position={"x": 0.3 * box["width"], "y": 0.2 * box["height"]})
    page.mouse.down()
    plot.hover(position={"x": 0.6 * box["width"], "y": 0.6 * box["height"]})
    page.mouse.up()
    rectangle = table.get_by_test_id("scatter-rectangle")
    # what the page and the kernel say of the last move arrives apart
    told = ask_python(workspace, lambda told: rectangle.inner_text().endswith(f": {told['n']:,} rows"))
    within = rectangle.inner_text()
    assert 20 < told["n"] < 2000
    assert within.endswith(f": {told['n']:,} rows")
    assert within.startswith(f"Within {AGE} ")
    workspace.press(AGE, "ArrowRight", times=10)
    wait_for_answer(workspace)
    told = ask_python(workspace, lambda told: told["taus"] == {AGE: 0.1})
    assert says(workspace.text("selected-words").partition("rows, ")[2], told["share"])
    assert told["display"] == "scatter"
    assert table.get_by_test_id("scatter-rectangle").inner_text() == within
    picture("workspace-elsewhere-scatter")
    assert workspace.collisions() == []
    table.get_by_test_id("filter").select_option("errors")
    expect(table.get_by_test_id("scatter-said")).to_contain_text("2,000 of 28,")
    wait_for_answer(workspace)


def test_scenarios_are_compared_by_the_kernel_and_a_page_has_a_sample(
    workspace: Widget, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    page = workspace.page
    for name, times in (("older", 20), ("much older", 10)):
        workspace.press(AGE, "ArrowRight", times=times)
        workspace.at("scenario").press("Enter")
        workspace.at("scenario-keep").press("Enter")
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        workspace.wait_for_text("said", f"Kept “{name}”.")
    wait_for_answer(workspace)
    workspace.at("scenario").press("Enter")
    workspace.at("scenario-compare").press("Enter")
    cells = workspace.at("scenario-table").locator("tbody tr").first.locator("td")
    expect(cells).to_have_count(3)
    now = workspace.at("panel-metrics").get_by_test_id("value").first.inner_text()
    assert cells.nth(2).inner_text().startswith(now)
    page.keyboard.press("Escape")
    with page.expect_download() as saved:
        workspace.at("save-page").press("Enter")
    saved.value.save_as(tmp_path / "audit.html")
    alone = page.context.new_page()
    alone.goto((tmp_path / "audit.html").as_uri())
    sample = Widget(alone, ".ts-workspace[data-ready='1']")
    expect(alone.locator("body")).to_contain_text("of 100,000 rows")
    expect(sample.at("population-name").first).to_contain_text("much older")
    expect(sample.at("confusion-1")).to_contain_text("→")
