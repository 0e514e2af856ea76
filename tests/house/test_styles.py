"""Widgets of a notebook share its page: no rule of a view's style sheet reaches another view."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "src/tauscope/static"
SOURCE = Path(__file__).parents[2] / "js/src/views"
VIEWS = sorted(path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.glob("*/*/index.ts"))


def selectors(css: str) -> Iterator[str]:
    """Yield each selector of a sheet, those within conditions too."""
    at = 0
    while (opened := css.find("{", at)) >= 0:
        depth, end = 1, opened + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        head = css[at:opened].strip()
        if head.startswith(("@media", "@container", "@supports")):
            yield from selectors(css[opened + 1 : end - 1])
        else:
            yield from re.split(r",(?![^()]*(?:\([^()]*\)[^()]*)*\))", head)
        at = end


def root_of(view: str) -> str:
    """Return the class of a view's root."""
    found = re.search(r'root: "(ts-[\w-]+)"', (SOURCE / view / "index.ts").read_text("utf-8"))
    assert found
    return found[1]


@pytest.mark.parametrize("view", VIEWS)
def test_every_rule_is_of_its_view_alone(view: str) -> None:
    rules = list(selectors((STATIC / f"{view}.css").read_text("utf-8")))
    assert len(rules) > 50
    assert [rule for rule in rules if not re.search(rf"\.{root_of(view)}(?![\w-])", rule)] == []


def test_roots_differ() -> None:
    assert len({root_of(view) for view in VIEWS}) == len(VIEWS)


def test_selectors_within_conditions_are_read() -> None:
    css = "a{b:c}@media (x){.d:is(e,f:not(x),y),.g h{i:j}}k{l:m}"
    assert list(selectors(css)) == ["a", ".d:is(e,f:not(x),y)", ".g h", "k"]
