"""What ten outputs weigh in a notebook's file, with the state of widgets and without."""

import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from browser.notebooks import PYTHON, ROOT, TOUR
from browser.server import isolated_environment

WIDGETS = "application/vnd.jupyter.widget-state+json"
FOLDER = ROOT / "notebooks"


def ten(feature: str, other: str, rows: str) -> list[str]:
    """Every view of a study once, each in a cell."""
    return [
        "study",
        "study.stress_curves()",
        "study.joint_stress()",
        f"study.effect({feature!r}, progress=False)",
        "study.boundary(3, random_state=0, progress=False)",
        f"study.pooled_boundary({rows}, random_state=0, progress=False)",
        "study.rules(3)",
        f"study.stress_surface({feature!r}, {other!r})",
        "study.stress_curves().harm('error_rate')",
        "study.table()",
    ]


def of_the_tour() -> list[str]:
    """569 rows of 30 numbers."""
    cells = sources(TOUR)
    return [cells["model"], cells["study"].partition("\n\n")[0], *ten("worst area", "worst texture", "study.errors")]


def of_adult() -> list[str]:
    """16,281 rows of six columns, three of them levels."""
    return [sources("07-audit.ipynb")["setup"], *ten("age", "education-num", "study.errors[:30]")]


def sources(name: str) -> dict[str, str]:
    """Return the cells of a notebook by their ids."""
    return {cell["id"]: cell["source"] for cell in nbformat.read(FOLDER / name, 4)["cells"]}


@pytest.mark.slow
@pytest.mark.parametrize("cells", [of_the_tour, of_adult])
def test_ten_outputs(tmp_path: Path, cells: Callable[[], list[str]]) -> None:
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells()], metadata=PYTHON)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    client.execute(env=isolated_environment(tmp_path) | {"PYTHONPATH": str(ROOT / "src")})
    assert len(nbformat.writes(notebook).encode()) < 3_000_000
    models = notebook["metadata"].pop("widgets")[WIDGETS]["state"]
    assert sum("_esm" in model["state"] for model in models.values()) == 10
    assert len(nbformat.writes(notebook).encode()) < 500_000
    assert all("text/html" in json.dumps(cell["outputs"]) for cell in notebook["cells"][-10:])
