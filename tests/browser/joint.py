"""The joint stress widget on a page, and the notebook that shows it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page

from browser.notebooks import PYTHON
from browser.study import SOURCE
from browser.widget import Widget

NOTEBOOK = "joint.ipynb"
IN_VOILA = "joint-voila.ipynb"
SHOW, ASK, SET, KERNEL, ASK_KERNEL, LINKED = 1, 2, 3, 4, 5, 6

MORE = '''
joint = ts.Study(model, X, y).joint_stress()


def joint_in_python(view):
    """What the widget must show, computed here at its own traits."""
    stress, metric = view.stress, view.metric
    asked = {"stress": stress, "metric": metric}
    try:
        found = joint.at(stress["taus"], stress["hold"])
    except ts.InputError as error:
        return json.dumps(asked | {"error": type(error).__name__})
    row = found.metrics.set_index("metric").loc[metric]
    numbers = {"value": row["value"], "lower": row["lower"], "upper": row["upper"]}
    numbers |= {"ess": found.ess, "kl": found.kl, "tv": found.tv, "pareto_k": found.pareto_k}
    means = found.balance.set_index("feature")["mean_after"].to_dict()
    return json.dumps(asked | {name: float(value) for name, value in numbers.items()} | {"means": means})
'''


def write_notebook(folder: Path) -> Path:
    """Write the notebook that SHOWs the widget solved in the page, another answered by the KERNEL, and LINKED ones."""
    path = folder / NOTEBOOK
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = joint.widget()\nview"),
        new_code_cell("print(joint_in_python(view))"),
        new_code_cell(""),
        new_code_cell(
            "from tauscope.views.stress.joint import JointStressView\n"
            "by_kernel = JointStressView(joint, budget=1000)\nby_kernel.add_class('by-kernel')\nby_kernel"
        ),
        new_code_cell("print(joint_in_python(by_kernel))"),
        new_code_cell(
            "import ipywidgets\nother = joint.widget()\nother.add_class('other')\n"
            "linked = ipywidgets.jslink((view, 'stress'), (other, 'stress'))\nother"
        ),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


def write_voila_notebook(folder: Path) -> Path:
    """Write a notebook of the widget alone, and what Python sees of it below."""
    path = folder / IN_VOILA
    cells = [
        new_code_cell(SOURCE + MORE),
        new_code_cell("view = joint.widget()\nview"),
        new_code_cell(
            "import ipywidgets\n"
            "seen = ipywidgets.Label()\n"
            "seen.add_class('seen-in-python')\n"
            "view.observe(lambda change: setattr(seen, 'value', joint_in_python(view)), 'stress')\n"
            "seen"
        ),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


class JointWidget(Widget):
    """A joint stress widget of a page, painted; `within` is a class of its own where there are several."""

    def __init__(self, page: Page, within: str = "") -> None:
        super().__init__(page, f"{within} .ts-joint-stress[data-ready='1']")

    def hold(self, how: str) -> None:
        """Choose what the other features do."""
        before = self.revision()
        self.root.get_by_test_id(f"hold-{how}").check()
        self.wait_for_paint(before)

    def wait_while_stale(self) -> None:
        """Wait until the answer to the present stress is there."""
        self.page.wait_for_function("(root) => !root.querySelector('.ts-is-stale')", arg=self.root.element_handle())
