"""The reference: every public name and verb stands in it, with an example that runs; its pages ask no network."""

import doctest
import inspect
import re
import runpy
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpydoc.docscrape import FunctionDoc, NumpyDocString  # pyright: ignore[reportMissingTypeStubs]

import tauscope as ts
from architecture.tree import ROOT

DOCS = ROOT / "docs"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PUBLIC = sorted(set(re.findall(r" as (\w+)", (ROOT / "src/tauscope/__init__.pyi").read_text())))
VERBS = sorted(f"Study.{name}" for name, _ in inspect.getmembers(ts.Study, callable) if not name.startswith("_"))
MOST_NAMES = 51
"""Public names of a class."""


def listed() -> set[str]:
    return {
        line.strip()
        for page in DOCS.glob("*.rst")
        if page.stem != "index"  # which lists the pages
        for line in page.read_text().splitlines()
        if re.fullmatch(r"   \w+(\.\w+)?", line)
    }


def found(name: str) -> Any:
    holder, _, method = name.rpartition(".")
    return getattr(getattr(ts, holder) if holder else ts, method)


def plain(name: str) -> Any:
    """Return the function behind a method, the same for all that inherit it."""
    return getattr(found(name), "__func__", found(name))


def classes() -> dict[str, Any]:
    kinds = {name: found(name) for name in PUBLIC if inspect.isclass(found(name))}
    return {name: kind for name, kind in kinds.items() if not issubclass(kind, BaseException)}


def public_names(kind: Any) -> set[str]:
    """Names of a class that autocompletion offers, fields among them; a sequence's own are Python's."""
    fields = {name for base in kind.__mro__ for name in vars(base).get("__annotations__", ())}
    return {name for name in {*dir(kind), *fields} - {*dir(tuple)} if not name.startswith("_")}


def described(kind: Any) -> set[str]:
    """Attributes and parameters that the docstrings of a class and of those it stands on describe."""
    docs = [NumpyDocString(inspect.cleandoc(base.__doc__ or "")) for base in kind.__mro__ if base is not object]
    entries = [entry for doc in docs for part in ("Attributes", "Parameters") for entry in doc[part]]
    return {name.strip() for entry in entries for name in entry.name.split(",")}


def methods() -> list[str]:
    """Every method of a public class."""
    return [f"{name}.{one}" for name, kind in classes().items() for one in public_names(kind) if called(kind, one)]


def called(kind: Any, name: str) -> bool:
    return callable(getattr(kind, name, None))


def test_every_parameter_is_described() -> None:
    for name in [*methods(), *VERBS, "link"]:
        taken = set(inspect.signature(found(name)).parameters) - {"self", "cls"}
        lines: Any = FunctionDoc(found(name))["Parameters"]
        described = {one.strip().lstrip("*") for line in lines for one in line.name.split(",")}
        assert described == taken, name


@cache
def stage() -> dict[str, Any]:
    """Return what the examples stand on, as the page of the study shows it."""
    return runpy.run_path(str(DOCS / "examples.py"))


@pytest.mark.parametrize("name", [*PUBLIC, *VERBS])
def test_it_is_in_the_reference(name: str) -> None:
    assert name in listed()
    assert ">>> " in (found(name).__doc__ or "")


def test_every_method_is_in_the_reference() -> None:
    there = {plain(name) for name in listed()}
    assert [name for name in methods() if plain(name) not in there] == []


@pytest.mark.parametrize("name", classes())
def test_a_class_has_few_names_all_of_which_are_described(name: str) -> None:
    kind = found(name)
    names = public_names(kind)
    assert len(names) <= MOST_NAMES
    of_itself = {one for one in names if called(kind, one) or getattr(getattr(kind, one, None), "__doc__", "")}
    assert names - of_itself - described(kind) == set()


@pytest.mark.parametrize("name", ["Study", "ChunkedStudy"])
def test_a_study_has_the_names_of_the_reference_and_no_other(name: str) -> None:
    study = ts.Study(lambda rows: rows[:, 0] > 1, np.eye(3) * 2)
    made = study if name == "Study" else ts.ChunkedStudy(len, [])
    assert {one for one in dir(made) if not one.startswith("_")} == {
        one.removeprefix(f"{name}.") for one in listed() if one.startswith(f"{name}.")
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PUBLIC, *VERBS, "StressCurves.plot"])
def test_its_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(found(name)) or ""
    example = doctest.DocTestParser().get_doctest(text, dict(stage()), name, None, None)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append)
    assert example.examples
    assert not said, "".join(said)


@pytest.mark.slow
def test_the_pages_are_whole_and_ask_no_network(tmp_path: Path) -> None:
    source = shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("_build", "generated"))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", str(source), str(tmp_path / "html")]
    subprocess.run(command, check=True, timeout=300)
    pages = list((tmp_path / "html").rglob("*.html"))
    assert len(pages) > len(PUBLIC) + len(VERBS)
    loaded = r"<(?:script|img|iframe)\b[^>]*\bsrc=[\"']?(?:https?:)?//|<link\b[^>]*\bhref=[\"']?(?:https?:)?//"
    assert not [page.name for page in pages if re.search(loaded, page.read_text())]
