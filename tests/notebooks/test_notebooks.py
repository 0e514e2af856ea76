"""Every notebook runs from top to bottom, says what its cells then show, and is stored without outputs."""

import re
import subprocess
import sys
from base64 import b64decode
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

import real_data
from architecture.tree import ROOT
from browser.server import isolated_environment

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_KILOBYTES = 50
WIDGET = "application/vnd.jupyter.widget-view+json"
# Sums are those of one thread, and small networks are fitted faster on one than on several that wait for each other.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# What a notebook shows as widgets, by how their text begins.
SHOWN = {
    "01-tour": ("Stress curves of ",),
    "02-stress": ("Stress curves of ",),
    "03-linked": ("Link of the stress of ",),
    "04-effects": ("Partial dependence of ",),
    "05-boundary": ("Row 48 is predicted malignant", "Row 4 is predicted spam"),
    "06-rules": (),
    "07-audit": ("Study of Pipeline[HistGradientBoostingClassifier]",),
    "08-audit-questions": (
        "Study of Pipeline[HistGradientBoostingClassifier]",
        "10 margins of 5,421 new rows",
        "4 margins of a table of margins",
        "RandomForestClassifier against Pipeline[LogisticRegression]: 200 rows",
        "2 margins of a table of margins",
        "Highest RMSE found for HistGradientBoostingRegressor",
    ),
}

# What a notebook's prose quotes, by the cell whose output has to hold it.
QUOTED = {
    "01-tour": {
        "frame": ("0.071", "0.116", "0.032", "0.023", "0.943", "0.852", "0.717", "0.945", "26.0", "wide"),
        "by-hand": ("60.0", "47.9", "51.0", "57.9"),
        "rank": ("-0.102", "0.007", "-0.009"),
        "not-causes": ("-0.67", "27.43", "-6.03", "21.19", "0.34", "0.47"),
        "held": ("168.5", "157.1"),
        "loans": (
            "past_defaults: τ = +1 is a share of 13.2 % at 1: 3.67 % of rows now, odds × 4",
            "currency = EUR (every row has it)",
        ),
        "errors": ("'worst concavity'", "Try taus=21", "order of X", "in row 7", "'currency = EUR'"),
        "save": ("curves.html", "curves.csv", "curves.png"),
    },
    "02-stress": {
        "sexes": ("0.079", "0.162", "0.259", "0.453"),
        "held": ("0.082", "0.339", "0.124", "0.275"),
        "held-notes": ("age: these rows cannot be weighted that far while the others are held at τ = −1",),
        "linear": ("0.841", "0.692", "0.308", "0.159"),
        "correlated": ("0.281", "0.719", "0.277", "0.499"),
        "correlated-one": ("0.41 and 0.59", "57 of 2,000"),
        "square": ("0.316", "0.637"),
        "rate": ("portion_1 × √n",),
        "mnist": ("scikit-learn's digits: 1,797 images of 8 × 8 pixels",),
    },
    "03-linked": {
        "set": ("0.224", "0.438", "0.163", "0.215", "0.327", "0.293", "total variation 0.341"),
        "under": ("at most; a reweighting this far", "16 pt", "31.6 pt", "two ways: 0.0"),
        "breakdown": ("up to 33.6 %",),
        "hold": ("0.224", "0.410", "0.336"),
    },
    "04-effects": {
        "xor-under": ("by 25 pt at most", "(total variation 0.25) could have moved it by 25 pt"),
        "networks": ("German: 200 rows, 62% right; 72%",),
        "attack-summary": ("0.499",),
        "genetic": ("greedy search", "genetic search", "certified", "estimated"),
        "blind": ("at 0 is 0.90", "at 0 is 0.48"),
        "breakdown": ("inf",),
        "ale": ("certified band at most", "the paper's at most"),
    },
    "05-boundary": {
        "one": ("1.4 standard deviations away", "nothing nearer than 0.923 can flip it (proved)"),
        "moons": ("0.052", "0.012"),
        "paths-table": ("0.236", "0.240", "0.420", "0.372"),
        "pathological": ("23 of 200 directions", "balance runs from 0.44 to 0.95"),
        "vertices": ("1.98",),
        "message": ("rank correlation with the posterior: 1.000", "0.0958", "nothing nearer than 0.029"),
        "pooled": ("awarded", "www", "txt"),
    },
    "06-rules": {
        "one": ("96.3 %", "and 11 more"),
        "one-rules": ("4,232",),
        "unsure": ("No set of the 10 features searched reaches",),
        "boosting": ("0.750",),
        "stated": ("0.367", "0.733", "0.045", "0.18", "0.33"),
        "table": ("0.995", "0.022", "0.004"),
        "cdf": ("0.053", "0.068", "0.149", "0.333", "0.260", "0.603", "0.051"),
        "moons": ("2.225", "2.118"),
        "near": ("the same minimal sets for 100%",),
    },
    "07-audit": {
        "older": ("14,325", "0.161", "0.178", "0.304", "0.305"),
        "harm-table": ("marital-status = Married-civ-spouse", "hours-per-week", "age"),
        "sexes": ("0.395", "0.390", "0.598", "0.219", "0.174", "0.262"),
        "scenarios": ("40.4", "33.1", "9.1", "11.7 %", "10.1 %", "44.8 %", "56.7 %"),
        "person": ("row 11309",),
        "boundary": ("education-num: 11 → 13", "occupation: Craft-repair → Exec-managerial", "nothing is proved"),
        "rules": ("If age ≤ 35 and education-num ≤ 11", "35 %", "99.8 %", "10,000", "29 are answered otherwise"),
        "rules-under": ("Still holds",),
        "effect": ("between 9 and 13", "38.6 %"),
        "effect-under": ("17.6 pt", "0.275", "0.242", "8.53 pt", "9.16 pt", "23.9 pt", "21.3 pt"),
        "load": ("of other data", "check_data=False"),
    },
    "08-audit-questions": {
        "towards": ("19.9 %", "10.5 %", "9.65 % to 11.4 %", "Every margin is met."),
        "observed": ("0.105", "0.085", "0.080", "0.062"),
        "unlike": ("2.2%",),
        "far": ("effective sample 15 of", "1.24 standard deviations off"),
        "threshold": ("0.804", "0.787", "0.861", "0.223", "0.395"),
        "groups": ("19.6 pt (18.5 pt … 20.6 pt)", "20.3 pt (16 pt … 24.5 pt), worst Female"),
        "groups-moved": ("0.209", "0.233", "0.641"),
        "groups-within": ("0.312", "0.311", "wide"),
        "groups-effect": ("farthest apart at education-num 14",),
        "worst": ("rows held out", "20 %", "19.8 %", "38.8 → 43.8", "10.1 → 11.1", "40.4 → 43.4"),
        "worst-reach": ("Smallest shift to error rate 20 %", "this is a bound"),
        "calibration": ("0.0085", "0.0060", "0.0017", "1.0", "0.0000"),
        "calibration-groups": ("1.225", "0.199", "0.108"),
        "chunks": ("1.225", "0.804", "0.787", "0.861", "0.223", "0.395"),
        "small-compare": ("6.5 pt", "−2.5 pt", "100 %", "34 %"),
        "along": ("better from τ = −0.2 (age 34.8", "card is better up to τ = −0.8", "card is better from τ = 0.8"),
        "small-cost": ("0.879", "-0.542", "0.348"),
        "small-data": ("0.393", "0.392"),
        "regression-towards": ("183", "152", "effective sample 118 of 221"),
        "regression-worst": ("64", "47.3 to 86.4"),
        "trees": ("exact, by traversal of 40 trees", "called on 272 rows as a check", "(proved)"),
        "record-refused": ("hash",),
        "record-report": ("How well does it decide on these rows?", "Which shift harms the error rate most?"),
    },
}


