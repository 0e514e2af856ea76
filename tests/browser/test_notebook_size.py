"""What ten outputs weigh in a notebook's file, with the state of widgets and without."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from browser.notebooks import PYTHON, ROOT, TOUR
from browser.server import isolated_environment

TEN = (
    "study",
    "study.stress_curves()",
    "study.joint_stress()",
    "study.effect('worst area', progress=False)",
    "study.boundary(3, random_state=0, progress=False)",
    "study.pooled_boundary(study.errors, random_state=0, progress=False)",
    "study.rules(3)",
    "study.stress_surface('worst area', 'worst texture')",
    "study.stress_curves().harm('error_rate')",
    "study.table()",
)
WIDGETS = "application/vnd.jupyter.widget-state+json"


@pytest.mark.slow
def test_ten_outputs_of_the_tour(tmp_path: Path) -> None:
    tour = {cell["id"]: cell["source"] for cell in nbformat.read(ROOT / "notebooks" / TOUR, 4)["cells"]}
    cells = [tour["model"], tour["study"].partition("\n\n")[0], *TEN]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=PYTHON)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env=isolated_environment(tmp_path) | {"PYTHONPATH": str(ROOT / "src")})
    assert len(nbformat.writes(notebook)) < 3_000_000
    models = notebook["metadata"].pop("widgets")[WIDGETS]["state"]
    n_scripts = sum("_esm" in model["state"] for model in models.values())
    assert n_scripts == len(TEN)
    assert len(nbformat.writes(notebook).encode()) < 500_000
    assert all("text/html" in json.dumps(cell["outputs"]) for cell in notebook["cells"][2:])
