"""The widget of a row's rules in JupyterLab: edges by real keys, another row searched, a stress from the curves."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser import lab as in_lab, rules_widget
from browser.contrast import contrast
from browser.rules_widget import RulesWidget
from browser.server import Server
from browser.test_lab import READABLE, use_theme
from browser.waits import ask_until
from browser.widget import Widget, says

FEATURE = "mean area"
ROW = 40
READOUTS = ("headline", "population", "coverage", "least", "inside", "below-stress")


@pytest.fixture
def linked(page: Page, lab: Server, notebook_folder: Path) -> tuple[Widget, RulesWidget]:
    """Two linked views of a notebook that was run from top to bottom."""
    rules_widget.write_notebook(notebook_folder)
    in_lab.run_notebook(page, lab, rules_widget.NOTEBOOK)
    return Widget(page), RulesWidget(page)


@pytest.fixture
def theme(linked: tuple[Widget, RulesWidget]) -> Iterator[Callable[[str, str], None]]:
    """Change JupyterLab's theme, which is put back for the tests that follow."""
    page = linked[1].page
    yield lambda name, surface: use_theme(page, name, surface)
    use_theme(page, "JupyterLab Light", "white")


def check_edges(rules: RulesWidget) -> None:
    """Move an edge there and back, and choose the other set."""
    coverage, headline = rules.text("coverage"), rules.text("headline")
    rules.press_on(rules.at("lower").first, "ArrowLeft", times=4)
    assert rules.text("headline") != headline
    assert rules.text("coverage").endswith(f"as grown {coverage}")
    assert "as grown" in rules.text("precision")
    rules.press("back", "Enter")
    assert rules.text("coverage") == coverage
    chips = rules.at("sets").get_by_role("radio")
    rules.press_on(chips.first, "ArrowRight")
    assert rules.text("headline").startswith("If mean perimeter")
    rules.press_on(chips.nth(1), "ArrowLeft")


def check_selection(rules: RulesWidget) -> int:
    """Select the rows inside and see that Python has them."""
    rules.press("select-inside", "Enter")
    rules.wait_for_text("selected", "rows selected")
    n = int(rules.text("inside").split(" of ")[0])
    asked = ask_until(
        lambda: in_lab.ask_at(rules.page, rules_widget.ASK, FEATURE, 0), lambda told: told["selection"] == n
    )
    assert asked["selection"] == n
    return n


def check_stress(curves: Widget, rules: RulesWidget) -> None:
    """Move a slider of the other cell and compare with what Python counts."""
    grown = rules.text("least")
    curves.press(FEATURE, "PageDown", times=4)
    rules.wait_for_text("below-stress", "falls below π")
    tau = float(curves.slider(FEATURE).input_value())
    python = in_lab.ask_at(rules.page, rules_widget.ASK, FEATURE, tau)
    assert not python["holds"]
    rules.wait_for_text("ess", f"{python['ess']:.0f}")
    assert rules.text("least").startswith(f"{grown} → ")
    assert says(rules.text("least").partition("→ ")[2], python["sdp_min"])
    assert says(rules.text("coverage").partition("→ ")[2], python["coverage"])
    assert says(rules.text("precision").partition("→ ")[2], python["precision"])
    assert rules.at("sets").get_by_role("radio").first.inner_text().endswith("(below π)")
    assert rules.at("reset").count() == 0


def check_row(rules: RulesWidget, n_selected: int) -> None:
    """Type another row, which the kernel searches; the selection stays."""
    rules.at("row").fill(str(ROW))
    rules.page.keyboard.press("Enter")
    rules.wait_for_text("headline", "predicted 1")
    assert rules.at("late").is_hidden()
    python = in_lab.ask_at(rules.page, rules_widget.ASK, FEATURE, 0)
    assert (python["row"], python["selection"]) == (ROW, n_selected)
    assert rules.text("headline").startswith(f"If {python['condition']}")


def test_the_rules_of_a_row(
    linked: tuple[Widget, RulesWidget], theme: Callable[[str, str], None], picture: Callable[[str], object]
) -> None:
    curves, rules = linked
    check_edges(rules)
    n_selected = check_selection(rules)
    grown = rules.text("least")
    check_stress(curves, rules)
    rules.at("population").scroll_into_view_if_needed()
    picture("rules-lab")
    assert rules.collisions() == []
    theme("JupyterLab Dark", "#111")
    ratios = {testid: contrast(rules.at(testid)) for testid in READOUTS}
    assert min(ratios.values()) >= READABLE, ratios
    picture("rules-lab-dark")
    curves.press(FEATURE, "Escape")
    rules.wait_for_text("population", "the data as they are")
    assert rules.text("least") == grown
    check_row(rules, n_selected)
