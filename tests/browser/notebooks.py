"""Notebooks that the tests write for themselves, and the one they take from the project."""

import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from browser.study import EFFECT_SOURCE, SOURCE

ROOT = Path(__file__).parents[2]
TOUR = "01-tour.ipynb"
WIDGET = "widget.ipynb"

# Without a kernel's name JupyterLab asks for one.
PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}

SHOW, ASK, SET, SHOW_AGAIN = 2, 3, 4, 5


def write_widget_notebook(folder: Path) -> Path:
    """Write the notebook whose cells SHOW, ASK and SET the widget, and what Python sees of it below it."""
    path = folder / WIDGET
    cells = [
        new_markdown_cell(r"# A study under stress: $\sum_i e^{\xi x_i}$"),
        new_code_cell(SOURCE),
        new_code_cell("view = curves.widget()\nview"),
        new_code_cell("print(in_python(view))"),
        new_code_cell(""),
        new_code_cell(
            "import ipywidgets\n"
            "seen = ipywidgets.Label()\n"
            "seen.add_class('seen-in-python')\n"
            "view.observe(lambda change: setattr(seen, 'value', in_python(view)), 'tau')\n"
            "seen"
        ),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


def copy_tour(folder: Path) -> Path:
    """Copy the tour, so that running it here leaves the project's own file alone."""
    return Path(shutil.copy(ROOT / "notebooks" / TOUR, folder))


def code_cells(notebook: Path) -> list[int]:
    """Return the places of the cells that hold code."""
    cells = nbformat.read(notebook, as_version=4).cells
    return [place for place, cell in enumerate(cells) if cell.cell_type == "code"]


LINKED = "linked.ipynb"
CURVES, EFFECT, LINK, ASK_EFFECT, SET_EFFECT = 2, 3, 4, 5, 6


def write_linked_notebook(folder: Path) -> Path:
    """Write the notebook whose cells show two views, link them, and ASK_EFFECT what Python makes of their stress."""
    path = folder / LINKED
    cells = [
        new_markdown_cell("# One stress, two views"),
        new_code_cell(SOURCE + EFFECT_SOURCE),
        new_code_cell("view = curves.widget()\nview"),
        new_code_cell("effect_view = effect.widget(compare=('ale',))\neffect_view"),
        new_code_cell("link = ts.link(view, effect_view)"),
        new_code_cell("print(effect_in_python(effect_view))"),
        new_code_cell(""),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path
