"""The boundary widget on a page, and the notebook that shows it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page

from browser.notebooks import PYTHON
from browser.study import SOURCE
from browser.widget import COLLISIONS

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
    b = study.boundary(row, fixed=fixed, bounds=bounds or None, random_state=0)
    path = b.path.astype({{"label": str}}).to_dict("list")
    return json.dumps({{"row": row, "fixed": fixed, "sentence": b.sentence, "path": path,
                       "n_model_rows": b.n_model_rows, "point": b.point.to_dict()}})
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


class BoundaryWidget:
    """The boundary widget of a page, painted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(READY).first
        self.root.wait_for(timeout=60_000)

    def at(self, testid: str) -> Locator:
        """Return an element by its test id."""
        return self.root.get_by_test_id(testid)

    def text(self, testid: str) -> str:
        """Return the text of a readout."""
        return self.at(testid).inner_text()

    def revision(self) -> int:
        """Return the count of painted changes."""
        return int(self.root.get_attribute("data-rev") or 0)

    def wait_for_paint(self, after: int) -> None:
        """Wait until a change later than revision `after` is on the screen."""
        self.page.wait_for_function(
            "([root, after]) => Number(root.dataset.rev) > after",
            arg=[self.root.element_handle(), after],
            timeout=10_000,
        )

    def wait_for_text(self, testid: str, words: str) -> None:
        """Wait until a readout holds some words."""
        self.page.wait_for_function(
            "([element, words]) => element.textContent.includes(words)",
            arg=[self.at(testid).element_handle(), words],
            timeout=20_000,
        )

    def press(self, testid: str, key: str, times: int = 1) -> None:
        """Press a real key on an element, each time waiting for the frame that answers."""
        self.at(testid).focus()
        for _ in range(times):
            before = self.revision()
            self.page.keyboard.press(key)
            self.wait_for_paint(before)

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

    def lock(self, feature: str) -> None:
        """Lock a feature with real keys, from its value on."""
        self.value(feature).focus()
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Tab")
        before = self.revision()
        self.page.keyboard.press("Space")
        self.wait_for_paint(before)

    def collisions(self) -> list[str]:
        """Return the texts that are painted over another one, or past the edge of their picture."""
        return self.root.evaluate(COLLISIONS)
