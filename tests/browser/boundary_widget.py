"""The boundary widget on a page, and the notebook that shows it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page

from browser.notebooks import PYTHON
from browser.study import SOURCE
from browser.widget import PaintedWidget

READY = ".ts-boundary[data-ready='1']"
NOTEBOOK = "boundary.ipynb"
SHOW, ASK, SET = 1, 2, 3
ROW = 20

MORE = f'''
study = ts.Study(model, X, y.map({{0: "malignant", 1: "benign"}}).to_numpy())
found = study.boundary({ROW}, random_state=0)


def boundary_in_python(view):
    """What the widget must show, computed here at its own traits."""
    row, fixed, bounds = view.row, list(view.fixed), {{name: tuple(ends) for name, ends in view.bounds.items()}}
    start = row if row >= 0 else view.result.value
    b = study.boundary(start, fixed=fixed, bounds=bounds or None, random_state=0)
    path = b.path.astype({{"label": str}}).to_dict("list")
    edits = dict(view.edits)
    tried = study.predict_row(row, edits).sentence if row >= 0 else ""
    return json.dumps({{"row": row, "fixed": fixed, "edits": edits, "tried": tried, "sentence": b.sentence,
                       "path": path, "n_model_rows": b.n_model_rows, "point": b.point.to_dict()}})
'''
BOUNDARY_SOURCE = SOURCE.replace(
    "fit(X[::2], y[::2])", 'fit(X[::2], y[::2].map({0: "malignant", 1: "benign"}))'
).replace("ts.Study(model, X, y).stress_curves()", "None")


def write_notebook(folder: Path) -> Path:
    """Write the notebook that SHOWs the widget, and ASKs what Python finds at its traits."""
    path = folder / NOTEBOOK
    cells = [
        new_code_cell(BOUNDARY_SOURCE + MORE),
        new_code_cell("view = found.widget()\nview"),
        new_code_cell("view.wait(60); print(boundary_in_python(view))"),
        new_code_cell(""),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


class BoundaryWidget(PaintedWidget):
    """The boundary widget of a page, painted."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, READY)

    def go_to(self, row: int) -> None:
        """Type a row and wait until its boundary is there."""
        self.at("row").fill(str(row))
        self.page.keyboard.press("Enter")
        self.wait_for_text("headline", f"Row {row} ")

    def value(self, feature: str) -> Locator:
        """Return the value of the row that opens a feature's lock."""
        return self.root.locator(f"[data-testid='value'][data-feature={feature!r}]")

    def flip(self, feature: str) -> str:
        """Return the value of a feature at the flip."""
        return self.value(feature).locator("xpath=ancestor::tr/td[2]").inner_text()

    def try_value(self, feature: str, value: str) -> None:
        """Type another value of a feature with real keys, from its value on."""
        self.value(feature).focus()
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(value)
        before = self.revision()
        self.page.keyboard.press("Enter")
        self.wait_for_paint(before)

    def lock(self, feature: str) -> None:
        """Lock a feature with real keys, from its value on."""
        self.value(feature).focus()
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Tab")
        before = self.revision()
        self.page.keyboard.press("Space")
        self.wait_for_paint(before)
