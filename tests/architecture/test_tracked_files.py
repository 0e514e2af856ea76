"""No file of the project points at one machine, or at one place to download from."""

import json
import re
import tomllib

import pytest

import tauscope
from architecture.tree import ROOT, project_files

HOME_OR_SCRATCH = rb"(?<![\w.~/-])/(?:home|root|Users|work|tmp|private)/[\w.-]"
DOWNLOAD_HOST = rb"registry\.[a-z]+\.[a-z]{2,}|files\.pythonhosted\.|npm[m]irror|[\"']resolved[\"']\s*:|index-url\s*="
INTERNAL_HOST = rb"https?://[\w.-]+\.(?:internal|local|corp|lan)\b"


@pytest.mark.parametrize("pattern", [HOME_OR_SCRATCH, DOWNLOAD_HOST, INTERNAL_HOST])
def test_no_file_names_a_machine_or_a_download_host(pattern: bytes) -> None:
    found = {
        str(path): match[0] for path in project_files() if (match := re.search(pattern, (ROOT / path).read_bytes()))
    }
    assert not found


def test_the_lockfile_covers_every_platform() -> None:
    # npm ci refuses a lock in which an optional package of any platform has no entry.
    packages = json.loads((ROOT / "js/package-lock.json").read_text())["packages"]
    locked = {path.rsplit("node_modules/", 1)[-1] for path in packages}
    missing = {
        f"{path} needs {name}"
        for path, package in packages.items()
        for name in package.get("optionalDependencies", {})
        if name not in locked
    }
    assert not missing
    assert all("integrity" in package for path, package in packages.items() if path)


def test_the_version_stands_in_one_place_and_where_jupyterlab_asks_for_it() -> None:
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]
    assert (
        json.loads((ROOT / "jupyter-config/labextension/package.json").read_text())["version"] == tauscope.__version__
    )
    assert re.search(rf"^## {re.escape(tauscope.__version__)}\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
