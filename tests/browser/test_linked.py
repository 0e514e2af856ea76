"""One stress in two cells: the slider of one moves the numbers of the other, in JupyterLab and in Voila."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import lab as in_lab, notebooks
from browser.contrast import contrast
from browser.effect_widget import EffectWidget
from browser.server import Server, in_voila
from browser.test_lab import READABLE, use_theme
from browser.watch import Watch
from browser.widget import Widget, says

FEATURE = "mean area"
DARK_SURFACE = "#111"
NARROW = 520


@pytest.fixture
def linked(page: Page, lab: Server, notebook_folder: Path) -> tuple[Widget, EffectWidget]:
    """Two linked views of a notebook that was run from top to bottom."""
    notebooks.write_linked_notebook(notebook_folder)
    in_lab.run_notebook(page, lab, notebooks.LINKED)
    return Widget(page), EffectWidget(page)


def ask_python(effect: EffectWidget, tau: float) -> dict[str, Any]:
    """Ask Python, in a later cell, for the effect under its own stress, once that has followed the slider."""
    return in_lab.ask_at(effect.page, notebooks.ASK_EFFECT, FEATURE, tau)


def check(effect: EffectWidget, python: dict[str, Any]) -> None:
    """Compare what the effect widget shows at its first point with Python's numbers there."""
    effect.show_paper()
    reading = effect.read_off("Home")
    stressed, band = (reading.partition("under the stress ")[2]).split("; certified ")
    assert says(stressed, python["effect"])
    assert says(stressed.partition("(")[2], python["lower"], python["upper"], share=True)
    certified, paper = band.split("; the paper's ")
    assert says(certified, python["certified_lower"], python["certified_upper"], share=True)
    assert says(paper, python["paper_lower"], python["paper_upper"], share=True)
    assert says(effect.statistic("tv"), python["tv"])
    assert says(effect.text("ess"), python["ess"])
    assert says(effect.statistic("kl"), python["kl"])


def press(curves: Widget, effect: EffectWidget, key: str, times: int) -> None:
    """Press a key on the slider of one cell, each time until the other cell has painted."""
    for _ in range(times):
        before = effect.revision()
        curves.press(FEATURE, key)
        effect.wait_for_paint(before)


def test_a_slider_moves_the_number_in_another_cell(
    linked: tuple[Widget, EffectWidget], picture: Callable[[str], object]
) -> None:
    curves, effect = linked
    effect.show_paper()
    unstressed = effect.read_off("Home")
    assert "under the stress" not in unstressed
    press(curves, effect, "ArrowRight", 12)
    check(effect, ask_python(effect, 0.24))
    assert effect.text("moved").startswith("Under this stress the effect moves by")
    effect.root.scroll_into_view_if_needed()
    picture("linked-lab")
    press(curves, effect, "PageDown", 3)
    check(effect, ask_python(effect, -0.36))
    press(curves, effect, "Escape", 1)
    assert effect.read_off("Home") == unstressed
    assert effect.collisions() == []


def test_reset_in_one_cell_moves_the_slider_of_the_other(linked: tuple[Widget, EffectWidget]) -> None:
    curves, effect = linked
    press(curves, effect, "PageUp", 2)
    assert curves.slider(FEATURE).input_value() == "0.4"
    before = curves.revision()
    effect.at("reset").click()
    curves.wait_for_paint(before)
    assert curves.slider(FEATURE).input_value() == "0"
    in_lab.run_cell(curves.page, notebooks.SET_EFFECT, "effect_view.stress = {'taus': {'mean texture': -0.5}}")
    curves.page.wait_for_function(
        "(slider) => Number(slider.value) === -0.5", arg=curves.slider("mean texture").element_handle()
    )


def test_unlinked_views_go_their_own_ways(linked: tuple[Widget, EffectWidget]) -> None:
    curves, effect = linked
    press(curves, effect, "ArrowRight", 2)
    in_lab.run_cell(curves.page, notebooks.SET_EFFECT, "link.unlink()")
    words = effect.text("population")
    curves.press(FEATURE, "ArrowRight", times=3)
    assert effect.text("population") == words


def test_linked_through_the_kernel(linked: tuple[Widget, EffectWidget]) -> None:
    curves, effect = linked
    in_lab.run_cell(
        curves.page,
        notebooks.SET_EFFECT,
        "import ipywidgets; link.unlink(); slow = ipywidgets.link((view, 'stress'), (effect_view, 'stress'))",
    )
    curves.press(FEATURE, "ArrowRight", times=5)
    python = ask_python(effect, 0.1)
    effect.wait_for_text("tv", f"{python['tv']:.3f}")
    check(effect, python)


