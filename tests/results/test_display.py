import sys
from types import SimpleNamespace

import pytest

from tauscope.results.display import only_text_is_shown


@pytest.mark.parametrize(
    ("include", "expected"),
    [({"text/plain"}, True), (["text/plain", "text/html"], False), ([], True)],
)
def test_types_asked_for(include, expected):
    assert only_text_is_shown(include) == expected


@pytest.mark.parametrize(
    ("types", "expected"), [(["text/plain"], True), (["text/plain", "text/html"], False), (None, False)]
)
def test_the_running_shell_tells(monkeypatch, types, expected):
    shell = None if types is None else SimpleNamespace(display_formatter=SimpleNamespace(active_types=types))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert only_text_is_shown() == expected


def test_without_ipython(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not only_text_is_shown()
