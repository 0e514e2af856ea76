import pytest

from tauscope.views import bundle as module
from tauscope.views.bundle import bundle


def test_both_files_are_there():
    script, style = bundle("stress/curves")
    assert "export" in script.read_text("utf-8")
    assert style.read_text("utf-8")


@pytest.mark.parametrize("built", [(), ("view.js",), ("view.css",)])
def test_what_is_not_built_says_how_to(tmp_path, monkeypatch, built):
    for name in built:
        (tmp_path / name).touch()
    monkeypatch.setattr(module, "STATIC", tmp_path)
    with pytest.raises(FileNotFoundError, match="npm --prefix js run build"):
        bundle("view")
