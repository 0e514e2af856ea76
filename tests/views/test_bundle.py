import pytest

from tauscope.views import bundle as module
from tauscope.views.bundle import bundle


def test_both_files_are_there():
    script, style = bundle("stress/curves")
    assert "export" in script
    assert ".ts-" in style


def test_files_are_watched_by_who_asks(monkeypatch):
    read = bundle("stress/curves")
    monkeypatch.setenv("ANYWIDGET_HMR", "1")
    assert tuple(path.read_text("utf-8") for path in bundle("stress/curves")) == read


@pytest.mark.parametrize("built", [(), ("view.js",), ("view.css",)])
def test_what_is_not_built_says_how_to(tmp_path, monkeypatch, built):
    for name in built:
        (tmp_path / name).touch()
    monkeypatch.setattr(module, "STATIC", tmp_path)
    with pytest.raises(FileNotFoundError, match="npm --prefix js run build"):
        bundle("view")
