"""A slider in one cell, from a key press to the painted effect in another, linked in the page; in JupyterLab."""

from pathlib import Path
from statistics import median
from typing import Any

from jupyterlab_session import open_notebook, press
from report import Row
from slider_latency import FRAME_MS, p90

HERE = Path(__file__).parent
N_ROWS, N_FEATURES, PRESSES = 10_000, 10, 60
SETUP = f"""import sys
sys.path.insert(0, {str(HERE)!r})
from inputs import classification
import tauscope as ts
inputs = classification({N_ROWS}, {N_FEATURES})
names = list(inputs.frame.columns)
def model(rows):
    return 1 / (1 + 2.718281828 ** -(rows[names[0]] * rows[names[1]] + rows[names[2]]))
study = ts.Study(model, inputs.frame, inputs.truth)
curves = study.stress_curves()
effect = study.effect(names[0], grid=50)"""
SHOW = "view = curves.widget(feature=names[2])\nview"
SHOW_EFFECT = "seen = effect.widget()\nseen"
LINK = "link = ts.link(view, seen)"
CELLS = (SETUP, SHOW, SHOW_EFFECT, LINK)


def measure() -> list[Row]:
    """Presses of a slider, each after the other widget's frame of the one before."""
    with open_notebook(list(CELLS), HERE / "latency_probe.js") as page:
        from browser import lab
        from browser.effect_widget import EffectWidget
        from browser.widget import Widget

        for cell in range(len(CELLS)):
            lab.run_cell(page, cell)
        curves, effect = Widget(page), EffectWidget(page)
        page.wait_for_timeout(2000)
        return _rows(_presses(page, curves, effect))


def _presses(page: Any, curves: Any, effect: Any) -> list[dict[str, Any]]:
    """Press ArrowRight from τ = -0.6 on; what the probe saw of the effect."""
    feature = page.evaluate("(root) => root.querySelector('.ts-is-chosen input').dataset.feature", _handle(curves))
    curves.press(feature, "PageDown", times=3)
    page.wait_for_timeout(500)
    page.evaluate(
        "([root, shown]) => { window.presses = latencyProbe.follow(root, shown, 'tv'); }",
        [_handle(curves), _handle(effect)],
    )
    press(page, "ArrowRight", PRESSES, _handle(effect))
    presses: list[dict[str, Any]] = page.evaluate("() => window.presses")[:PRESSES]
    if len(presses) < PRESSES or len({press["value"] for press in presses}) < PRESSES // 3:
        raise RuntimeError(f"{len(presses)} of {PRESSES} presses were painted with a value of their own.")
    return presses


def _handle(widget: Any) -> Any:
    return widget.root.element_handle()


def _rows(presses: list[dict[str, Any]]) -> list[Row]:
    painted = sorted(press["painted"] for press in presses)
    behind = sorted(press["behind"] for press in presses)
    answered = sum(press["received"] > 0 for press in presses)
    size = f"n={N_ROWS}, p={N_FEATURES}, 50 points, {len(presses)} presses"
    return [
        Row(
            "effect in another cell, behind its slider",
            "ms",
            ours=median(behind),
            at_most=FRAME_MS,
            note=f"{size}: painted frame of the slider's widget to that of the effect, longest {behind[-1]:.1f}",
        ),
        Row(
            "slider → effect painted in another cell",
            "ms",
            ours=median(painted),
            note=f"{size}, both widgets at once: key event to painted frame, p90 {p90(painted):.1f}, "
            f"longest {painted[-1]:.1f}; websocket frames before the paint: received in {answered}",
        ),
    ]
