"""The map of two features and the maps of pixels on a page, and the notebook that shows them."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page

from browser.notebooks import PYTHON
from browser.study import SOURCE
from browser.widget import Widget

NOTEBOOK = "maps.ipynb"
SURFACE, LINKED, ASK, IMAGE, ASK_IMAGE = 1, 2, 3, 4, 5
FIRST, SECOND = "mean compactness", "mean smoothness"

MORE = f'''
study = ts.Study(model, X, y)
surface = study.stress_surface({FIRST!r}, {SECOND!r}, taus=11)


def surface_in_python(view, joint_view):
    """What the map must show, computed by the joint projection at its own stress; what a linked view is at."""
    stress, metric = view.stress, view.metric
    asked = [ts.Mean(name, tau=stress["taus"].get(name, 0)) for name in surface.feature_names]
    found = study.reweight(asked[0] & asked[1])
    row = found.metrics.set_index("metric").loc[metric]
    numbers = {{"value": row["value"], "lower": row["lower"], "upper": row["upper"], "ess": found.ess, "tv": found.tv}}
    numbers = {{name: float(value) for name, value in numbers.items()}}
    return json.dumps(numbers | {{"stress": stress, "linked": joint_view.stress}})


from sklearn.datasets import load_digits
digits, labels = load_digits(return_X_y=True)
guess = (digits[:, 20] + digits[:, 21] > 12).astype(int)
image = ts.Study.from_predictions(digits, labels > 4, guess == 1).stress_image((8, 8))


def image_in_python(view, pixel):
    frame = image.at([-view.tau, view.tau]).frame
    one = frame[(frame["pixel"] == pixel) & (frame["metric"] == "portion_True")].set_index("tau")
    change = float(one.loc[view.tau, "value"] - one.loc[-view.tau, "value"])
    return json.dumps({{"change": change, "ess": float(one.loc[view.tau, "ess"])}})
'''


def write_notebook(folder: Path) -> Path:
    """Write the notebook: the map, another view LINKED to it, the maps of pixels, and what Python makes of them."""
    path = folder / NOTEBOOK
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = surface.widget()\nview"),
        new_code_cell("other = study.joint_stress().widget()\nlinked = ts.link(view, other)\nother"),
        new_code_cell("print(surface_in_python(view, other))"),
        new_code_cell("maps = image.widget()\nmaps"),
        new_code_cell("print(image_in_python(maps, 8 * 3 + 4))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


class MapWidget(Widget):
    """A widget of maps, painted; `kind` is "surface" or "image"."""

    def __init__(self, page: Page, kind: str) -> None:
        super().__init__(page, f".ts-stress-{kind}[data-ready='1']")

    def keys(self, testid: str, *keys: str) -> None:
        """Press real keys on a part of the widget, each time waiting for the frame that answers."""
        self.root.get_by_test_id(testid).first.focus()
        for key in keys:
            before = self.revision()
            self.page.keyboard.press(key)
            self.wait_for_paint(before)
