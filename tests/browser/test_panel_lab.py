"""The panel in JupyterLab: a study from its form, opened beside the cells and linked to them; kernels that go."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser import lab as in_lab
from browser.contrast import contrast
from browser.server import Server
from browser.study_panel import SECONDS, StudyPanel, write_notebook
from browser.test_accessibility import findings
from browser.test_lab import READABLE, use_theme
from browser.watch import Watch

pytestmark = pytest.mark.slow

OTHER = "panel-other.ipynb"
NARROW = 320
COUNT = f"() => {in_lab.NOTEBOOK}.content.widgets.map((cell) => cell.model.executionCount)"
# What JupyterLab's debugger says where its notebook is closed while it asks.
DEBUGGER = "Could not restore the debugger state"
RESTART = f"async () => {{ await {in_lab.NOTEBOOK}.sessionContext.restartKernel(); }}"
SHUT_DOWN = f"async () => {{ await {in_lab.NOTEBOOK}.sessionContext.shutdown(); }}"
SOURCES = f"() => {in_lab.NOTEBOOK}.content.widgets.map((cell) => cell.model.sharedModel.source)"
TO = """
    async (path) => {
      await window.jupyterapp.commands.execute("docmanager:open", { path });
    }
"""


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """The notebook of one test: another kernel than that of others."""
    return f"{request.function.__name__}.ipynb"


@pytest.fixture
def panel(page: Page, lab: Server, notebook_folder: Path, name: str) -> StudyPanel:
    """The panel beside a notebook whose one cell, which fits a model, was not run yet."""
    write_notebook(notebook_folder, name)
    in_lab.open_notebook(page, lab, name)
    return StudyPanel(page)


def move(panel: StudyPanel, times: int) -> str:
    """Press a key on the panel's slider, and wait until the one in the cell follows."""
    slider = panel.slider()
    slider.scroll_into_view_if_needed()
    slider.focus()
    for _ in range(times):
        panel.page.keyboard.press("ArrowRight")
    value = slider.input_value()
    expect(panel.slider_in_cell()).to_have_value(value, timeout=SECONDS)
    return value


def test_a_study_made_in_the_panel_moves_with_its_cell(
    panel: StudyPanel, lab: Server, name: str, picture: Callable[[str], object]
) -> None:
    page = panel.page
    settings = page.request.get(f"{lab.base}/lab/api/settings/tauscope:panel").json()
    assert set(settings["schema"]["properties"]) == {"followActiveNotebook", "openOnStart"}
    panel.expect_words("Tauscope is not imported in this notebook yet.")
    picture("panel-begin")
    in_lab.run_all(page)
    panel.expect_words("No study yet.")
    panel.at("form").locator("summary").press("Enter")
    expect(panel.at("code")).to_have_text("study = ts.Study(model, X, y)")
    picture("panel-form")
    panel.press("run")
    expect(panel.at("open")).to_have_text("Open study", timeout=SECONDS)
    assert page.evaluate(SOURCES)[1] == "study = ts.Study(model, X, y)"
    expect(panel.at("code")).to_have_text("study_2 = ts.Study(model, X, y)")
    assert page.evaluate(COUNT) == [1, 2]

    in_lab.execute(page, "notebook:insert-cell-below")
    in_lab.run_cell(page, 2, "study")
    panel.press("open")
    panel.slider().wait_for(timeout=SECONDS)
    panel.slider_in_cell().wait_for(timeout=SECONDS)
    assert panel.slider().input_value() == "0"
    assert float(move(panel, 7)) > 0
    picture("panel-light")
    assert page.evaluate(COUNT) == [1, 2, 3]
    in_lab.run_cell(page, 2, "study")
    expect(panel.slider_in_cell()).to_have_value(panel.slider().input_value())
    expect(panel.at("path")).to_have_text(f"study, {name}")