@pytest.fixture(scope="session", params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    """One notebook after the other."""
    return request.param


@pytest.fixture(scope="session")
def executed(path: Path, tmp_path_factory: pytest.TempPathFactory) -> NotebookNode:
    """The notebook with its outputs, run once by a kernel of its own, away from the user's settings.

    The data sets are those beside it.
    """
    folder = tmp_path_factory.mktemp(path.stem)
    (folder / "data").symlink_to(real_data.FOLDER)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
    return client.execute(env=isolated_environment(folder) | ONE_THREAD)


def outputs(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Return the outputs of each code cell, by the cell's id."""
    return {cell["id"]: cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"}


def texts(shown: list[NotebookNode]) -> str:
    """Return all that a cell's outputs say as text."""
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in shown)


def results(notebook: NotebookNode) -> list[NotebookNode]:
    """Return what was shown as a widget of ours, by kind of content; progress bars have no HTML of their own."""
    shown = [output.get("data", {}) for cell in outputs(notebook).values() for output in cell]
    return [data for data in shown if WIDGET in data and "text/html" in data]


def table_of(page: str) -> str:
    """Return what stands in the first table of a page."""
    return page[page.index("<tr") : page.index("</table>")]


def test_mnist_is_read_from_the_folder_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random, parts = np.random.default_rng(0), {}
    for part, n in (("train", 30), ("test", 12)):
        parts[f"x_{part}"] = random.integers(0, 256, (n, 28, 28), dtype=np.uint8)
        parts[f"y_{part}"] = np.arange(n) % 10
    np.savez(tmp_path / "mnist.npz", **parts)
    monkeypatch.setenv("TAUSCOPE_DATA", str(tmp_path))
    cells = {cell["id"]: cell["source"] for cell in nbformat.read(ROOT / "notebooks" / "02-stress.ipynb", 4)["cells"]}
    names: dict[str, object] = {"folder": tmp_path / "nowhere"}
    exec("import os\nfrom pathlib import Path\nimport numpy as np\n" + cells["mnist"], names)
    assert (names["name"], names["side"], len(names["images"])) == ("MNIST", 28, 42)
    np.testing.assert_array_equal(names["images"][30:], parts["x_test"].reshape(12, 784))
    np.testing.assert_array_equal(names["digits"], [*parts["y_train"], *parts["y_test"]])


def test_notebooks_ask_no_network(path: Path) -> None:
    code = "\n".join(cell["source"] for cell in nbformat.read(path, 4)["cells"] if cell["cell_type"] == "code")
    assert not re.search(r"\b(fetch_\w+|urlopen|requests|https?://)", code)


@pytest.mark.parametrize("name", ["02-stress", "03-linked", "04-effects", "05-boundary", "06-rules"])
def test_the_contents_are_those_of_the_notebook(name: str) -> None:
    cells = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4)["cells"]
    said = re.findall(r"\[([^\]]+)\]\(<#([^>]+)>\)", cells[0]["source"])
    pages = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
    heads = [head for page in pages for head in re.findall(r"^## (.+)$", page, re.M)]
    assert [anchor for _, anchor in said] == [head.replace(" ", "-") for head in heads]
    assert all(head.startswith(words) for (words, _), head in zip(said, heads, strict=True))


def test_every_notebook_is_known() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(SHOWN)


def test_stored_without_outputs_and_small(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert re.fullmatch(r"\d\d-[a-z-]+", path.stem)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"] is not None]
    assert "widgets" not in notebook["metadata"]
    assert path.stat().st_size <= 1000 * MOST_KILOBYTES


def test_runs_without_errors_or_warnings(path: Path, executed: NotebookNode) -> None:
    # An error ends the run itself, with the cell's traceback.
    said = {
        name: texts([output for output in shown if output.get("name") == "stderr"])
        for name, shown in outputs(executed).items()
    }
    assert {name: words for name, words in said.items() if words} == {}


def test_widgets_come_with_a_table_and_text(path: Path, executed: NotebookNode) -> None:
    shown = results(executed)
    found = [data["text/plain"] for data in shown]
    assert [begins for begins in SHOWN[path.stem] if not any(text.startswith(begins) for text in found)] == []
    assert [text for text in found if not text.startswith(SHOWN[path.stem])] == []
    assert [data["text/plain"] for data in shown if "<table" not in data["text/html"]] == []


def test_stress_curves_come_with_a_picture(path: Path, executed: NotebookNode) -> None:
    for data in results(executed):
        if data["text/plain"].startswith("Stress curves of "):
            for picture in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", data["text/html"]):
                assert ElementTree.fromstring(b64decode(picture)).tag == "{http://www.w3.org/2000/svg}svg"
            assert "data:image/svg+xml;base64," in data["text/html"]


def test_prose_quotes_what_the_cells_show(path: Path, executed: NotebookNode) -> None:
    shown = outputs(executed)
    missing = {
        name: absent
        for name, quoted in QUOTED.get(path.stem, {}).items()
        if (absent := [words for words in quoted if words not in texts(shown[name])])
    }
    assert missing == {}


@pytest.mark.slow
def test_nbconvert_told_to_keep_no_widgets_shows_what_they_left(tmp_path: Path) -> None:
    source = (
        "import numpy as np, ipywidgets, tauscope as ts\nX = np.arange(80.0).reshape(40, 2) % 7\n"
        "curves = ts.Study.from_predictions(X, X[:, 0] > 3, X[:, 1] > 3).stress_curves(taus=3)\n"
        "ipywidgets.VBox([curves.widget()])"
    )
    nbformat.write(new_notebook(cells=[new_code_cell(source)]), tmp_path / "one.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "one.ipynb"]
    told = "--ExecutePreprocessor.store_widget_state=False"
    subprocess.run([*command, told], cwd=tmp_path, env=isolated_environment(tmp_path), check=True, capture_output=True)
    page = (tmp_path / "one.html").read_text()
    assert '<img alt="Stress curves of ' in page
    assert "<table>" in page
    assert WIDGET not in page


def test_page_by_nbconvert_shows_what_widgets_left(path: Path, executed: NotebookNode) -> None:
    notebook = deepcopy(executed)
    # As JupyterLab saves it unless told otherwise.
    notebook["metadata"].pop("widgets", None)
    html, _ = HTMLExporter().from_notebook_node(notebook)
    shown = results(notebook)
    assert bool(shown) == bool(SHOWN[path.stem])
    assert [data["text/plain"] for data in shown if table_of(data["text/html"]) not in html] == []
    n_curves = sum(data["text/plain"].startswith(("Stress curves of ", "Study of ")) for data in shown)
    assert html.count('<img alt="Stress curves of ') == n_curves
