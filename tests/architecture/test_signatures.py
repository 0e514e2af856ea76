"""A long list of parameters is spelt once: what two functions share is a record."""

import ast
from collections import defaultdict

from architecture.tree import ROOT, nodes

PACKAGE = ROOT / "src" / "tauscope"
MANY = 8
SUBJECT = {"self", "cls", "study"}


def is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a definition says what the one below it returns, of the same parameters."""
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)


def test_no_two_functions_share_a_long_list_of_parameters() -> None:
    found = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                names = frozenset(one.arg for one in given) - SUBJECT
                if len(names) > MANY and not is_overload(node):
                    found[names].append(f"{path.relative_to(PACKAGE)}::{node.name}")
    assert found
    twice = [homes for homes in found.values() if len(homes) > 1]
    assert not twice, twice
