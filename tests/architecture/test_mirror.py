"""`tests/` has the folders of the package, and its files the names of the modules they test."""

import ast
from pathlib import Path

from architecture.tree import ROOT

TESTS, PACKAGE = ROOT / "tests", ROOT / "src" / "tauscope"
# Folders that test something else than one folder of the package.
OWN = {"browser", "hostile", "architecture", "notebooks", "wire"}
# Files whose subject is not one module: what several promise together.
OF_SEVERAL = {
    "chunked/test_weighted.py",
    "effects/test_public.py",
    "results/test_data.py",
    "sharing/test_effects.py",
    "sharing/test_few_rows.py",
    "sharing/test_joint_stress.py",
    "sharing/test_stress_curves.py",
    "stress/test_simulations.py",
    "study/effects/test_closed_forms.py",
    "study/effects/test_comparison.py",
    "study/effects/test_regions.py",
    "study/boundary/test_own_vertices.py",
    "study/boundary/test_signs.py",
    "study/rules/test_many_rows.py",
    "study/rules/test_promise.py",
    "study/stress/test_hinge_loss.py",
    "study/test_first_hour.py",
    "study/test_labels_kept.py",
    "test_one_hot_rows.py",
    "test_papers.py",
    "study/test_whole_number_names.py",
    "test_public_names.py",
    "test_metric_words.py",
    "test_untouched.py",
    "test_verbs.py",
    "views/test_offline.py",
}


def mirrored_files() -> list[Path]:
    files = sorted(path.relative_to(TESTS) for path in TESTS.rglob("test_*.py"))
    return [file for file in files if file.parts[0] not in OWN]


def names_in(folder: Path) -> set[str]:
    """Return what a file of tests may be called after: the folder, its modules and the folders in it."""
    return {folder.name, *(path.stem for path in (PACKAGE / folder).iterdir())} - {"__init__", ""}


def is_named_after_a_module(file: Path) -> bool:
    if not (PACKAGE / file.parent).is_dir():
        return False
    subject = file.stem.removeprefix("test_")
    return any(subject == name or subject.startswith(f"{name}_") for name in names_in(file.parent))


def test_the_folders_are_those_of_the_package() -> None:
    tests = {file.parent for file in mirrored_files()}
    code = {path.parent.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"}
    differing = sorted(map(str, tests ^ code))
    assert not differing, f"either in tests/ or in src/tauscope/ only: {', '.join(differing)}"


def test_the_files_are_named_after_what_they_test() -> None:
    strange = [str(file) for file in mirrored_files() if not is_named_after_a_module(file)]
    assert sorted(OF_SEVERAL - set(strange)) == [], "not needed in the list"
    others = [file for file in strange if file not in OF_SEVERAL]
    assert not others, f"no module of that name: {', '.join(others)}"


def test_no_test_is_in_a_file_that_is_not_collected() -> None:
    others = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_")]
    lost = [
        f"{path.relative_to(TESTS)}: {node.name}"
        for path in others
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert not lost, ", ".join(lost)
