"""Every notebook runs from top to bottom, says what its cells then show, and is stored without outputs."""

import re
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat import NotebookNode

from browser.server import isolated_environment
from house.tree import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_KILOBYTES = 50
WIDGET = "application/vnd.jupyter.widget-view+json"
STILL = {"text/plain", "text/html", "image/svg+xml"}

# What a notebook's prose quotes, by the cell whose output has to hold it.
QUOTED = {
    "01-tour": {
        "frame": ("0.071", "0.116", "0.032", "0.023", "0.943", "0.852", "0.707", "0.933", "26.0"),
        "by-hand": ("60.0", "47.9", "53.2", "54.5"),
        "rank": ("-0.102", "0.007", "-0.009"),
        "not-causes": ("-0.67", "27.43", "-6.03", "21.19", "0.34", "0.47"),
        "held": ("168.5", "157.1"),
        "loans": ("past_defaults: τ = +1 is the maximum: 96.3 % of rows are 0", "currency = EUR (every row has it)"),
        "errors": ("'worst concavity'", "Try taus=21", "order of X", "in row 7", "'currency = EUR'"),
        "save": ("curves.html", "curves.csv", "curves.png"),
    }
}

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@pytest.fixture(scope="session")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, NotebookNode]:
    """Every notebook with its outputs, each run once by a kernel of its own, away from the user's settings."""
    done = {}
    for path in NOTEBOOKS:
        folder = tmp_path_factory.mktemp(path.stem)
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
        done[path.stem] = client.execute(env=isolated_environment(folder))
    return done


def outputs(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Return the outputs of each code cell, by the cell's id."""
    return {cell["id"]: cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"}


def texts(shown: list[NotebookNode]) -> str:
    """Return all that a cell's outputs say as text."""
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in shown)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@each
def test_stored_without_outputs_and_small(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert re.fullmatch(r"\d\d-[a-z-]+", path.stem)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"] is not None]
    assert "widgets" not in notebook["metadata"]
    assert path.stat().st_size <= 1000 * MOST_KILOBYTES


@each
def test_runs_without_errors_or_warnings(path: Path, executed: dict[str, NotebookNode]) -> None:
    # An error ends the run itself, with the cell's traceback.
    said = {
        name: texts([output for output in shown if output.get("name") == "stderr"])
        for name, shown in outputs(executed[path.stem]).items()
    }
    assert {name: words for name, words in said.items() if words} == {}


@each
def test_widgets_come_with_a_picture_and_text(path: Path, executed: dict[str, NotebookNode]) -> None:
    shown = [output.get("data", {}) for cell in outputs(executed[path.stem]).values() for output in cell]
    results = [data for data in shown if WIDGET in data and set(data) >= STILL]
    assert results
    for data in results:
        assert ElementTree.fromstring(data["image/svg+xml"]).tag == "{http://www.w3.org/2000/svg}svg"
        assert "data:image/svg+xml;base64," in data["text/html"]
        assert "<table>" in data["text/html"]
        assert data["text/plain"].startswith("Stress curves of ")


@each
def test_prose_quotes_what_the_cells_show(path: Path, executed: dict[str, NotebookNode]) -> None:
    shown = outputs(executed[path.stem])
    missing = {
        name: absent
        for name, quoted in QUOTED.get(path.stem, {}).items()
        if (absent := [words for words in quoted if words not in texts(shown[name])])
    }
    assert missing == {}


@each
def test_page_by_nbconvert_shows_the_picture(path: Path, executed: dict[str, NotebookNode]) -> None:
    notebook = deepcopy(executed[path.stem])
    # As JupyterLab saves it unless told otherwise.
    del notebook["metadata"]["widgets"]
    html, _ = HTMLExporter().from_notebook_node(notebook)
    n_widgets = sum(WIDGET in output.get("data", {}) for cell in outputs(notebook).values() for output in cell)
    assert 1 <= html.count('<img alt="Stress curves of ') <= n_widgets
