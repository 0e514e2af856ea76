"""The stress widget in JupyterLab, moved with real keys, against what Python computes."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import lab as in_lab, notebooks
from browser.contrast import contrast
from browser.server import Server
from browser.waits import ask_until
from browser.widget import Widget, says

SAVED_KILOBYTES = 60
FEATURE = "mean area"
NARROW, NARROWEST = 520, 390
READABLE = 4.5
READOUTS = ("value", "interval", "population", "trust")


@pytest.fixture
def widget(page: Page, lab: Server, notebook_folder: Path) -> Widget:
    """The widget of a notebook that was run from top to bottom."""
    notebooks.write_widget_notebook(notebook_folder)
    in_lab.open_notebook(page, lab, notebooks.WIDGET)
    in_lab.run_all(page)
    return Widget(page)


def ask_python(widget: Widget, feature: str) -> dict[str, Any]:
    """Ask Python, in a later cell, for the numbers at its own traits, once these have followed the slider.

    A key pressed while the answer to an earlier one is on its way reaches Python after that; a cell run at once
    can overtake it.
    """

    def agrees(python: dict[str, Any]) -> bool:
        shown = (feature, float(widget.slider(feature).input_value()), widget.picked("metric"))
        return (python["feature"], pytest.approx(python["tau"]), python["metric"]) == shown

    return ask_until(lambda: json.loads(in_lab.run_cell(widget.page, notebooks.ASK)), agrees)


def check_against_python(widget: Widget, feature: str) -> dict[str, Any]:
    """Compare every number of the readout with what Python computes at its own traits."""
    python = ask_python(widget, feature)
    assert says(widget.text("value"), python["value"])
    assert says(widget.text("interval"), python["lower"], python["upper"], share=True)
    if python["tau"] == 0:
        assert not widget.at("population-trust").is_visible()
        assert widget.text("at-rest").startswith("Move ")
        return python
    assert says(widget.text("ess"), python["ess"])
    assert says(widget.statistic("kl"), python["kl"])
    assert says(widget.statistic("tv"), python["tv"])
    assert says(widget.statistic("pareto-k"), python["pareto_k"])
    assert says(widget.text("population"), python["target"])
    return python


def test_keys_move_the_numbers_and_python_follows(widget: Widget, picture: Callable[[str], object]) -> None:
    before = widget.text("value")
    widget.press(FEATURE, "ArrowRight", times=7)
    assert check_against_python(widget, FEATURE)["tau"] == pytest.approx(0.14)
    assert widget.text("value") != before
    widget.press(FEATURE, "PageDown", times=2)
    assert check_against_python(widget, FEATURE)["tau"] == pytest.approx(-0.26)
    picture("lab-light")
    assert widget.collisions() == []
    widget.press(FEATURE, "End")
    assert check_against_python(widget, FEATURE)["tau"] == 1
    assert widget.text("trust").strip()
    widget.press(FEATURE, "Escape")
    assert check_against_python(widget, FEATURE)["tau"] == 0
    assert widget.text("value") == before


def test_other_features_and_metrics(widget: Widget) -> None:
    widget.open_categories()
    widget.press("size = large", "ArrowLeft", times=3)
    check_against_python(widget, "size = large")
    widget.choose("metric", "error_rate")
    assert check_against_python(widget, "size = large")["metric"] == "error_rate"
    widget.press("mean texture", "ArrowLeft")
    check_against_python(widget, "mean texture")


def test_python_moves_the_widget(widget: Widget) -> None:
    revision = widget.revision()
    cell = 'view.tau, view.feature, view.metric = -0.5, "mean texture", "error_rate"'
    in_lab.run_cell(widget.page, notebooks.SET, cell)
    widget.wait_for_paint(revision)
    widget.page.wait_for_function(
        "(slider) => Number(slider.value) === -0.5",
        arg=widget.slider("mean texture").element_handle(),
    )
    python = check_against_python(widget, "mean texture")
    assert (python["tau"], python["metric"]) == (-0.5, "error_rate")


def use_theme(page: Page, name: str, surface: str) -> None:
    """Change JupyterLab's theme and wait for its colour of surfaces."""
    page.evaluate("(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", name)
    page.wait_for_function(
        "(colour) => getComputedStyle(document.body).getPropertyValue('--jp-layout-color0').trim() === colour",
        arg=surface,
    )


@pytest.fixture
def dark(widget: Widget) -> Iterator[Widget]:
    """The widget in JupyterLab's dark theme, which is put back for the tests that follow."""
    use_theme(widget.page, "JupyterLab Dark", "#111")
    yield widget
    use_theme(widget.page, "JupyterLab Light", "white")


def test_texts_can_be_read_in_light(widget: Widget) -> None:
    widget.press(FEATURE, "ArrowRight", times=5)
    ratios = {testid: contrast(widget.root.get_by_test_id(testid)) for testid in READOUTS}
    assert min(ratios.values()) >= READABLE, ratios


def test_texts_can_be_read_in_dark(dark: Widget, picture: Callable[[str], object]) -> None:
    dark.press(FEATURE, "ArrowRight", times=5)
    ratios = {testid: contrast(dark.root.get_by_test_id(testid)) for testid in READOUTS}
    picture("lab-dark")
    assert min(ratios.values()) >= READABLE, ratios


def test_narrow_panel(widget: Widget, picture: Callable[[str], object]) -> None:
    in_lab.execute(widget.page, "application:toggle-left-area")
    for width in (NARROW, NARROWEST):
        widget.page.set_viewport_size({"width": width, "height": 900})
        widget.press(FEATURE, "ArrowRight")
        picture(f"lab-{width}")
        assert widget.collisions() == []
        assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0


def test_saved_notebook_is_small_and_shows_a_picture(widget: Widget, notebook_folder: Path) -> None:
    in_lab.execute(widget.page, "docmanager:save")
    saved = (notebook_folder / notebooks.WIDGET).read_text()
    (shown,) = [
        output["data"]
        for output in json.loads(saved)["cells"][notebooks.SHOW]["outputs"]
        if "application/vnd.jupyter.widget-view+json" in output.get("data", {})
    ]
    assert {"text/plain", "text/html", "image/svg+xml"} <= set(shown)
    assert len(saved) <= 1000 * SAVED_KILOBYTES
