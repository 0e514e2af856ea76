"""`make test-lowest` installs what pyproject.toml declares, and nothing higher."""

import re
import tomllib

import pytest

from architecture.lowest import BESIDE, PROJECT, lowest, pins
from architecture.tree import ROOT


@pytest.mark.parametrize(
    ("requirement", "pin"),
    [("numpy>=2.0.1", "numpy==2.0.1"), ("anywidget>=0.11,<0.12", "anywidget==0.11"), ("a[b]~=3.1.0", "a==3.1.0")],
)
def test_the_lowest_version_of_a_requirement(requirement, pin) -> None:
    assert lowest(requirement) == pin


def test_every_dependency_is_pinned() -> None:
    declared = tomllib.loads(PROJECT.read_text())["project"]["dependencies"]
    pinned = [pin.partition("==")[0] for pin in pins()]
    assert pinned[: len(declared)] == [re.split("[>~]", one)[0] for one in declared]
    assert set(pinned[len(declared) :]) == BESIDE


def test_its_tests_are_there_and_it_is_part_of_the_whole() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (files,) = re.findall(r"^ON_LOWEST := (.+)$", makefile, re.MULTILINE)
    assert all((ROOT / file).exists() for file in files.split())
    (parts,) = re.findall(r"^test: (.+?) ##", makefile, re.MULTILINE)
    assert "test-lowest" in parts.split()
