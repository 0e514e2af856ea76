"""A page written by `save`, opened from the disk: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.watch import Watch
from browser.widget import Widget, says

TAU = 0.24


def test_saved_page_answers_alone(
    watch: Watch, names: dict[str, Any], tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "curves.html"
    names["curves"].save(path)
    watch.page.goto(path.as_uri())
    widget = Widget(watch.page)
    widget.choose("metric", "error_rate")
    widget.press("mean area", "ArrowRight", times=12)
    frame = names["curves"].at([TAU]).frame
    chosen = (frame["feature"] == "mean area") & (frame["metric"] == "error_rate") & (frame["tau"] == TAU)
    expected = frame[chosen].iloc[0]
    assert widget.slider("mean area").input_value() == pytest.approx(str(TAU))
    assert says(widget.text("value"), expected["value"])
    assert says(widget.text("interval"), expected["lower"], expected["upper"], share=True)
    picture("saved-page")
    assert watch.requests == [path.as_uri()]
