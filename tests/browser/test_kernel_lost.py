"""A workspace whose kernel was restarted, or ended behind it: what works goes on, and what to do is said."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page

from browser import lab as in_lab, notebooks, workspace
from browser.server import Server, in_voila
from browser.study import SOURCE
from browser.test_accessibility import findings
from browser.watch import Watch
from browser.widget import Widget

pytestmark = pytest.mark.slow

NOTEBOOK = "kernel-lost.ipynb"
FEATURE = "mean compactness"
RESTART = f"async () => {{ await {in_lab.NOTEBOOK}.sessionContext.session.kernel.restart(); }}"
KERNEL_ID = "() => JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"


def check_goes_on(shown: Widget) -> None:
    """Check what is said, that the page still computes, and that a view not opened before says why it is not there."""
    strip = shown.root.locator("> [data-testid=kernel-gone]")
    strip.wait_for()
    words = strip.inner_text()
    assert "run the cell again, or reload the page in Voila" in words
    assert "still works: sliders, curves, metrics" in words
    shown.at("tab-metrics").press("Enter")
    value = shown.at("panel-metrics").get_by_test_id("value").first
    before = value.inner_text()
    shown.press(FEATURE, "ArrowRight", times=10)
    assert value.inner_text() != before
    shown.at("tab-effect").press("Enter")
    assert shown.at("panel-effect").locator(".tauscope[data-ready='1']").is_visible()
    shown.at("tab-rules").press("Enter")
    assert "not opened before the kernel was lost" in shown.at("panel-rules").inner_text()
    assert [one.is_visible() for one in shown.at("kernel-gone").all()].count(True) == 1
    assert shown.at("save-page").get_attribute("aria-disabled") == "true"


def test_a_kernel_restarted_in_jupyterlab(
    page: Page, lab: Server, notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    cells = [new_code_cell(SOURCE), new_code_cell("ts.Study(model, X, y)")]
    nbformat.write(new_notebook(cells=cells, metadata=notebooks.PYTHON), notebook_folder / NOTEBOOK)
    in_lab.run_notebook(page, lab, NOTEBOOK)
    shown = Widget(page, workspace.READY)
    shown.at("tab-effect").press("Enter")
    shown.at("panel-effect").locator(".tauscope[data-ready='1']").wait_for()
    page.evaluate(RESTART)
    check_goes_on(shown)
    picture("kernel-lost-lab")
    in_lab.run_all(page)
    again = Widget(page, workspace.READY)
    assert again.at("kernel-gone").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_kernel_ended_behind_voila(watch: Watch, voila: Server, picture: Callable[[str], object], theme: str) -> None:
    watch.page.set_viewport_size({"width": 1600, "height": 900})
    watch.page.goto(f"{in_voila(voila, workspace.IN_VOILA)}?theme={theme}")
    shown = Widget(watch.page, workspace.READY)
    shown.at("tab-effect").press("Enter")
    shown.at("panel-effect").locator(".tauscope[data-ready='1']").wait_for()
    kernel = watch.page.evaluate(KERNEL_ID)
    [process] = [one for one in voila.processes() if any(kernel in word for word in one.cmdline())]
    process.kill()
    check_goes_on(shown)
    picture(f"kernel-lost-voila-{theme}")
    assert findings(watch.page) == []
