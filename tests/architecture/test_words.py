"""One word for one thing on screen, in the words that people use; statisticians' words stay in docstrings."""

import ast
import re

from architecture.tree import ROOT

OTHERS = re.compile(
    r"\b(unstressed|ceteris paribus|lagrang\w*|trustworthy|untrusted|not to be trusted|dubious|doubtful)\b", re.I
)
"""As tested; otherwise as similar as possible; reliable, wide, unreliable."""
ATTRIBUTE = re.compile(r"(?<=\w)\.\w+")
"""In code that is shown: a name, which says what it is called."""
SCREEN = ("figures", "results", "views", "sharing")


def sentences(path):
    """Yield the texts of a file with a space in them, but docstrings and errors for code."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    silent |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
            and " " in node.value
        ):
            yield node.value


def test_other_words_are_on_no_screen():
    files = [path for folder in SCREEN for path in (ROOT / "src" / "tauscope" / folder).rglob("*.py")]
    said = [(path.name, text) for path in files for text in sentences(path)]
    assert len(said) > 1000
    bare = [(name, ATTRIBUTE.sub("", text)) for name, text in said]
    assert [(name, text) for name, text in bare if OTHERS.search(text)] == []
