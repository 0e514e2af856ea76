"""The joint stress widget in JupyterLab, several sliders moved with real keys, against what Python computes."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import joint, lab as in_lab
from browser.contrast import contrast
from browser.joint import JointWidget
from browser.server import Server
from browser.test_lab import use_theme
from browser.waits import ask_until
from browser.widget import says

FIRST, SECOND, LEVEL = "mean compactness", "mean smoothness", "size = medium"
NARROW, NARROWEST = 520, 390
READABLE = 4.5
READOUTS = ("value", "interval", "population", "trust")


@pytest.fixture
def widget(page: Page, lab: Server, notebook_folder: Path) -> JointWidget:
    """The widget solved in the page, of a notebook whose cells up to it were run."""
    joint.write_notebook(notebook_folder)
    in_lab.open_notebook(page, lab, joint.NOTEBOOK)
    in_lab.run_cell(page, 0)
    in_lab.run_cell(page, joint.SHOW)
    return JointWidget(page)


def ask_python(widget: JointWidget, stress: dict[str, Any], cell: int = joint.ASK) -> dict[str, Any]:
    """Ask Python, in a later cell, for the numbers at its own traits, once these have followed the sliders."""
    wanted = {"taus": pytest.approx(stress["taus"]), "hold": stress["hold"]}
    return ask_until(lambda: json.loads(in_lab.run_cell(widget.page, cell)), lambda python: python["stress"] == wanted)


def check_numbers(widget: JointWidget, python: dict[str, Any]) -> None:
    """Compare every number of the readout with Python's."""
    assert says(widget.text("value"), python["value"])
    assert says(widget.text("interval"), python["lower"], python["upper"], share=True)
    assert says(widget.text("ess"), python["ess"])
    assert says(widget.statistic("kl"), python["kl"])
    assert says(widget.statistic("tv"), python["tv"])
    assert says(widget.statistic("pareto-k"), python["pareto_k"])


def test_several_sliders_and_python_follows(widget: JointWidget, picture: Callable[[str], object]) -> None:
    before = widget.text("value")
    widget.press(FIRST, "ArrowRight", times=7)
    widget.press(SECOND, "PageDown")
    widget.open_categories()
    widget.press(LEVEL, "ArrowRight", times=5)
    stress = {"taus": {FIRST: 0.07, SECOND: -0.2, LEVEL: 0.05}, "hold": "none"}
    python = ask_python(widget, stress)
    check_numbers(widget, python)
    said = widget.text("population")
    for name in stress["taus"]:
        assert name in said
    assert "effective rows of" in widget.text("population-trust")
    picture("joint-lab-light")
    assert widget.collisions() == []
    widget.hold("means")
    check_numbers(widget, ask_python(widget, {**stress, "hold": "means"}))
    assert "other features stay" in widget.text("population")
    widget.root.get_by_test_id("reset").click()
    widget.wait_for_text("population", "the data as they are")
    assert widget.text("value") == before


def test_what_cannot_be_is_said_and_where_it_ends_is_marked(
    widget: JointWidget, picture: Callable[[str], object]
) -> None:
    widget.press("mean radius", "End")
    widget.press("mean area", "Home")
    python = ask_python(widget, {"taus": {"mean radius": 1, "mean area": -1}, "hold": "none"})
    assert python["error"] == "InfeasibleTarget"
    assert widget.text("population").startswith("none. Not shown")
    assert widget.text("value") == "none"
    assert not widget.at("population-trust").is_visible()
    range_line = widget.root.locator(".ts-row:has(input[data-feature='mean area'])").get_by_test_id("range")
    range_line.wait_for()
    assert range_line.inner_text().startswith("the others leave")
    picture("joint-lab-infeasible")
    assert widget.collisions() == []
    widget.press("mean area", "Escape")
    check_numbers(widget, ask_python(widget, {"taus": {"mean radius": 1}, "hold": "none"}))


def test_python_moves_the_widget(widget: JointWidget) -> None:
    revision = widget.revision()
    stress = {"taus": {FIRST: -0.3, SECOND: 0.2}, "hold": "means"}
    in_lab.run_cell(widget.page, joint.SET, f"view.stress, view.metric = {stress!r}, 'error_rate'")
    widget.wait_for_paint(revision)
    widget.wait_for_text("population", SECOND)
    assert float(widget.slider(FIRST).input_value()) == -0.3
    check_numbers(widget, ask_python(widget, stress))
    assert widget.picked("metric") == "error_rate"


def test_kernel_answers_past_the_budget(widget: JointWidget, picture: Callable[[str], object]) -> None:
    in_lab.run_cell(widget.page, joint.KERNEL)
    other = JointWidget(widget.page, ".by-kernel")
    other.press(FIRST, "ArrowRight", times=4)
    other.press(SECOND, "ArrowRight", times=3)
    other.wait_while_stale()
    python = ask_python(other, {"taus": {FIRST: 0.04, SECOND: 0.03}, "hold": "none"}, joint.ASK_KERNEL)
    check_numbers(other, python)
    other.root.scroll_into_view_if_needed()
    picture("joint-lab-kernel")


def test_linked_widgets_move_together(widget: JointWidget) -> None:
    in_lab.run_cell(widget.page, joint.LINKED)
    other = JointWidget(widget.page, ".other")
    other.press(FIRST, "ArrowRight", times=6)
    widget.wait_for_text("population", FIRST)
    widget.page.wait_for_function(
        "(slider) => Number(slider.value) === 0.06", arg=widget.slider(FIRST).element_handle()
    )
    assert widget.text("value") == other.text("value")


@pytest.fixture
def dark(widget: JointWidget) -> Iterator[JointWidget]:
    """The widget in JupyterLab's dark theme, which is put back for the tests that follow."""
    use_theme(widget.page, "JupyterLab Dark", "#111")
    yield widget
    use_theme(widget.page, "JupyterLab Light", "white")


def test_texts_can_be_read_in_dark(dark: JointWidget, picture: Callable[[str], object]) -> None:
    dark.press(FIRST, "ArrowRight", times=9)
    dark.open_categories()
    dark.press(LEVEL, "ArrowLeft", times=9)
    ratios = {testid: contrast(dark.root.get_by_test_id(testid)) for testid in READOUTS}
    picture("joint-lab-dark")
    assert min(ratios.values()) >= READABLE, ratios


def test_narrow_panel(widget: JointWidget, picture: Callable[[str], object]) -> None:
    in_lab.execute(widget.page, "application:toggle-left-area")
    widget.open_categories()
    for width in (NARROW, NARROWEST):
        widget.page.set_viewport_size({"width": width, "height": 900})
        widget.press(FIRST, "ArrowRight")
        widget.press(LEVEL, "ArrowRight")
        picture(f"joint-lab-{width}")
        assert widget.collisions() == []
        assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
