"""Widgets of a notebook share its page: no rule of a view's style sheet reaches another view."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "src/tauscope/static"
SOURCE = Path(__file__).parents[2] / "js/src/views"
SHEETS = sorted(SOURCE.parent.rglob("*.css"))
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


def rules_of(css: str) -> list[tuple[str, str]]:
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return [(rule, body) for head, body in blocks(plain) for rule in selectors(head)]


def areas_without_parent(css: str, imported: str = "") -> list[str]:
    """Return the rules that place an element in a named area without naming the parent that has it.

    Such a rule reaches the element in every place, and where no parent has the area it lies over others.
    """
    areas: dict[str, set[str]] = {}
    for rule, body in rules_of(css + imported):
        for template in re.findall(r"grid-template(?:-areas)?:([^;}]*)", body):
            parent = re.findall(r"\.[\w-]+", rule)[-1]
            areas.setdefault(parent, set()).update(" ".join(re.findall(r'"([^"]*)"', template)).split())
    found: list[str] = []
    for rule, body in rules_of(css):
        named = set(re.findall(r"[a-z]\w*", " ".join(re.findall(r"grid-area:([^;}]*)", body))))
        parents = re.findall(r"\.[\w-]+(?= >)", rule)
        if named and not any(named <= areas.get(parent, set()) for parent in parents):
            found.append(rule)
    return found


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.relative_to(SOURCE.parent).as_posix())
def test_a_named_area_is_of_a_parent_that_has_it(sheet: Path) -> None:
    css = sheet.read_text("utf-8")
    imported = "".join((sheet.parent / name).read_text("utf-8") for name in re.findall(r'@import "(.*?)"', css))
    assert areas_without_parent(re.sub("@import[^;]*;", "", css), re.sub("@import[^;]*;", "", imported)) == []


def test_an_area_of_any_parent_is_found() -> None:
    parent = '.parent { grid-template: "main side" auto / 1fr 1fr; }'
    assert areas_without_parent(f"{parent} .parent > .main {{ grid-area: main; }} .one {{ grid-area: 1 / 1; }}") == []
    for leak in (".main", ".parent .main", ".other > .main"):
        assert areas_without_parent(f"{parent} @container (width > 9px) {{ {leak} {{ grid-area: main; }} }}") == [leak]
    assert areas_without_parent(f"{parent} .parent > .main {{ grid-area: lost; }}") == [".parent > .main"]


def test_roots_differ() -> None:
    assert len({root_of(view) for view in VIEWS}) == len(VIEWS)


def test_selectors_within_conditions_are_read() -> None:
    css = "a{b:c}@media (x){.d:is(e,f:not(x),y),.g h{i:j;&.k{l:m}}}n{o:p}"
    assert [rule for head, _ in blocks(css) for rule in selectors(head)] == ["a", ".d:is(e,f:not(x),y)", ".g h", "n"]
