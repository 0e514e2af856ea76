"""Widgets of a notebook share its page: no rule of a view's style sheet reaches another view."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "src/tauscope/static"
SOURCE = Path(__file__).parents[2] / "js/src/views"
VIEWS = sorted(path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.glob("*/*/index.ts"))


def blocks(css: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each block of a sheet, and what is in it; those within conditions too."""
    at = 0
    while (opened := css.find("{", at)) >= 0:
        depth, end = 1, opened + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        head = css[at:opened].strip()
        if head.startswith(("@media", "@container", "@supports")):
            yield from blocks(css[opened + 1 : end - 1])
        else:
            yield head, css[opened + 1 : end - 1]
        at = end


def selectors(head: str) -> list[str]:
    return re.split(r",(?![^()]*(?:\([^()]*\)[^()]*)*\))", head)


def root_of(view: str) -> str:
    """Return the class of a view's root."""
    found = re.search(r'root: "(ts-[\w-]+)"', (SOURCE / view / "index.ts").read_text("utf-8"))
    assert found
    return found[1]


@pytest.mark.parametrize("view", VIEWS)
def test_every_rule_is_of_its_view_alone(view: str) -> None:
    """A rule names the root, or stands within one that does and does not lead out of it again."""
    outer = list(blocks((STATIC / f"{view}.css").read_text("utf-8")))
    of_root = re.compile(rf"\.{root_of(view)}(?![\w-])")
    assert [rule for head, _ in outer for rule in selectors(head) if not of_root.search(rule)] == []
    inner = [rule for _, block in outer for head, _ in blocks(block) for rule in selectors(head)]
    assert len(inner) > 50
    assert [rule for rule in inner if re.search(r":not\([^)]*&|&\s*[~+]", rule)] == []


def test_roots_differ() -> None:
    assert len({root_of(view) for view in VIEWS}) == len(VIEWS)


def test_selectors_within_conditions_are_read() -> None:
    css = "a{b:c}@media (x){.d:is(e,f:not(x),y),.g h{i:j;&.k{l:m}}}n{o:p}"
    assert [rule for head, _ in blocks(css) for rule in selectors(head)] == ["a", ".d:is(e,f:not(x),y)", ".g h", "n"]
