"""ARCHITECTURE.md is a map: what it names is there, and every folder of code is on it."""

import re

from house.tree import ROOT, project_files

PAGE = (ROOT / "ARCHITECTURE.md").read_text()
NAMED = sorted({name for name in re.findall(r"`([^`\s<]+)`", PAGE) if "/" in name})
CODE = ("src/tauscope", "js/src")


def folders_of_code() -> list[str]:
    parents = {str(parent) for path in project_files() for parent in path.parents}
    return sorted(folder for folder in parents if folder.startswith(tuple(f"{top}/" for top in CODE)))


def test_what_the_page_names_exists() -> None:
    missing = [name for name in NAMED if not (ROOT / name).exists()]
    assert not missing, ", ".join(missing)
    unlike = [name for name in NAMED if (ROOT / name).is_dir() != name.endswith("/")]
    assert not unlike, f"a folder is written with a slash at its end: {', '.join(unlike)}"


def test_every_folder_of_code_is_on_the_page() -> None:
    missing = [folder for folder in folders_of_code() if f"{folder}/" not in NAMED]
    assert not missing, ", ".join(missing)


def test_the_page_holds_no_number_that_can_rot() -> None:
    assert not re.search(r"\d+ ?(?:lines|files|folders|tests|%|ms|s\b|kB|MB|×)", PAGE)


def test_contributing_stays_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text().splitlines()) < 60
