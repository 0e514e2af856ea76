import pytest

from tauscope.views import bundle as module
from tauscope.views.bundle import bundle, plain_script


def test_both_files_are_there():
    script, style = bundle("stress/curves")
    assert "export" in plain_script(script)
    assert ".ts-" in style


def test_a_script_is_packed_to_less_than_two_thirds_and_the_same_each_time():
    script, _ = bundle("workspace/workspace")
    assert len(script) < 0.6 * len(plain_script(script))
    assert bundle("workspace/workspace")[0] == script


@pytest.mark.parametrize("script", ["export default {};", "", 'const packed = "'])
def test_other_scripts_stay_as_they_are(script):
    assert plain_script(script) == script


def test_files_are_watched_by_who_asks(monkeypatch):
    script, style = bundle("stress/curves")
    monkeypatch.setenv("ANYWIDGET_HMR", "1")
    assert tuple(path.read_text("utf-8") for path in bundle("stress/curves")) == (plain_script(script), style)


@pytest.mark.parametrize("built", [(), ("view.js",), ("view.css",)])
def test_what_is_not_built_says_how_to(tmp_path, monkeypatch, built):
    for name in built:
        (tmp_path / name).touch()
    monkeypatch.setattr(module, "STATIC", tmp_path)
    with pytest.raises(FileNotFoundError, match="npm --prefix js run build"):
        bundle("view")
