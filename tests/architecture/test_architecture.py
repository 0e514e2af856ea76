"""ARCHITECTURE.md and docs/decisions are a map: what they name is there, and code names what shaped it."""

import re

from architecture import decisions
from architecture.tree import ROOT, project_files

PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
CODE = ("src/tauscope", "js/src")


def named_in(text: str) -> list[str]:
    return sorted({name for name in re.findall(r"`([^`\s<]+)`", text) if "/" in name and "<" not in name})


def test_what_the_pages_name_exists() -> None:
    for text in (PAGE, *(path.read_text("utf-8") for path in decisions.pages())):
        missing = [name for name in named_in(text) if not (ROOT / name).exists()]
        assert not missing, ", ".join(missing)
        unlike = [name for name in named_in(text) if (ROOT / name).is_dir() != name.endswith("/")]
        assert not unlike, f"a folder is written with a slash at its end: {', '.join(unlike)}"


def test_every_first_folder_of_code_is_on_the_page() -> None:
    folders = {f"{top}/{path.relative_to(top).parts[0]}/" for path in project_files() for top in CODE
               if path.is_relative_to(top) and len(path.relative_to(top).parts) > 1}  # fmt: skip
    assert folders
    missing = sorted(folders - set(named_in(PAGE)))
    assert not missing, ", ".join(missing)


def test_the_page_stays_a_page_and_holds_no_number_that_can_rot() -> None:
    assert len(PAGE.encode()) < 8_000
    assert not re.search(r"\d+ ?(?:lines|files|folders|tests|%|ms|s\b|kB|MB|×)", PAGE)


def test_the_index_of_decisions_is_fresh_and_code_names_each() -> None:
    assert decisions.INDEX.read_text("utf-8") == decisions.index()
    code = [path for path in project_files() if path.suffix in (".py", ".ts", ".mjs", ".j2")]
    named = {
        name for path in code for name in re.findall(r"docs/decisions/([\w-]+\.md)", (ROOT / path).read_text("utf-8"))
    }
    assert named == {path.name for path in decisions.pages()}


def test_contributing_stays_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text().splitlines()) < 60
