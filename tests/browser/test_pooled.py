"""The pooled boundary widget: linked to curves in JupyterLab, and as a page that works alone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page

import tauscope as ts
from browser import lab as in_lab, pooled_widget
from browser.contrast import contrast
from browser.pooled_widget import PooledWidget
from browser.server import Server
from browser.test_lab import READABLE, use_theme
from browser.watch import Watch
from browser.widget import Widget, says
from results.effects.samples import HOSTILE

FEATURE = "mean area"
WIDE, NARROWEST = 1200, 390
N_ROWS = 160
READOUTS = ("population", "rows", "reliability", "reading", "size")


@pytest.fixture
def linked(page: Page, lab: Server, notebook_folder: Path) -> tuple[Widget, PooledWidget]:
    """Two linked views of a notebook that was run from top to bottom."""
    pooled_widget.write_notebook(notebook_folder)
    in_lab.run_notebook(page, lab, pooled_widget.NOTEBOOK)
    return Widget(page), PooledWidget(page)


def ask_python(pooled: PooledWidget, tau: float) -> dict[str, Any]:
    """Ask Python, in a later cell, for the weights under its own stress, once that has followed the slider."""
    return in_lab.ask_at(pooled.page, pooled_widget.ASK, FEATURE, tau)


def test_a_slider_in_another_cell_moves_the_bars(
    linked: tuple[Widget, PooledWidget], picture: Callable[[str], object]
) -> None:
    curves, pooled = linked
    unstressed = pooled.text("reading")
    assert "→" not in unstressed
    for _ in range(10):
        before = pooled.revision()
        curves.press(FEATURE, "ArrowRight")
        pooled.wait_for_paint(before)
    python = ask_python(pooled, 0.2)
    numbers = pooled.line(python["feature"]).inner_text().partition("→ ")[2]
    assert says(numbers, python["direction"], python["lower"], python["upper"])
    assert says(pooled.text("size"), python["ess"])
    assert says(pooled.text("agreement"), python["agreement"])
    pooled.root.scroll_into_view_if_needed()
    picture("pooled-lab")
    assert pooled.collisions() == []
    before = curves.revision()
    pooled.press("reset", "Enter")
    curves.wait_for_paint(before)
    assert curves.slider(FEATURE).input_value() == "0"
    assert pooled.text("reading") == unstressed


@pytest.fixture
def dark(linked: tuple[Widget, PooledWidget]) -> Iterator[PooledWidget]:
    """The widget in JupyterLab's dark theme, which is put back for the tests that follow."""
    pooled = linked[1]
    use_theme(pooled.page, "JupyterLab Dark", "#111")
    yield pooled
    use_theme(pooled.page, "JupyterLab Light", "white")


def test_texts_can_be_read_in_the_dark(dark: PooledWidget) -> None:
    ratios = {testid: contrast(dark.at(testid)) for testid in READOUTS}
    assert min(ratios.values()) >= READABLE, ratios


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page under a stress, of many features, some absent in many rows, one named as markup."""
    i = np.arange(N_ROWS)
    X = pd.DataFrame({HOSTILE: np.sin(i) * 2, "b": np.cos(2 * i) * 2, "word": i % 3 % 2 * (1 + i % 4)})
    X = X.assign(**{f"x{k}": np.sin((k + 2) * i) for k in range(22)})
    score = lambda rows: rows[HOSTILE] + np.cos(rows["b"]) + 0.5 * rows["word"] - 0.3 + 0.2 * rows["x3"]  # noqa: E731
    study = ts.Study(lambda rows: (score(rows) > 0).to_numpy(), X, (score(X) > 0.2).to_numpy(), progress=False)
    path = tmp_path_factory.mktemp("saved") / "pooled.html"
    pooled = study.pooled_boundary(range(0, 80), random_state=0, n_samples=200, progress=False)
    pooled.save(path, stress={"taus": {"b": 0.4}})
    return path


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (NARROWEST, "dark")])
def test_a_page_weighs_alone(
    watch: Watch, saved: Path, picture: Callable[[str], object], width: int, scheme: str
) -> None:
    watch.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    watch.page.set_viewport_size({"width": width, "height": 1200})
    watch.page.goto(saved.as_uri())
    widget = PooledWidget(watch.page)
    assert widget.text("population").startswith("b ")
    assert "Changed most: " in widget.text("reading")
    assert HOSTILE in widget.lines()
    assert len(widget.lines()) == 20
    picture(f"pooled-page-{scheme}-{width}")
    assert widget.collisions() == []
    assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    widget.press("more", "Enter")
    assert len(widget.lines()) == 25
    before = widget.lines()
    widget.choose("order", "change")
    assert sorted(widget.lines()) == sorted(before) != widget.lines()
    widget.press("reset", "Enter")
    assert "→" not in widget.text("bars")
    assert watch.requests == [saved.as_uri()]
