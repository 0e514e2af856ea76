"""Question a fitted model by moving things: stress, boundaries, rules and effects, linked in a notebook.

``tauscope.Study(model, X, y)`` is where everything starts. Nothing heavy is imported until a name is used.
"""

import ast
from importlib import import_module
from pathlib import Path

__version__ = "0.1.0"


def _homes() -> dict[str, str]:
    """Read from the stub beside this file, which type checkers read too, where each public name lives."""
    tree = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


_HOME = _homes()
__all__ = sorted([*_HOME, "__version__"])  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
