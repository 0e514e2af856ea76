"""A workspace that is shown: by a notebook, in JupyterLab and in Voila, or by a saved page."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from browser.notebooks import PYTHON
from browser.study import SOURCE
from browser.watch import Watch
from browser.widget import Widget

IN_VOILA = "workspace-voila.ipynb"
READY = ".ts-workspace[data-ready='1']"


def write_voila_notebook(folder: Path) -> Path:
    """Write a notebook that shows a study and nothing else."""
    path = folder / IN_VOILA
    cells = [new_code_cell(SOURCE), new_code_cell("ts.Study(model, X, y)")]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path


def open_saved(watch: Watch, path: Path, width: int, scheme: str) -> Widget:
    """Open a saved page at a width, light or dark, and find the workspace in it."""
    watch.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    watch.page.set_viewport_size({"width": width, "height": 900})
    watch.page.goto(path.as_uri())
    return Widget(watch.page, READY)
