"""Take README.md's two pictures anew: `PYTHONPATH=tests .venv/bin/python -m notebooks.readme_picture`."""

from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import FloatRect, Page, sync_playwright

from browser import chromium, lab as in_lab, notebooks, server, waits
from browser.conftest import CHROMIUM_OPTIONS
from browser.widget import Widget
from house.tree import ROOT

IMAGES = ROOT / "notebooks" / "images"
NAME = "readme.ipynb"
SHOWN = """\
study = ts.Study(model, X_test, y_test, pos_label="malignant")
study.stress_curves()"""
FEATURE, INDEX = "worst concave points", "true_positive_rate"
STEPS = 25
DARK = "() => getComputedStyle(document.body).getPropertyValue('--jp-layout-color0').trim() === '#111'"


def write_notebook(folder: Path) -> None:
    """Write the tour's first cell, and the study's in two lines."""
    tour = nbformat.read(ROOT / "notebooks" / notebooks.TOUR, as_version=4)
    first = next(cell["source"] for cell in tour["cells"] if cell["cell_type"] == "code")
    cells = [new_code_cell(first), new_code_cell(SHOWN)]
    nbformat.write(new_notebook(cells=cells, metadata=notebooks.PYTHON), folder / NAME)


def around(page: Page) -> FloatRect:
    """Return the part of the page from the study's line of code to the widget's end."""
    cell = page.locator(".jp-Cell").nth(1)
    cell.evaluate("(cell) => cell.scrollIntoView({block: 'start'})")
    box = cell.bounding_box()
    assert box is not None
    return {key: box[key] for key in ("x", "y", "width", "height")}


def take(folder: Path) -> None:
    """Run the notebook in JupyterLab, move one slider with keys, and save what is seen, light and dark."""
    (folder / "lab").mkdir()
    with server.lab(folder, folder / "lab") as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=CHROMIUM_OPTIONS)
        page = browser.new_page(viewport={"width": 1480, "height": 1000}, device_scale_factor=1.25)
        page.set_default_timeout(waits.MILLISECONDS)
        in_lab.open_notebook(page, lab, NAME)
        in_lab.execute(page, "application:toggle-left-area")
        in_lab.run_all(page)
        widget = Widget(page)
        widget.choose("metric", INDEX)
        widget.press(FEATURE, "ArrowLeft", times=STEPS)
        assert widget.collisions() == []
        page.mouse.move(0, 0)
        page.screenshot(path=IMAGES / "stress-light.png", clip=around(page))
        page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
        page.wait_for_function(DARK)
        page.screenshot(path=IMAGES / "stress-dark.png", clip=around(page))
        browser.close()


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as scratch:
        write_notebook(Path(scratch))
        take(Path(scratch))
