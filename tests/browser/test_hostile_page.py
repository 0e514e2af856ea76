"""A saved page whose data or script mean harm, or fail."""

from pathlib import Path

import anywidget

from browser.watch import Watch
from browser.widget import Widget
from results.samples import HOSTILE, QUOTED, UNICODE, binary_result
from tauscope.sharing.page import page


def test_names_stay_text(watch: Watch, tmp_path: Path) -> None:
    dialogs: list[str] = []
    watch.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    path = tmp_path / "curves.html"
    binary_result().save(path)
    watch.page.goto(path.as_uri())
    widget = Widget(watch.page)
    widget.open_categories()
    assert {HOSTILE, f"{QUOTED} = <img src=x>", f"{UNICODE} = True"} <= set(widget.features())
    widget.press(HOSTILE, "ArrowRight")
    assert watch.page.evaluate("[document.scripts.length, document.images.length]") == [4, 0]
    assert dialogs == []
    assert watch.requests == [path.as_uri()]


def test_script_that_fails_leaves_the_still_copy_and_says_so(watch: Watch, tmp_path: Path) -> None:
    class Failing(anywidget.AnyWidget):
        _esm = "export default { render() { throw new Error('no <b>canvas</b>'); } };"

    path = tmp_path / "failing.html"
    path.write_text(page(Failing(), title="T", note="N", still="<p>still here</p>"), "utf-8")
    watch.page.goto(path.as_uri())
    alert = watch.page.get_by_role("alert")
    alert.wait_for()
    assert "no <b>canvas</b>" in alert.inner_text()
    assert watch.page.get_by_text("still here").is_visible()
