"""The stress widget in Voila, from the template that installing put in place."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from browser import notebooks
from browser.server import Server, in_voila
from browser.watch import Watch
from browser.widget import Widget, says

TEMPLATE = Path("voila/templates/tauscope")
SOURCE = Path(__file__).parents[2] / "jupyter-config" / TEMPLATE
INSTALLED = Path(sys.prefix) / "share" / "jupyter" / TEMPLATE


def test_installed_template_is_this_one() -> None:
    def contents(folder: Path) -> dict[str, str]:
        return {path.name: path.read_text() for path in folder.iterdir()}

    assert contents(INSTALLED) == contents(SOURCE), "an editable install copies the template: run make install"


def test_keys_move_the_numbers_and_python_follows(
    watch: Watch, voila: Server, picture: Callable[[str], object]
) -> None:
    watch.page.goto(in_voila(voila, notebooks.WIDGET))
    widget = Widget(watch.page)
    widget.press("mean area", "ArrowRight", times=12)
    # The last number Python printed, for it answers each key in turn.
    seen = watch.page.locator(".seen-in-python")
    watch.page.wait_for_function("(label) => label.textContent.includes('\"tau\": 0.24')", arg=seen.element_handle())
    python = json.loads(seen.inner_text())
    assert python["tau"] == pytest.approx(0.24)
    assert says(widget.text("value"), python["value"])
    assert says(widget.text("interval"), python["lower"], python["upper"], share=True)
    picture("voila")
    assert widget.collisions() == []
    assert watch.requests, "the page was loaded from this machine"
    assert "error" not in voila.log().lower()
