"""Question a fitted model by moving things: stress, boundaries, rules and effects, linked in a notebook.

``tauscope.Study(model, X, y)`` is where everything starts. Nothing heavy is imported until a name is used.
"""

__version__ = "0.1.0"


def _read_names() -> dict[str, str]:
    """Read where each public name lives from the stub beside this file, which type checkers read too; set `__all__`.

    Done at the first name asked for: to parse the stub takes longer than all else in a bare import.
    """
    import ast
    from pathlib import Path

    tree = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    home = {alias.name: node.module or "" for node in imports for alias in node.names}
    globals().update(_HOME=home, __all__=sorted([*home, "__version__"]))
    return home


def __getattr__(name: str) -> object:
    home = globals().get("_HOME") or _read_names()
    if name in ("_HOME", "__all__"):
        return globals()[name]
    if name not in home:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    home = globals().get("_HOME") or _read_names()
    return sorted({*globals(), *home})
