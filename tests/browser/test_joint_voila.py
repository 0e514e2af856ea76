"""The joint stress widget in Voila, and on a saved page that no kernel stands behind."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser import joint
from browser.joint import JointWidget
from browser.server import Server, in_voila
from browser.watch import Watch
from browser.widget import says
from results.samples import HOSTILE, QUOTED, binary_study

FIRST, SECOND = "mean compactness", "mean smoothness"


def test_keys_move_the_numbers_in_voila(watch: Watch, voila: Server, picture: Callable[[str], object]) -> None:
    watch.page.goto(in_voila(voila, joint.IN_VOILA))
    widget = JointWidget(watch.page)
    widget.press(FIRST, "ArrowRight", times=6)
    widget.press(SECOND, "ArrowLeft", times=4)
    # The last number Python printed, for it answers each key in turn.
    seen = watch.page.locator(".seen-in-python")
    words = f'"{SECOND}": -0.04'
    watch.page.wait_for_function(
        "([label, words]) => label.textContent.includes(words)", arg=[seen.element_handle(), words]
    )
    python = json.loads(seen.inner_text())
    assert python["stress"]["taus"] == pytest.approx({FIRST: 0.06, SECOND: -0.04})
    assert says(widget.text("value"), python["value"])
    assert says(widget.text("interval"), python["lower"], python["upper"], share=True)
    picture("joint-voila")
    assert widget.collisions() == []
    assert "error" not in voila.log().lower()


def test_saved_page_solves_by_itself(watch: Watch, tmp_path: Path, names: dict[str, Any]) -> None:
    found = names["ts"].Study(names["model"], names["X"], names["y"]).joint_stress()
    found.save(tmp_path / "joint.html", {"taus": {FIRST: 0.2}, "hold": "means"})
    watch.page.goto((tmp_path / "joint.html").as_uri())
    widget = JointWidget(watch.page)
    assert float(widget.slider(FIRST).input_value()) == 0.2
    widget.press(SECOND, "ArrowRight")
    wanted = found.at({FIRST: 0.2, SECOND: 0.01}, hold="means")
    assert says(widget.text("ess"), wanted.ess)
    assert says(widget.statistic("kl"), wanted.kl)


def test_hostile_names_stay_text(watch: Watch, tmp_path: Path) -> None:
    binary_study().joint_stress().save(tmp_path / "hostile.html")
    watch.page.goto((tmp_path / "hostile.html").as_uri())
    widget = JointWidget(watch.page)
    widget.open_categories()
    level = f"{QUOTED} = <img src=x>"
    assert {HOSTILE, level} <= set(widget.features())
    for slider in widget.root.get_by_test_id("tau").all():
        if slider.get_attribute("data-feature") in (HOSTILE, level):
            slider.focus()
            watch.page.keyboard.press("ArrowRight")
    for name in (HOSTILE, level):
        widget.wait_for_text("population", name)
    widget.root.locator("[aria-live]").filter(has_text=HOSTILE).wait_for(state="attached")
    assert widget.root.locator("img, script").count() == 0
