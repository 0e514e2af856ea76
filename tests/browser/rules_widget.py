"""The widget of a row's rules on a page, and the notebook that links it to the curves."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page

from browser.notebooks import PYTHON
from browser.study import SOURCE
from browser.widget import PaintedWidget

READY = ".ts-rules[data-ready='1']"
NOTEBOOK = "rules.ipynb"
ASK = 4

MORE = """
study = ts.Study(model, X, y)
rules = study.rules(0, pi=0.9, n_estimators=8, n_drawn=100, max_rules=3)


def rules_in_python(view):
    \"\"\"What the widget must show of its rules, computed here at its own traits.\"\"\"
    stress, row = view.stress, view.row
    found = study.rules(row, pi=0.9, n_estimators=8, n_drawn=100, max_rules=3)
    told = {"stress": stress, "row": row, "selection": len(view.selection), "condition": str(found[0].conditions[0])}
    for feature, tau in stress["taus"].items():
        under = found.under(ts.Mean(feature, tau=tau))
        told |= {"ess": under.ess, **under.frame.iloc[view.rule].to_dict()}
    return json.dumps(told)
"""


def write_notebook(folder: Path) -> Path:
    """Write the notebook that shows both widgets, links them, and ASKs what Python finds under their stress."""
    path = folder / NOTEBOOK
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = curves.widget()\nview"),
        new_code_cell("rules_view = rules.widget()\nrules_view"),
        new_code_cell("link = ts.link(view, rules_view)"),
        new_code_cell("print(rules_in_python(rules_view))"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


class RulesWidget(PaintedWidget):
    """The widget of a row's rules on a page, painted."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, READY)