def test_a_kernel_that_goes_is_said_and_the_study_opened_again(
    panel: StudyPanel, picture: Callable[[str], object]
) -> None:
    page = panel.page
    in_lab.run_all(page)
    panel.make_study()
    panel.press("open")
    panel.slider().wait_for(timeout=SECONDS)
    page.evaluate(RESTART)
    panel.expect_words(
        "study went with the kernel, which was restarted. Run the cells that make it, then open it again."
    )
    assert panel.root.locator(".jp-OutputArea").count() == 0
    picture("panel-restarted")
    in_lab.run_all(page)
    panel.expect_words("It is there again.")
    panel.press("again")
    panel.slider().wait_for(timeout=SECONDS)
    assert panel.root.locator(".jp-OutputArea").count() == 1
    assert page.locator("#tauscope-panel").count() == 1
    in_lab.run_cell(page, 1)
    panel.expect_words("study was made again since it was opened here.")
    panel.press("again")
    panel.slider().wait_for(timeout=SECONDS)
    page.evaluate(SHUT_DOWN)
    panel.expect_words("study went with the kernel, which stopped. Start a kernel, run the cells")
    assert panel.root.locator(".jp-OutputArea").count() == 0


def test_each_notebook_keeps_what_was_opened_of_it(
    panel: StudyPanel, watch: Watch, name: str, notebook_folder: Path
) -> None:
    page = panel.page
    in_lab.run_all(page)
    panel.make_study()
    panel.press("open")
    panel.slider().wait_for(timeout=SECONDS)
    panel.slider().press("ArrowRight")
    moved = panel.slider().input_value()
    assert float(moved) > 0
    write_notebook(notebook_folder, OTHER, "import tauscope as ts")
    page.evaluate(TO, OTHER)
    expect(panel.at("path")).to_have_text(OTHER)
    expect(panel.slider()).to_be_hidden()
    page.wait_for_function(in_lab.KERNEL_IDLE)
    panel.expect_words("Tauscope is not imported in this notebook yet.")
    page.evaluate(TO, name)
    expect(panel.at("path")).to_have_text(f"study, {name}")
    assert panel.slider().input_value() == moved
    page.evaluate(f"() => {in_lab.NOTEBOOK}.context.save().then(() => {in_lab.NOTEBOOK}.dispose())")
    expect(panel.at("path")).to_have_text(OTHER)
    assert panel.root.locator(".jp-OutputArea").count() == 0
    watch.problems[:] = [problem for problem in watch.problems if DEBUGGER not in problem]


def test_the_palette_opens_each_study(panel: StudyPanel) -> None:
    page = panel.page
    in_lab.run_all(page)
    panel.make_study()
    in_lab.execute(page, "apputils:activate-command-palette")
    page.locator(".lm-CommandPalette-input").fill("tauscope open")
    items = page.locator(".lm-CommandPalette-itemLabel")
    expect(items.filter(has_text="Tauscope: open the panel")).to_have_count(1)
    items.filter(has_text="Tauscope: open workspace of study").click()
    panel.slider().wait_for(timeout=SECONDS)


def test_dark_and_narrow(panel: StudyPanel, picture: Callable[[str], object]) -> None:
    page = panel.page
    in_lab.run_all(page)
    panel.make_study()
    panel.press("open")
    panel.slider().wait_for(timeout=SECONDS)
    panel.slider().press("ArrowRight")
    use_theme(page, "JupyterLab Dark", "#111")
    try:
        picture("panel-dark")
        assert findings(page, "#tauscope-panel") == []
        expect(panel.at("code")).to_be_hidden()  # what was opened has the room
        panel.at("form").locator("summary").press("Enter")
        assert min(contrast(panel.at(part)) for part in ("path", "list", "close", "code")) >= READABLE
        assert panel.root.evaluate("(root) => root.clientWidth") <= NARROW
        assert panel.overflow() <= 0
        panel.at("form").locator("summary").press("Enter")
        tools = panel.root.locator(".ts-table-tools")
        panel.root.get_by_test_id("tab-table").press("Enter")
        expect(tools).to_be_visible(timeout=SECONDS)
        assert tools.evaluate("(one) => one.scrollWidth - one.parentElement.clientWidth") <= 0
        assert panel.overflow() <= 0
        picture("panel-rows")
        panel.root.get_by_test_id("tab-metrics").press("Enter")
        panel.root.evaluate("(root) => { root.scrollTop = root.scrollHeight; }")
        picture("panel-scrolled")
        line = panel.root.get_by_test_id("population").first
        top, *cause = [
            part.evaluate("(one) => one.getBoundingClientRect().top") for part in (panel.root, line, panel.slider())
        ]
        assert min(cause) >= top  # stays in sight
    finally:
        use_theme(page, "JupyterLab Light", "white")
