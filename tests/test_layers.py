"""Which folder may import what: study → engine → result → view → renderer."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "tauscope"
ENGINES = [name for name in ("stress", "boundary", "rules", "effects") if list((PACKAGE / name).glob("*.py"))]
FORBIDDEN = {
    "pickle", "cPickle", "cloudpickle", "dill", "marshal", "shelve",
    "requests", "urllib", "urllib3", "http", "httpx", "aiohttp", "socket", "socketserver", "ssl", "ftplib",
    "smtplib", "telnetlib", "xmlrpc", "webbrowser",
}  # fmt: skip
LOADED_BY_NO_ENGINE = {"pandas", "polars", "narwhals", "anywidget", "ipywidgets", "traitlets", "altair", "IPython"}


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def imports(path: Path) -> list[tuple[str, ast.AST]]:
    """Every absolute module name a file imports, wherever in the file."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            if node.module == "tauscope":
                found += [(f"tauscope.{alias.name}", node) for alias in node.names]
            else:
                found.append((node.module, node))
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_engine_imports_numbers_only(engine):
    own = (f"tauscope.{engine}", "tauscope.errors")
    for path in modules(PACKAGE / engine):
        for name, _ in imports(path):
            top = name.split(".")[0]
            allowed = (
                top in {"numpy", "scipy", "sklearn"}
                or top in sys.stdlib_module_names
                or name in own
                or name.startswith(f"tauscope.{engine}.")
            )
            assert allowed, f"{path.relative_to(PACKAGE)} imports {name}"


@pytest.mark.parametrize("engine", ENGINES)
def test_importing_an_engine_loads_no_frame_widget_or_chart(engine):
    names = [
        ".".join(("tauscope", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in modules(PACKAGE / engine)
    ]
    lines = [f"import {name.removesuffix('.__init__')}" for name in names]
    code = "\n".join(["import sys", *lines, "print(*{name.split('.')[0] for name in sys.modules})"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert "tauscope" in loaded
    assert LOADED_BY_NO_ENGINE.isdisjoint(loaded)


@pytest.mark.parametrize(("folder", "lazy"), [("results", ("figures", "views", "sharing")), ("figures", ("views",))])
def test_what_lies_further_down_is_imported_when_used(folder, lazy):
    """A result's chart and widget are lazy: their modules are named inside a function, never as the file loads."""
    for path in modules(PACKAGE / folder):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                assert not node.module.startswith(tuple(f"tauscope.{name}" for name in lazy)), path


@pytest.mark.parametrize("path", modules(PACKAGE), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_nothing_reaches_out_or_runs_text(path):
    for name, _ in imports(path):
        assert name.split(".")[0] not in FORBIDDEN, f"imports {name}"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"eval", "exec", "compile", "__import__", "print"}, f"calls {node.func.id}"
