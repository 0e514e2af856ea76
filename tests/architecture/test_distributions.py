"""What a user installs: built without Node, complete, and working away from this folder."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from architecture.tree import ROOT

VIEWS = tuple(
    str(entry.parent.relative_to(ROOT / "js/src/views")) for entry in (ROOT / "js/src/views").glob("*/*/index.ts")
)
STATIC = (
    *(f"{view}.{kind}" for view in VIEWS for kind in ("js", "css")),
    "sharing/chart.js",
    "sharing/chart.licences.txt",
)
TEMPLATE = "voila/templates/tauscope"
TEMPLATE_FILES = ("conf.json", "index.html.j2")
LABEXTENSION = "labextensions/tauscope"
LABEXTENSION_FILES = ("package.json", "install.json", "schemas/tauscope/panel.json")
DATA = {str(path.relative_to(ROOT)) for path in (ROOT / "notebooks" / "data").iterdir() if path.is_file()}
USE = """
import json, sys
import tauscope
from tauscope.views.stress.curves import StressCurvesView
names = [name for name in tauscope.__all__ if getattr(tauscope, name, None) is None]
print(json.dumps([tauscope.__file__, len(str(StressCurvesView._esm)), len(str(StressCurvesView._css)), names]))
"""


def without_node(path: str) -> str:
    """Return the PATH without the folders that hold node or npm."""
    folders = [folder for folder in path.split(os.pathsep) if folder]
    return os.pathsep.join(
        folder for folder in folders if not any((Path(folder) / tool).exists() for tool in ("node", "npm"))
    )


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist of this folder and the wheel built from that sdist, with no Node to be found."""
    out = tmp_path_factory.mktemp("dist")
    environment = os.environ | {"PATH": without_node(os.environ["PATH"])}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = out.glob("*.tar.gz")
    (wheel,) = out.glob("*.whl")
    return {"sdist": sdist, "wheel": wheel}


def test_sdist_is_complete(distributions: dict[str, Path]) -> None:
    with tarfile.open(distributions["sdist"]) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert names >= {f"src/tauscope/static/{name}" for name in STATIC}
    assert names >= {f"jupyter-config/{TEMPLATE}/{name}" for name in TEMPLATE_FILES}
    assert names >= {f"jupyter-config/labextension/{name}" for name in LABEXTENSION_FILES}
    assert "src/tauscope/static/labextension.js" in names
    assert names >= {"src/tauscope/py.typed", "LICENSE", "README.md", "Makefile", "js/package-lock.json"}
    assert "notebooks/data/README.md" in DATA
    assert names >= DATA
    assert not [name for name in names if "node_modules" in name or ".venv" in name]


def test_wheel_is_complete(distributions: dict[str, Path]) -> None:
    with zipfile.ZipFile(distributions["wheel"]) as archive:
        names = set(archive.namelist())
        (data,) = {name.split("/", 1)[0] for name in names if ".data/" in name}
        extension = f"{data}/data/share/jupyter/{LABEXTENSION}"
        described = json.loads(archive.read(f"{extension}/package.json"))
    assert names >= {f"tauscope/static/{name}" for name in STATIC}
    assert names >= {f"{data}/data/share/jupyter/{TEMPLATE}/{name}" for name in TEMPLATE_FILES}
    assert names >= {f"{extension}/{name}" for name in LABEXTENSION_FILES}
    assert f"{extension}/{described['jupyterlab']['_build']['load']}" in names
    assert f"tauscope-{described['version']}" in data
    assert "tauscope/py.typed" in names
    assert not [name for name in names if "notebooks" in name or name.endswith((".csv", ".csv.gz"))]
    sources = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.py")}
    assert names >= sources


def test_wheel_works_in_a_fresh_environment(distributions: dict[str, Path], tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", "-q"]
    subprocess.run([*pip, str(distributions["wheel"])], check=True)
    # The dependencies are borrowed from this environment. A path in a .pth file is only appended: the .pth
    # files over there, an editable install of tauscope among them, are not read.
    site = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    (site / "borrowed.pth").write_text("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}))
    told_nothing = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-c", USE], cwd=tmp_path, env=told_nothing, capture_output=True, text=True, check=True
    )
    file, esm, css, broken = json.loads(done.stdout)
    assert Path(file).is_relative_to(environment)
    assert esm > 1000
    assert css > 100
    assert broken == []
    for name in TEMPLATE_FILES:
        installed = environment / "share" / "jupyter" / TEMPLATE / name
        assert installed.read_text() == (ROOT / "jupyter-config" / TEMPLATE / name).read_text()
    listed = subprocess.run(
        [python, "-m", "jupyterlab.labextensions", "list"],
        cwd=tmp_path,
        env=told_nothing | {"JUPYTER_CONFIG_DIR": str(tmp_path / "config"), "JUPYTER_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = [line for line in (listed.stdout + listed.stderr).splitlines() if "tauscope v" in line]
    assert str(environment / "share/jupyter/labextensions") in listed.stdout + listed.stderr
    assert re.search(r"enabled.*OK", line), line
    assert "X" not in re.sub(r"\x1b\[\d+m", "", line)
