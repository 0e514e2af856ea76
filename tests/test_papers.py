"""The page on the five papers is the one of the table, leaves out no number, and what it names is there."""

import ast
import json
import re
from functools import cache

import pytest

import papers
from architecture.tree import ROOT


@cache
def cells(notebook: str) -> list[str]:
    document = json.loads((ROOT / f"notebooks/{notebook}.ipynb").read_text("utf-8"))
    return ["".join(cell["source"]) for cell in document["cells"]]


@cache
def quoted() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return what the test of the notebooks finds in their outputs."""
    tree = ast.parse((ROOT / "tests/notebooks/test_notebooks.py").read_text("utf-8"))
    named = {ast.unparse(one.targets[0]): one.value for one in tree.body if isinstance(one, ast.Assign)}
    return ast.literal_eval(named["QUOTED"])


def code(place: str) -> str:
    """Return a test from its name on, "" if there is none."""
    file, name = place.split("::")
    path = ROOT / "tests" / file
    after = path.read_text("utf-8").partition(f"def {name}(")[2] if path.exists() else ""
    return re.split(r"\n(?=@|def |class |    @|    def )", after)[0]


def shown(place: str) -> str:
    """Return the test, or the notebook with the outputs that are checked."""
    if "::" in place:
        return code(place)
    notebook = papers.NOTEBOOKS.get(place[:2])
    return " ".join([*cells(notebook), *map(" ".join, quoted()[notebook].values())]) if notebook else ""


def numbers(text: str) -> set[float]:
    return {float(one) for one in re.findall(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?", text)}


def is_there(place: str) -> bool:
    if "::" in place:
        return code(place) != ""
    kind, words = place.split(": ", 1)
    if kind == "benchmark":
        cases = "".join((ROOT / f"benchmarks/{name}.py").read_text("utf-8") for name in ("run", "stress_speed"))
        return f'"{words}"' in cases or f'Cell("{words.removeprefix("stress-")}"' in cases
    return any(words in source for source in cells(papers.NOTEBOOKS[kind]))


def test_the_page_is_that_of_the_table() -> None:
    assert papers.PAGE.read_text("utf-8") == papers.page()


@pytest.mark.parametrize("source", papers.SOURCES, ids=lambda source: source.title.split(":")[0])
def test_every_place_is_there_and_every_item_has_one_or_a_reason(source: papers.Source) -> None:
    assert [place for item in source.items for place in item.places if not is_there(place)] == []
    assert [item.what for item in source.items if not (item.places or item.why)] == []


@pytest.mark.parametrize("source", papers.SOURCES, ids=lambda source: source.title.split(":")[0])
def test_every_number_of_a_source_has_its_item(source: papers.Source) -> None:
    named = {label for item in source.items for label in papers.labels(item.what)}
    assert named == set(papers.labels(source.labels))


@pytest.mark.parametrize("source", papers.SOURCES, ids=lambda source: source.title.split(":")[0])
def test_every_number_said_to_be_ours_stands_where_it_is_shown(source: papers.Source) -> None:
    for item in source.items:
        assert numbers(item.ours) <= numbers(" ".join(map(shown, item.places))), item.what


def test_labels_are_read_in_ranges_and_lists() -> None:
    assert papers.labels("Figures 4.9, 4.11–4.13 and 5; Table 2") == [
        "Figure 4.9", "Figure 4.11", "Figure 4.12", "Figure 4.13", "Figure 5", "Table 2",
    ]  # fmt: skip
