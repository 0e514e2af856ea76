"""The pooled boundary widget on a page, and the notebook that links it to the curves."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page

from browser.notebooks import PYTHON
from browser.study import SOURCE
from browser.widget import PaintedWidget

READY = ".ts-pooled[data-ready='1']"
NOTEBOOK = "pooled.ipynb"
ASK = 4

MORE = """
study = ts.Study(model, X, y)
pooled = study.pooled_boundary(range(0, 200, 5), random_state=0, n_samples=200, progress=False)


def pooled_in_python(view):
    \"\"\"What the pooled widget must show, computed here under its own stress.\"\"\"
    stress = view.stress
    found = pooled
    for feature, tau in stress["taus"].items():
        found = pooled.under(ts.Mean(feature, tau=tau))
    largest = found.frame.iloc[0][["feature", "direction", "lower", "upper"]].to_dict()
    return json.dumps({"stress": stress, **largest, "ess": found.ess, "agreement": found.agreement})
"""


def write_notebook(folder: Path) -> Path:
    """Write the notebook that shows both widgets, links them, and ASKs what Python finds under their stress."""
    path = folder / NOTEBOOK
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = curves.widget()\nview"),
        new_code_cell("pooled_view = pooled.widget()\npooled_view"),
        new_code_cell("link = ts.link(view, pooled_view)"),
        new_code_cell("print(pooled_in_python(pooled_view))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


class PooledWidget(PaintedWidget):
    """The pooled boundary widget of a page, painted."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, READY)

    def lines(self) -> list[str]:
        """Return the features that have bars, in the order shown."""
        return [line.get_attribute("data-feature") or "" for line in self.at("bars").locator("li").all()]

    def line(self, feature: str) -> Locator:
        """Return the bars of a feature, with its numbers."""
        return self.at("bars").locator(f"li[data-feature={feature!r}]")