def test_other_effects_come_from_the_kernel(linked: tuple[Widget, EffectWidget]) -> None:
    curves, effect = linked
    press(curves, effect, "PageUp", 2)
    effect.choose("kind", "ale")
    check_kind = ask_python(effect, 0.4)
    reading = effect.read_off("Home")
    assert says(reading.partition("under the stress ")[2], check_kind["effect"])
    effect.choose("feature", "size")
    effect.wait_for_text("breakdown", "small")
    assert effect.at("progress").is_hidden()
    assert "size" in effect.read_off("Home")
    effect.choose("kind", "cd")
    effect.choose("second-feature", "mean area")
    effect.page.wait_for_function(
        "(chart) => chart.getAttribute('aria-label').includes('size and mean area')",
        arg=effect.at("chart").element_handle(),
    )
    assert "mean area" in effect.read_off("End")


def test_past_the_budget_the_kernel_answers(
    linked: tuple[Widget, EffectWidget], picture: Callable[[str], object]
) -> None:
    curves, first = linked
    cell = (
        "import tauscope.views.effects.effect as module\n"
        "module.BUDGET = 1\nbig = effect.widget(epsilon=0.2)\nmodule.BUDGET = 4e6\n"
        "second = ts.link(view, big)\nbig"
    )
    in_lab.run_cell(curves.page, notebooks.SET_EFFECT, cell)
    big = EffectWidget(curves.page, 1)
    press(curves, big, "ArrowRight", 12)
    python = ask_python(first, 0.24)
    big.wait_for_text("tv", f"{python['tv']:.3f}")
    curves.page.wait_for_function(
        "(root) => !root.querySelector('.ts-chart.ts-is-stale')", arg=big.root.element_handle()
    )
    check(big, python)
    picture("linked-kernel")
    big.press("epsilon", "End")
    curves.page.wait_for_function(
        "(root) => !root.querySelector('.ts-chart.ts-is-stale')", arg=big.root.element_handle()
    )
    assert big.text("epsilon-value") == "100 %"


def test_a_stress_of_two_features_is_shown_or_said(
    linked: tuple[Widget, EffectWidget], picture: Callable[[str], object]
) -> None:
    curves, effect = linked
    page = curves.page
    cell = "joint = study.joint_stress().widget()\nthird = ts.link(view, joint)\njoint"
    in_lab.run_cell(page, notebooks.SET_EFFECT, cell)
    joint = page.locator(".ts-joint-stress[data-ready='1']").first
    joint.wait_for()
    for feature in (FEATURE, "mean texture"):
        before = effect.revision()
        joint.locator(f"input[type=range][data-feature={feature!r}]").focus()
        page.keyboard.press("PageUp")
        effect.wait_for_paint(before)
    assert "mean texture" in effect.text("population")
    assert FEATURE in effect.text("population")
    assert "one feature at a time" in curves.text("elsewhere")
    assert curves.text("population").startswith("the data as they are")
    joint.scroll_into_view_if_needed()
    picture("linked-three")
    assert Widget(page).collisions() == []
    curves.press("mean texture", "ArrowLeft")
    effect.wait_for_text("population", "mean texture")
    assert FEATURE not in effect.text("population")
    assert curves.root.get_by_test_id("elsewhere").is_hidden()


def test_an_attack_runs_and_is_judged(linked: tuple[Widget, EffectWidget], picture: Callable[[str], object]) -> None:
    _, effect = linked
    effect.root.locator(".ts-attack summary").click()
    effect.at("attack").click()
    effect.wait_for_text("attacked", "the curve went from")
    assert "holds" in effect.text("attacked")
    effect.at("attacked").scroll_into_view_if_needed()
    picture("effect-attacked")


def test_dark_and_narrow(linked: tuple[Widget, EffectWidget], picture: Callable[[str], object]) -> None:
    curves, effect = linked
    page = curves.page
    press(curves, effect, "ArrowRight", 3)
    use_theme(page, "JupyterLab Dark", DARK_SURFACE)
    try:
        effect.root.scroll_into_view_if_needed()
        picture("effect-lab-dark")
        readouts = ("population", "breakdown", "moved", "reading", "epsilon-value")
        ratios = {testid: contrast(effect.at(testid)) for testid in readouts}
        assert min(ratios.values()) >= READABLE, ratios
        in_lab.execute(page, "application:toggle-left-area")
        page.set_viewport_size({"width": NARROW, "height": 900})
        before = effect.revision()
        effect.wait_for_paint(before - 1)
        effect.root.scroll_into_view_if_needed()
        picture("effect-lab-dark-480")
        assert effect.collisions() == []
        assert effect.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    finally:
        use_theme(page, "JupyterLab Light", "white")


def test_linked_in_voila(voila: Server, watch: Watch, names: dict[str, Any], picture: Callable[[str], object]) -> None:
    watch.page.goto(in_voila(voila, notebooks.LINKED))
    curves, effect = Widget(watch.page), EffectWidget(watch.page)
    press(curves, effect, "ArrowRight", 12)
    view = type("View", (), {"stress": {"taus": {FEATURE: 0.24}, "hold": "none"}, "kind": "pd"})
    check(effect, json.loads(names["effect_in_python"](view)))
    effect.root.scroll_into_view_if_needed()
    picture("linked-voila")
    assert effect.collisions() == []
    assert "error" not in voila.log().lower()
