"""The notebook of a study that shows its workspace, in JupyterLab and in Voila."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from browser.notebooks import PYTHON
from browser.study import SOURCE

IN_VOILA = "workspace-voila.ipynb"
READY = ".ts-workspace[data-ready='1']"


def write_voila_notebook(folder: Path) -> Path:
    """Write a notebook that shows a study and nothing else."""
    path = folder / IN_VOILA
    cells = [new_code_cell(SOURCE), new_code_cell("ts.Study(model, X, y)")]
    nbformat.write(new_notebook(cells=cells, metadata=PYTHON), path)
    return path
