"""The head of the workspace in JupyterLab: a stress kept, code that gives the numbers on screen, a page saved."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

import tauscope as ts
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


def metrics_in_python():
    """Say every metric as tested and under the stress of the workspace."""
    taus = study._show().stress["taus"]
    frame = study.joint_stress().at(taus).metrics
    return frame.to_json(orient="records")


def run(code):
    """Run copied code as a cell, and say whether it did."""
    exec(code, {"study": study})
    return "ran"


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


def choose(workspace: Widget, menu: str, entry: str) -> None:
    """Choose an entry of a menu of the head by keys."""
    workspace.at(menu).press("Enter")
    workspace.at(entry).press("Enter")


def keep(workspace: Widget, name: str) -> None:
    """Keep the stress shown."""
    choose(workspace, "scenario", "scenario-keep")
    workspace.page.keyboard.type(name)
    workspace.page.keyboard.press("Enter")
    workspace.wait_for_text("said", f"Kept “{name}”.")


def clipboard(page: Page) -> str:
    """Return what was copied."""
    return page.evaluate("() => navigator.clipboard.readText()")


def test_scenarios_are_compared_and_go_to_a_file_and_back(
    workspace: Widget, names: dict[str, Any], tmp_path: Path, picture: Callable[[str], object]
) -> None:
    study, page = names["study"], workspace.page
    workspace.press(FEATURE, "ArrowRight", times=8)
    keep(workspace, "denser")
    workspace.press("mean radius", "ArrowLeft", times=10)
    keep(workspace, "denser & smaller")
    kept = [
        ts.Scenario("denser", {FEATURE: 0.08}),
        ts.Scenario("denser & smaller", {FEATURE: 0.08, "mean radius": -0.1}),
    ]
    choose(workspace, "scenario", "scenario-compare")
    table = workspace.at("scenario-table")
    compared = study.compare_scenarios(kept).frame
    for metric, line in zip(compared["metric"].unique(), table.locator("tbody tr").all(), strict=False):
        for cell, (_, row) in zip(
            line.locator("td").all_inner_texts(), compared[compared["metric"] == metric].iterrows(), strict=True
        ):
            value, interval = cell.split("\n")[:2]
            assert says(value, row["value"])
            assert says(interval, row["lower"], row["upper"], share="%" in value)
    picture("workspace-lab-compare")
    assert workspace.collisions() == []
    page.keyboard.press("Escape")
    expect(workspace.at("scenario")).to_be_focused()

    with page.expect_download() as told:
        choose(workspace, "scenario", "scenario-export")
    assert told.value.suggested_filename == "scenarios.json"
    told.value.save_as(tmp_path / "scenarios.json")
    assert list(study.load_scenarios(tmp_path / "scenarios.json")) == kept

    choose(workspace, "scenario", "scenario-compare")
    workspace.at("scenario-remove-0").press("Enter")
    workspace.at("scenario-close").press("Enter")
    ask_python(workspace, lambda told: [one["name"] for one in told["scenarios"]] == ["denser & smaller"])
    half = study.where([row % 2 == 0 for row in range(study.n_rows)])
    half.save_scenarios(tmp_path / "other.json", kept)
    for file, words in (("other.json", "of other data (hash "), ("scenarios.json", "Loaded 2 scenarios")):
        with page.expect_file_chooser() as asked:
            choose(workspace, "scenario", "scenario-import")
        asked.value.set_files(tmp_path / file)
        workspace.wait_for_text("said", words)
    told = ask_python(workspace, lambda told: len(told["scenarios"]) == 2)
    assert [one["name"] for one in told["scenarios"]] == ["denser & smaller", "denser"]
    choose(workspace, "scenario", "scenario-apply-1")
    ask_python(workspace, lambda told: told["stress"]["taus"] == {FEATURE: 0.08})
    assert workspace.at("population-name").first.inner_text().startswith("denser:")


def test_undo_and_redo_go_through_moves_of_every_view(workspace: Widget) -> None:
    page = workspace.page
    moves: list[dict[str, float]] = [{}]
    for feature, key, tau in ((FEATURE, "PageUp", 0.2), ("mean radius", "PageDown", -0.2)):
        workspace.press(feature, key)
        moves.append({**moves[-1], feature: tau})
        ask_python(workspace, lambda told: told["stress"]["taus"] == moves[-1])
        page.wait_for_timeout(1500)  # moves of one moment are one
    for button, back in (("undo", reversed(moves[:-1])), ("redo", moves[1:])):
        for taus in back:
            workspace.at(button).press("Enter")
            ask_python(workspace, lambda told, taus=taus: told["stress"]["taus"] == taus)
        assert workspace.at(button).is_disabled()


def test_sentence_and_table_have_the_numbers_of_python(workspace: Widget) -> None:
    page = workspace.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    workspace.press(FEATURE, "ArrowRight", times=8)
    ask_python(workspace, lambda told: told["stress"]["taus"] == {FEATURE: 0.08})
    metrics = pd.read_json(io.StringIO(in_lab.run_cell(page, ASK, "print(metrics_in_python())")))
    choose(workspace, "copy", "copy-sentence")
    workspace.wait_for_text("said", "Copied the sentence.")
    population, _, said = clipboard(page).partition(". Share predicted 1 ")
    assert FEATURE in population
    portion = metrics.set_index("metric").loc["portion_1"]
    assert says(said, portion["value"])
    assert says(said.partition("(")[2], portion["lower"], portion["upper"], share=True)
    assert says(said.partition("as tested ")[2], portion["before"])
    choose(workspace, "copy", "copy-number")
    workspace.wait_for_text("said", "Copied the number: Share predicted 1 ")
    assert says(clipboard(page), portion["value"])
    choose(workspace, "copy", "copy-table")
    workspace.wait_for_text("said", "Copied the table.")
    table = pd.read_csv(io.StringIO(clipboard(page)), sep="\t").set_index("metric")
    assert table.index.tolist() == metrics["metric"].tolist()
    for ours, theirs in (("as tested", "before"), ("under the stress", "value"), ("lower.1", "lower")):
        assert table[ours].tolist() == pytest.approx(metrics[theirs].tolist(), rel=1e-4)


@pytest.mark.parametrize("view", ["curves", "effect", "boundary", "pooled", "rules", "table"])
def test_every_view_is_copied(workspace: Widget, view: str) -> None:
    page = workspace.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if view == "curves":
        page.set_viewport_size({"width": 900, "height": 900})
    workspace.press(FEATURE, "ArrowRight", times=4)
    workspace.at(f"tab-{view}").press("Enter")
    workspace.at(f"panel-{view}").locator(".tauscope[data-ready='1']").first.wait_for()
    copied: dict[str, str] = {}
    for what, said in (
        ("sentence", "Copied the sentence."),
        ("table", "Copied the table"),
        ("python", "Copied the code."),
    ):
        choose(workspace, "copy", f"copy-{what}")
        workspace.wait_for_text("said", said)
        copied[what] = clipboard(page)
    assert copied["sentence"].endswith((".", ")"))
    assert copied["table"].count("\t") > 1
    assert in_lab.run_cell(page, ASK, f"print(run({copied['python']!r}))") == "ran\n"
    if view == "boundary":
        assert "\tnearest flip 0\t" in copied["table"]  # a word and a number below it, in one cell


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
