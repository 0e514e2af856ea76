"""The make targets: all of them in `make help`, and `make demo` answering."""

import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from architecture.tree import ROOT
from browser.server import answers, free_port, isolated_environment, stop
from browser.waits import SECONDS

MAKEFILE = (ROOT / "Makefile").read_text()
OF_MAKE = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}


def outside_of_make() -> dict[str, str]:
    """Return this process's environment as it is when make did not start it."""
    return {name: value for name, value in os.environ.items() if name not in OF_MAKE}


def test_help_lists_every_target() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, env=outside_of_make(), capture_output=True, text=True, check=True)
    listed = re.findall(r"^make (\S+) +\S", done.stdout, re.MULTILINE)
    (phony,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert sorted(listed) == sorted(phony.split())
    assert {"demo", "check", "test", "bench", "lint", "wheel", "help"} <= set(listed)
    rules = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))
    assert rules == set(listed)


def test_check_leaves_out_what_is_slow() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "check"], cwd=ROOT, env=outside_of_make(), capture_output=True, text=True, check=True
    )
    parts = ('-m pytest -q -m "not slow"', "ruff check", "pyright", "run lint", "run typecheck", "npm --prefix js test")
    assert [part for part in parts if part not in done.stdout] == []


def test_the_slow_tests_are_those_of_browsers_notebooks_and_marked_ones() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "-q", "-m", "not slow"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "tests/results/test_data.py::test_a_source_of_other_rows_is_refused" in listed
    for slow in (
        "tests/browser",
        "tests/notebooks",
        "tests/architecture/test_make.py",
        "test_data.py::test_charts_are",
    ):
        assert slow not in listed


def test_continuous_integration_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().endswith("exec make test\n")


def printed_url(log: Path, process: subprocess.Popen[str]) -> str:
    """Wait for the URL that the demo prints for a person to open."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:\S+token=\w+", log.read_text())
        if found and answers(found[0]):  # it is printed a moment before the server listens
            return found[0]
        time.sleep(0.1)
    raise AssertionError(f"make demo printed no URL that answers:\n{log.read_text()[-3000:]}")


@pytest.fixture
def demo_url(tmp_path: Path):
    """`make demo` as on a machine without a browser, and the URL it prints."""
    log = tmp_path / "demo.log"
    environment = {name: value for name, value in isolated_environment(tmp_path).items() if name not in OF_MAKE}
    with log.open("w") as out:
        process = subprocess.Popen(
            ["make", "demo", f"PORT={free_port()}", "LAB=--no-browser"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            text=True,
            start_new_session=True,
        )
    try:
        yield printed_url(log, process)
    finally:
        stop(process)


def test_demo_serves_the_tour(demo_url: str) -> None:
    page, token = demo_url.split("?")
    base = page.removesuffix("/lab/tree/01-tour.ipynb")
    assert base != page, "the printed URL opens the tour"
    for path in ("/api/status", "/api/contents/01-tour.ipynb?content=0&", "/lab/tree/01-tour.ipynb"):
        address = f"{base}{path}{'' if path.endswith('&') else '?'}{token}"
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            assert answer.status == 200
