"""The map of two features and the maps of pixels, moved with real keys in JupyterLab and Voila."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser import lab as in_lab, maps
from browser.maps import FIRST, SECOND, MapWidget
from browser.server import Server, in_voila
from browser.test_lab import use_theme
from browser.waits import ask_until
from browser.watch import Watch
from browser.widget import says

NARROW = 480


@pytest.fixture
def notebook(page: Page, lab: Server, notebook_folder: Path) -> Page:
    """The notebook in JupyterLab, its names made."""
    maps.write_notebook(notebook_folder)
    in_lab.open_notebook(page, lab, maps.NOTEBOOK)
    in_lab.run_cell(page, 0)
    return page


def test_the_map_moves_with_keys_and_takes_a_linked_view_along(
    notebook: Page, picture: Callable[[str], object]
) -> None:
    in_lab.run_cell(notebook, maps.SURFACE)
    in_lab.run_cell(notebook, maps.LINKED)
    widget = MapWidget(notebook, "surface")
    before = widget.text("value")
    widget.keys("map", "ArrowRight", "ArrowRight", "ArrowDown")
    wanted = {"taus": {FIRST: pytest.approx(0.4), SECOND: pytest.approx(-0.2)}, "hold": "none"}
    python = ask_until(
        lambda: json.loads(in_lab.run_cell(notebook, maps.ASK)),
        lambda told: told["stress"] == wanted == told["linked"],
    )
    assert says(widget.text("value").split("benign")[-1].split("predicted 1")[-1], python["value"])
    assert says(widget.text("ess"), python["ess"])
    assert says(widget.statistic("tv"), python["tv"])
    assert widget.collisions() == []
    widget.keys("map", "Home")
    picture("surface-light")
    assert widget.text("value") == before


def test_a_click_on_the_map_in_a_dark_narrow_page(notebook: Page, picture: Callable[[str], object]) -> None:
    in_lab.run_cell(notebook, maps.SURFACE)
    use_theme(notebook, "JupyterLab Dark", "#111")
    widget = MapWidget(notebook, "surface")
    widget.root.evaluate("(root, width) => { root.style.width = `${width}px`; }", NARROW)
    drawing = widget.root.locator(".ts-map svg")
    box = drawing.bounding_box()
    assert box is not None
    before = widget.revision()
    drawing.click(position={"x": 0.75 * box["width"], "y": 0.3 * box["height"]})
    widget.wait_for_paint(before)
    assert "(was " in widget.text("population")
    assert "Pointed at" in widget.text("pointed")
    assert widget.collisions() == []
    picture("surface-dark-narrow")
    use_theme(notebook, "JupyterLab Light", "white")


def test_maps_of_pixels_are_read_with_keys(notebook: Page, picture: Callable[[str], object]) -> None:
    in_lab.run_cell(notebook, maps.IMAGE)
    widget = MapWidget(notebook, "image")
    widget.keys("map", "ArrowUp")
    python = json.loads(in_lab.run_cell(notebook, maps.ASK_IMAGE))
    assert "row 3, column 4" in widget.text("pixel")
    change = widget.root.locator(".ts-readings tbody tr").first.locator("td").nth(2).inner_text()
    assert says(change.replace("points", "%"), python["change"])
    assert str(round(python["ess"])) in widget.text("about").replace(",", "")
    painted = widget.root.locator("canvas").first.evaluate(
        "(canvas) => new Set(canvas.getContext('2d').getImageData(0, 0, 8, 8).data).size"
    )
    assert painted > 8
    picture("image-light")
    widget.keys("tau", "ArrowLeft", "ArrowLeft")
    assert "τ = 0.80" in widget.text("tau-words")
    use_theme(notebook, "JupyterLab Dark", "#111")
    picture("image-dark")
    use_theme(notebook, "JupyterLab Light", "white")


def test_both_in_voila(watch: Watch, voila: Server, picture: Callable[[str], object]) -> None:
    watch.page.goto(in_voila(voila, maps.NOTEBOOK))
    surface, image = MapWidget(watch.page, "surface"), MapWidget(watch.page, "image")
    surface.keys("map", "ArrowLeft", "ArrowUp")
    assert "(was " in surface.text("population")
    surface.keys("slider-0", "ArrowLeft")
    image.keys("map", "ArrowRight", "ArrowDown")
    assert "row 5, column 5" in image.text("pixel")
    picture("maps-voila")
    assert surface.collisions() == []
    assert "error" not in voila.log().lower()
