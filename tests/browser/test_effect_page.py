"""A saved effect, opened from the disk: it answers without a kernel, a server or a network, and names stay text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import tauscope as ts
from browser.effect_widget import EffectWidget
from browser.watch import Watch
from browser.widget import says
from results.effects.samples import HOSTILE

NARROW = 480


def test_effect_page_answers_alone(
    watch: Watch, names: dict[str, Any], tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "effect.html"
    effect = names["effect"]
    effect.save(path)
    watch.page.goto(path.as_uri())
    widget = EffectWidget(watch.page)
    widget.press("epsilon", "ArrowRight", times=3)
    expected = effect.bounds(0.13).frame.iloc[-1]
    widget.show_paper()
    reading = widget.read_off("End")
    certified, paper = reading.partition("certified ")[2].split("; the paper's ")
    assert says(reading.partition(": ")[2], expected["effect"])
    assert says(certified, expected["certified_lower"], expected["certified_upper"], share=True)
    assert says(paper, expected["paper_lower"], expected["paper_upper"], share=True)
    picture("effect-page")
    assert widget.collisions() == []
    assert widget.at("chart").locator("svg").evaluate("(inner) => getComputedStyle(inner).overflow") == "hidden"
    assert watch.requests == [path.as_uri()]


def test_effect_page_narrow_and_dark(
    watch: Watch, names: dict[str, Any], tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "effect.html"
    names["study"].effect("size").save(path)
    watch.page.emulate_media(color_scheme="dark")
    watch.page.set_viewport_size({"width": NARROW, "height": 900})
    watch.page.goto(path.as_uri())
    widget = EffectWidget(watch.page)
    assert widget.read_off("Home").startswith("size ")
    picture("effect-page-dark-480")
    assert widget.collisions() == []
    assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0


def test_names_stay_text(watch: Watch, tmp_path: Path) -> None:
    dialogs: list[str] = []
    watch.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    X = pd.DataFrame({HOSTILE: np.arange(20.0), "b": np.arange(20.0)})
    path = tmp_path / "effect.html"
    ts.Study(lambda rows: rows["b"] + rows[HOSTILE], X, X["b"] / 3).effect(HOSTILE).save(path)
    watch.page.goto(path.as_uri())
    widget = EffectWidget(watch.page)
    assert HOSTILE in widget.read_off("Home")
    assert watch.page.evaluate("[document.scripts.length, document.images.length]") == [4, 0]
    assert dialogs == []
    assert watch.requests == [path.as_uri()]


def test_bounds_page_draws_alone(watch: Watch, tmp_path: Path) -> None:
    X = pd.DataFrame({HOSTILE: np.arange(20.0), "b": np.arange(20.0)})
    path = tmp_path / "bounds.html"
    ts.Study(lambda rows: rows["b"] + rows[HOSTILE], X, X["b"] / 3).effect(HOSTILE).bounds(0.1).save(path)
    watch.page.goto(path.as_uri())
    drawn = watch.page.locator("#chart svg")
    drawn.wait_for()
    assert HOSTILE in (drawn.text_content() or "").replace("\u2060", "")
    assert watch.requests == [path.as_uri()]
