"""The boundary widget in JupyterLab, moved with real keys, against what Python finds for the same row."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import boundary_widget, lab as in_lab
from browser.boundary_widget import ROW, BoundaryWidget
from browser.contrast import contrast
from browser.server import Server
from browser.test_lab import use_theme
from browser.waits import ask_until
from browser.widget import says

FEATURE = "mean perimeter"
OTHER = 38
WIDE, NARROWEST = 1620, 390
READABLE = 4.5
READOUTS = ("headline", "certificate", "reading", "crossing", "reliability", "progress")


@pytest.fixture
def widget(page: Page, lab: Server, notebook_folder: Path) -> BoundaryWidget:
    """The widget of a notebook whose cells up to it were run."""
    boundary_widget.write_notebook(notebook_folder)
    in_lab.open_notebook(page, lab, boundary_widget.NOTEBOOK)
    in_lab.run_cell(page, 0)
    in_lab.run_cell(page, boundary_widget.SHOW)
    return BoundaryWidget(page)


def ask_python(widget: BoundaryWidget, **traits: Any) -> dict[str, Any]:
    """Ask Python, in a later cell, what it finds at its own traits, once these have followed the page."""
    return ask_until(
        lambda: json.loads(in_lab.run_cell(widget.page, boundary_widget.ASK)),
        lambda python: all(python[name] == value for name, value in traits.items()),
    )


def check_reading(widget: BoundaryWidget, python: dict[str, Any], step: int) -> None:
    """Compare what is read off at a step with Python's path."""
    path = python["path"]
    length, _, answer = widget.text("reading").partition(" Gower along, ")
    assert says(length, path["length"][step])
    assert says(answer.partition("benign: ")[2], path["answer"][step], share=True)
    assert answer.endswith(f"decided {path['label'][step]}")


def test_the_walk_follows_the_keys(widget: BoundaryWidget, picture: Callable[[str], object]) -> None:
    python = ask_python(widget, row=ROW)
    assert widget.text("headline") == python["sentence"] + "."
    first = python["path"]["label"].index("malignant")
    check_reading(widget, python, first)
    widget.press("walk", "ArrowLeft", times=3)
    check_reading(widget, python, first - 3)
    widget.press("walk", "End")
    check_reading(widget, python, len(python["path"]["label"]) - 1)
    widget.press("walk", "Home")
    check_reading(widget, python, 0)
    assert widget.at("walk").get_attribute("aria-valuetext") == widget.text("reading")
    picture("boundary-lab")
    assert widget.collisions() == []


def test_another_row_is_searched(widget: BoundaryWidget) -> None:
    widget.go_to(OTHER)
    assert widget.text("headline") == ask_python(widget, row=OTHER)["sentence"] + "."
    widget.press("next", "Enter")
    widget.wait_for_text("headline", f"Row {OTHER + 1} ")
    widget.at("find").locator("summary").focus()
    widget.page.keyboard.press("Enter")
    widget.at("search").fill("12")
    widget.wait_for_text("n-rows", "11 rows")
    widget.at("rows").locator("button").first.focus()
    widget.page.keyboard.press("Enter")
    widget.wait_for_text("headline", "Row 12 ")
    assert widget.at("row").input_value() == "12"


def test_a_locked_feature_stays(widget: BoundaryWidget, picture: Callable[[str], object]) -> None:
    own = widget.value(FEATURE).inner_text()
    assert not widget.flip(FEATURE).startswith(f"{own}\n")
    widget.lock(FEATURE)
    assert "1 locked; not searched yet" in widget.text("progress")
    picture("boundary-lab-locked")
    widget.at("search-again").focus()
    widget.page.keyboard.press("Enter")
    widget.wait_for_text("progress", "model rows, 1 locked")
    assert widget.flip(FEATURE) == widget.value(FEATURE).inner_text()
    python = ask_python(widget, row=ROW, fixed=[FEATURE])
    assert widget.text("headline") == python["sentence"] + "."
    assert says(widget.text("progress"), python["n_model_rows"])


def test_other_values_are_answered_and_inspected(widget: BoundaryWidget, picture: Callable[[str], object]) -> None:
    widget.try_value(FEATURE, "150")
    widget.wait_for_text("decision", "With this value: ")
    python = ask_python(widget, row=ROW, edits={FEATURE: 150})
    assert widget.text("decision").startswith(f"With this value: {python['tried']}, ")
    assert "1 value tried, 2 model rows" in widget.text("decision-cost")
    picture("boundary-lab-edited")
    assert widget.collisions() == []
    widget.at("inspect").focus()
    widget.page.keyboard.press("Enter")
    widget.wait_for_text("headline", "The row given is predicted ")
    assert ask_python(widget, row=-1, edits={})["sentence"] + "." == widget.text("headline")
    assert widget.value(FEATURE).inner_text().startswith("150")
    assert widget.at("row").input_value() == ""
    widget.go_to(OTHER)


def test_what_cannot_be_searched_is_said(widget: BoundaryWidget) -> None:
    own = float(widget.value(FEATURE).inner_text())
    widget.value(FEATURE).click()
    box = widget.root.get_by_label(f"least value of {FEATURE}")
    box.fill(str(own + 50))
    widget.page.keyboard.press("Enter")
    widget.at("search-again").click()
    widget.wait_for_text("problem", FEATURE)


def test_python_sets_the_row(widget: BoundaryWidget) -> None:
    in_lab.run_cell(widget.page, boundary_widget.SET, f"view.row = {OTHER}")
    widget.wait_for_text("headline", f"Row {OTHER} ")
    assert widget.at("row").input_value() == str(OTHER)


@pytest.fixture
def dark(widget: BoundaryWidget) -> Iterator[BoundaryWidget]:
    """The widget in JupyterLab's dark theme, which is put back for the tests that follow."""
    use_theme(widget.page, "JupyterLab Dark", "#111")
    yield widget
    use_theme(widget.page, "JupyterLab Light", "white")


def test_texts_can_be_read_in_dark_wide_and_narrow(dark: BoundaryWidget, picture: Callable[[str], object]) -> None:
    ratios = {testid: contrast(dark.at(testid)) for testid in READOUTS}
    assert min(ratios.values()) >= READABLE, ratios
    in_lab.execute(dark.page, "application:toggle-left-area")
    for width in (WIDE, NARROWEST):
        dark.page.set_viewport_size({"width": width, "height": 900})
        dark.press("walk", "ArrowRight")
        dark.root.scroll_into_view_if_needed()
        picture(f"boundary-lab-dark-{width}")
        assert dark.collisions() == []
        assert dark.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
