"""The project's own files: what is in its folder and not ignored by git."""

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pathspec

ROOT = Path(__file__).parents[2]


@cache
def _ignored() -> pathspec.GitIgnoreSpec:
    lines = (ROOT / ".gitignore").read_text().splitlines()
    return pathspec.GitIgnoreSpec.from_lines([*lines, ".git"])


def _walk() -> Iterator[Path]:
    for folder, folders, files in os.walk(ROOT):
        here = Path(folder).relative_to(ROOT)
        folders[:] = [name for name in folders if not _ignored().match_file(f"{here / name}/")]
        yield from (here / name for name in files if not _ignored().match_file(str(here / name)))


@cache
def project_files() -> tuple[Path, ...]:
    """Return every file, relative to the root, sorted; works in an unpacked sdist too, where there is no git."""
    return tuple(sorted(_walk()))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a Python file, the module first: parsed once for all tests of this folder."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
