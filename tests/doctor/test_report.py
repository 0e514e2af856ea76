"""What is printed, and the exit code: of made-up environments, and of this one."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from tauscope.__main__ import main
from tauscope.doctor.environment import Environment, Host
from tauscope.doctor.findings import Finding
from tauscope.doctor.reading import find_places
from tauscope.doctor.report import describe

HERE = Path("/envs/here")
ENVIRONMENT = Environment(HERE, HERE / "bin/python", {"numpy": "2.3.0"}, host=Host(HERE, HERE / "bin/python", "4.5.0"))
WRONG = Finding("a", True, "It is not there.", "put it there")
NOTE = Finding("b", False, "It is odd.", "make it even")
SOURCE = Path(__file__).parents[2] / "src"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PATH": str(Path(sys.executable).parent)}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_versions_and_the_answer():
    text = describe(ENVIRONMENT, (), "3.11.7")
    assert "  numpy   2.3.0\n" in text
    assert "Widgets can show here: in the Jupyter of /envs/here." in text
    assert "as far as can be seen" in describe(replace(ENVIRONMENT, host=None), (), "3.11.7")


def test_causes_come_with_the_next_step_and_notes_apart():
    text = describe(ENVIRONMENT, (WRONG, NOTE), "3.11.7")
    blocking, notes = text.split("Also:")
    assert "Widgets cannot show here." in blocking
    assert "- It is not there.\n  Next: put it there.\n" in blocking
    assert "- It is odd.\n  Next: make it even.\n" in notes


def test_the_doctor_finds_this_environment_well():
    done = run("-m", "tauscope", "doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Widgets can show here: in the Jupyter of" in done.stdout
    for name in ("anywidget", "ipywidgets", "jupyterlab", "numpy", "scikit-learn"):
        assert version(name) in next(line for line in done.stdout.splitlines() if line.split()[:1] == [name])


def test_what_hinders_ends_with_one(monkeypatch, capsys):
    places = replace(find_places(), static=Path("nowhere"))
    monkeypatch.setattr("tauscope.__main__.find_places", lambda: places)
    assert main(["doctor"]) == 1
    assert "npm --prefix js run build" in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "code"), [((), 0), (("--help",), 0), (("doctor", "x"), 2), (("help",), 2)])
def test_anything_else_says_how_to_use_it(arguments, code, capsys):
    assert main(arguments) == code
    printed = capsys.readouterr()
    assert "usage: python -m tauscope doctor" in (printed.err if code else printed.out)


def test_nothing_heavy_is_imported():
    code = "import sys, tauscope.__main__ as m; m.main(['doctor']); sys.stderr.write(' '.join(sys.modules))"
    loaded = set(run("-c", code).stderr.split())
    assert "tauscope.doctor.findings" in loaded
    assert not loaded & {"numpy", "scipy", "sklearn", "pandas", "ipywidgets", "anywidget", "altair", "traitlets"}
