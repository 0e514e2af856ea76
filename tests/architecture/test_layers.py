"""Imports go down: which floor may import which, and nothing that reaches out or runs text."""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from architecture.tree import ROOT, nodes

PACKAGE = ROOT / "src" / "tauscope"
ROOMS = ("stress", "effects", "boundary", "rules")
GROUND = ("words", "errors", "arguments", "weights", "prediction", "trees", "pipelines")
# What each floor stands on, itself aside; results are also what views and figures are made of.
BELOW = {
    "words": (),
    "errors": GROUND[:1],
    "arguments": GROUND[:2],
    "weights": GROUND[:3],
    "prediction": GROUND[:4],
    "trees": GROUND[:5],
    "pipelines": GROUND[:6],
    **dict.fromkeys(ROOMS, GROUND),
    "data": (*GROUND, *ROOMS),
    "model": (*GROUND, *ROOMS, "data"),
    "results": (*GROUND, *ROOMS, "data", "model"),
    "rows": (*GROUND, *ROOMS, "data", "model"),
    "study": (*GROUND, *ROOMS, "data", "model", "results", "rows"),
    "chunked": (*GROUND, *ROOMS, "data", "model", "results", "rows", "study"),
    "figures": (*GROUND, *ROOMS, "data", "model", "results"),
    "views": (*GROUND, *ROOMS, "data", "model", "results", "figures"),
    "sharing": (*GROUND, *ROOMS, "data", "model", "results", "figures", "views"),
    "lab": (),
    "doctor": ("views",),
    "__main__": ("doctor",),
}
# A result's chart and widget are found from the result's own path: the one import upwards.
UPWARD = {"results/show.py"}
# A result says what study it was made of, and asks it more: its type, for checkers alone.
TYPED_BY_STUDY = "results/base.py"
FORBIDDEN = {
    "pickle", "cPickle", "cloudpickle", "dill", "marshal", "shelve",
    "requests", "urllib", "urllib3", "http", "httpx", "aiohttp", "socket", "socketserver", "ssl", "ftplib",
    "smtplib", "telnetlib", "xmlrpc", "webbrowser",
}  # fmt: skip
CALLS = {"eval", "exec", "compile", "__import__", "print"}
LOADED_BY_NO_ENGINE = {
    "pandas", "polars", "narwhals", "anywidget", "ipywidgets", "traitlets", "altair", "matplotlib", "IPython",
}  # fmt: skip


def modules() -> Iterator[tuple[Path, tuple[ast.AST, ...]]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE), nodes(path)


def imported(tree: tuple[ast.AST, ...]) -> Iterator[str]:
    """Every module named by an import, wherever it stands: at the top, in functions, for type checkers."""
    for node in tree:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            yield from (f"{name}.{alias.name}" for alias in node.names) if name == "tauscope" else (name,)


def floor_of(path: Path) -> str:
    return path.parts[0].removesuffix(".py")


def test_imports_go_down() -> None:
    wrong = []
    for path, tree in modules():
        floor = floor_of(path)
        if floor == "__init__":
            continue
        for name in imported(tuple(node for node in tree if not names_the_study(path, tree, node))):
            if name.startswith("."):
                wrong.append(f"{path} imports {name}, a relative name")
            elif name.startswith("tauscope."):
                other = name.split(".")[1]
                allowed = other == floor or other in BELOW[floor] or path.as_posix() in UPWARD
                if not allowed:
                    wrong.append(f"{path} imports {name}")
            elif name == "tauscope":
                wrong.append(f"{path} imports the package itself")
    assert not wrong, "\n".join(sorted(wrong))


def test_engines_and_what_they_stand_on_know_numbers_only() -> None:
    known = {"numpy", "scipy", "sklearn", "tauscope"} | set(sys.stdlib_module_names)
    wrong = [
        f"{path} imports {name}"
        for path, tree in modules()
        if floor_of(path) in (*GROUND, *ROOMS)
        for name in imported(tree)
        if name.split(".")[0] not in known
    ]
    assert not wrong, "\n".join(wrong)


def test_importing_the_engines_loads_no_frame_widget_or_chart() -> None:
    names = [
        ".".join(("tauscope", *path.with_suffix("").parts)).removesuffix(".__init__")
        for path, _ in modules()
        if floor_of(path) in (*GROUND, *ROOMS)
    ]
    code = "\n".join(
        ["import sys", *(f"import {name}" for name in names), "print(*{n.split('.')[0] for n in sys.modules})"]
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert "tauscope" in loaded
    assert not loaded & LOADED_BY_NO_ENGINE


def files() -> dict[str, Path]:
    return {
        ".".join(("tauscope", *path.with_suffix("").parts)).removesuffix(".__init__"): path for path, _ in modules()
    }


def for_types(tree: tuple[ast.AST, ...]) -> set[ast.AST]:
    """What stands under `if TYPE_CHECKING:`."""
    guarded = [node for node in tree if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    return {inner for node in guarded for inner in ast.walk(node)}


def names_the_study(path: Path, tree: tuple[ast.AST, ...], node: ast.AST) -> bool:
    """Tell the one import of the study into results."""
    return (
        path.as_posix() == TYPED_BY_STUDY
        and isinstance(node, ast.ImportFrom)
        and node.module == "tauscope.study.study"
        and node in for_types(tree)
    )


@cache
def arrows() -> tuple[tuple[Path, Path], ...]:
    """Every import of one file of the package by another, the two upward excepted.

    Files of one folder may name each other's classes for type checkers: an effect gives its bounds, and these say of
    which effect they are.
    """
    return tuple(_arrows())


def _arrows() -> Iterator[tuple[Path, Path]]:
    homes = files()
    for path, tree in modules():
        if path.as_posix() in UPWARD or path.name == "__init__.py":
            continue
        guarded = for_types(tree)
        for node in tree:
            if names_the_study(path, tree, node):
                continue
            if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("tauscope"):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                for other in (homes[name] if name in homes else homes[node.module] for name in names):
                    if node not in guarded or other.parent != path.parent:
                        yield path, other


def circles(graph: dict[str, set[str]]) -> list[str]:
    """Nodes that reach themselves."""
    found = []
    for start in graph:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            new = graph.get(ahead.pop(), set()) - seen
            seen |= new
            ahead += new
        if start in seen:
            found.append(start)
    return sorted(found)


def test_no_file_imports_itself_round_about() -> None:
    graph = defaultdict(set)
    for one, other in arrows():
        graph[one.as_posix()].add(other.as_posix())
    assert not circles(graph)


def test_no_circle_between_folders_side_by_side() -> None:
    graphs: dict[Path, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one, other in arrows():
        for level, (a, b) in enumerate(zip(one.parts[:-1], other.parts[:-1], strict=False)):
            if a != b:
                graphs[Path(*one.parts[:level])][a].add(b)
                break
    found = {str(parent): circles(graph) for parent, graph in graphs.items()}
    assert not any(found.values()), found


def test_nothing_reaches_out_or_runs_text() -> None:
    wrong = []
    for path, tree in modules():
        wrong += [f"{path} imports {name}" for name in imported(tree) if name.split(".")[0] in FORBIDDEN]
        wrong += [
            f"{path} calls {node.func.id}"
            for node in tree
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS
        ]
    assert not wrong, "\n".join(wrong)
