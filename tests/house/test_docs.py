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

import pytest
from numpydoc.docscrape import FunctionDoc  # pyright: ignore[reportMissingTypeStubs]

import tauscope as ts
from house.tree import ROOT

DOCS = ROOT / "docs"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PUBLIC = sorted(set(re.findall(r" as (\w+)", (ROOT / "src/tauscope/__init__.pyi").read_text())))
# What results and chunks ask of a study, and what asks again with a record of options.
INTERNAL = {
    "as_source", "boundary_from", "compare_outcomes", "curves_by_group", "effect_by_group",
    "effect_from", "equal_shifts", "metrics_by_group", "outcomes_of", "pooled_boundary_from", "read_points",
    "require_model", "response", "reweight_towards", "rule_list_from", "rules_from", "rules_under", "sufficient_from",
    "sufficient_under", "with_answers_of", "with_weights", "without_model",
}  # fmt: skip
# What files, views, sources and other results ask of a result.
INTERNAL_OF_RESULTS = {
    "arrays", "answer", "bars", "check_model", "check_rows_kept", "check_usable", "column", "described", "document",
    "empty", "feature_place", "first_pass", "from_present", "lines", "metric_place", "of", "outline", "output",
    "outputs",
    "passes", "reach", "recompute", "require_source", "row_weights", "sampled", "schema", "some",
    "with_effect", "with_source",
}  # fmt: skip
VERBS = sorted(
    f"Study.{name}" for name, _ in inspect.getmembers(ts.Study, callable) if not name.startswith("_")
    and name not in INTERNAL
)  # fmt: skip

PLOTS = ["EffectBounds.plot", "FeatureEffect.plot", "StressCurves.plot"]


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


def methods() -> list[str]:
    """Every method of a public class that a person can call; what only refuses, and a tuple's own, are none."""
    classes = {name: found(name) for name in PUBLIC if inspect.isclass(found(name))}
    names = [
        f"{name}.{method}"
        for name, one in classes.items()
        if not issubclass(one, BaseException)
        for method, _ in inspect.getmembers(one, callable)
        if not method.startswith("_") and method not in INTERNAL | INTERNAL_OF_RESULTS
    ]
    homes = {name: plain(name).__module__ for name in names}
    return [name for name in names if homes[name].startswith("tauscope.") and "needs_rows" not in homes[name]]


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


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PUBLIC, *VERBS, *PLOTS])
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
