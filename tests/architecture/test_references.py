"""What docstrings name in code is there: modules and what is in them by dotted names, others somewhere at least."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from architecture.tree import ROOT, nodes

PACKAGE = ROOT / "src" / "tauscope"
DOTTED = re.compile(r"(?<![\w./])tauscope(?:\.\w+)+")
CODE = re.compile(r"`([A-Za-z_][\w.]*)`")
WORDS = re.compile(r"[A-Za-z_]\w*")
# Names that no code here spells out: of other packages, and columns put together from words.
ELSEWHERE = {"SVC", "calibration_curve", "make_scorer", "numpy", "scipy", "sklearn"}
BUILT = {"coupling_bound", "oscillation_bound", "paper_bound", "sharp_bound"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def docstrings(path: Path) -> Iterator[str]:
    """Texts that stand as statements: of modules, classes and functions, and those below constants."""
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def code_words(path: Path) -> set[str]:
    """Words of a file outside its docstrings: identifiers, and those in texts, such as names of metrics."""
    source = path.read_text(encoding="utf-8")
    for text in docstrings(path):
        source = source.replace(text, "")
    return set(WORDS.findall(source))


def exists(name: str) -> bool:
    """Tell whether a dotted name is a module, or something in one, down to attributes of classes."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[n:]:
            if not hasattr(found, attribute) and attribute not in getattr(found, "__dataclass_fields__", {}):
                return False
            found = getattr(found, attribute, None)
        return True
    return False


def test_dotted_names_in_docstrings_are_there() -> None:
    missing = [
        f"{path.relative_to(PACKAGE)} names {name}"
        for path in modules()
        for text in docstrings(path)
        for name in DOTTED.findall(text)
        if not exists(name)
    ]
    assert not missing, "\n".join(missing)


def test_code_in_docstrings_is_code_somewhere() -> None:
    words = (ELSEWHERE | BUILT).union(*map(code_words, modules()))
    missing = [
        f"{path.relative_to(PACKAGE)} names {name}"
        for path in modules()
        for text in docstrings(path)
        for name in CODE.findall(text)
        if not set(name.split(".")) <= words
    ]
    assert not missing, "\n".join(missing)
