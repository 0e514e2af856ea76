"""The workspace in JupyterLab: from running the cell to a first frame, and from a key to the curves and the effect."""

from pathlib import Path
from statistics import median
from typing import Any

from jupyterlab_session import open_notebook, press
from report import Row
from slider_latency import FRAME_MS, N_FEATURES, N_ROWS, p90, paint_rows

HERE = Path(__file__).parent
PRESSES, WARM, PAINTS = 60, 20, 5
CASES = "workspace, first paint of the kernel's first", "workspace, first paint of later ones"
SETUP = f"""import sys
from time import perf_counter
sys.path.insert(0, {str(HERE)!r})
from inputs import classification
import tauscope as ts
inputs = classification({N_ROWS}, {N_FEATURES})
names = list(inputs.frame.columns)
def model(rows):
    return 1 / (1 + 2.718281828 ** -(rows[names[0]] * rows[names[1]] + rows[names[2]]))
study = ts.Study(model, inputs.frame, inputs.truth)"""
SHOW = """started = perf_counter()
view = study.workspace()
seconds = perf_counter() - started
view"""
SAY = "print(seconds)"
WITH_EFFECT = "study.workspace(view='effect')"
MAKE, SHOWN, SAID, EFFECT = range(4)
WORKSPACE = ".ts-workspace"


def measure() -> list[Row]:
    """First paints, then presses of a slider with the curves and the effect open."""
    with open_notebook([SETUP, SHOW, SAY, WITH_EFFECT], HERE / "latency_probe.js") as page:
        from browser import lab

        page.set_viewport_size({"width": 1700, "height": 1000})
        lab.run_cell(page, MAKE)
        paints = [_first_paint(page) for _ in range(PAINTS)]
        lab.run_cell(page, SHOWN, "None")  # One workspace is left in the page, the next one, with its two views.
        lab.run_cell(page, EFFECT)
        workspace = page.locator(WORKSPACE).last
        workspace.locator(".ts-effect[data-ready='1']").wait_for()
        page.wait_for_timeout(2000)
        return [*paint_rows(paints, CASES, "workspace"), *_press_rows(_presses(page, workspace))]


def _first_paint(page: Any) -> tuple[float, float]:
    """Seconds from running the cell to the first painted frame, and those of them that the cell's code took."""
    from browser import lab

    painted = page.evaluate("([cell, root]) => latencyProbe.firstPaint(cell, root)", [SHOWN, WORKSPACE]) / 1e3
    return painted, float(lab.run_cell(page, SAID))


def _presses(page: Any, workspace: Any) -> list[dict[str, Any]]:
    """Press ArrowRight from τ = -0.8 on, each after the effect's frame of the one before; what was seen once warm."""
    slider = workspace.locator(".ts-cell-sliders input[type=range]").first
    slider.focus()
    for _ in range(4):
        page.keyboard.press("PageDown")
    page.wait_for_timeout(500)
    root = workspace.element_handle()
    effect = workspace.locator(".ts-effect").element_handle()
    press(page, "ArrowRight", WARM, effect)
    page.evaluate("([root, shown]) => { window.presses = latencyProbe.follow(root, shown, 'tv'); }", [root, effect])
    press(page, "ArrowRight", PRESSES, effect)
    presses: list[dict[str, Any]] = page.evaluate("() => window.presses")[:PRESSES]
    if len(presses) < PRESSES or len({press["value"] for press in presses}) < PRESSES // 3:
        raise RuntimeError(f"{len(presses)} of {PRESSES} presses were painted with a value of their own.")
    return presses


def _press_rows(presses: list[dict[str, Any]]) -> list[Row]:
    painted = sorted(press["painted"] for press in presses)
    answered = sum(press["received"] > 0 for press in presses)
    return [
        Row(
            "workspace, slider → curves and effect painted",
            "ms",
            ours=median(painted),
            at_most=FRAME_MS,
            note=f"n={N_ROWS}, p={N_FEATURES}, {len(presses)} presses after {WARM} more, key event to the effect's "
            f"painted frame: p90 {p90(painted):.1f}, longest {painted[-1]:.1f}; websocket frames before the paint: "
            f"received in {answered}",
        )
    ]
