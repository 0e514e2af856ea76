"""Several sliders at once, from a key press to the painted frame, solved in the page; in JupyterLab."""

from pathlib import Path
from statistics import median
from typing import Any

from jupyterlab_session import open_notebook, press
from report import Row
from slider_latency import FRAME_MS, p90

HERE = Path(__file__).parent
N_ROWS, N_FEATURES, WARM, PRESSES = 10_000, 10, 20, 100
SETUP = f"""import sys
sys.path.insert(0, {str(HERE)!r})
from inputs import classification
import tauscope as ts
inputs = classification({N_ROWS}, {N_FEATURES})
study = ts.Study.from_predictions(inputs.frame, inputs.truth, inputs.predicted, inputs.score)
joint = study.joint_stress()"""
SHOW = "view = joint.widget()\nview"
MAKE, SHOWN = range(2)
SITUATIONS = (("none", 1), ("none", 3), ("means", 3), ("uncorrelated", 1))


def measure() -> list[Row]:
    """Presses of one slider while others stand away from 0, for each way to hold the rest."""
    with open_notebook([SETUP, SHOW], HERE / "latency_probe.js") as page:
        from browser import lab

        lab.run_cell(page, MAKE)
        lab.run_cell(page, SHOWN)
        page.wait_for_timeout(2000)
        return [_row(hold, moved, _presses(page, hold, moved)) for hold, moved in SITUATIONS]


def _presses(page: Any, hold: str, moved: int) -> list[dict[str, Any]]:
    """Press ArrowRight from τ = -0.4 on, each after the frame of the one before; what was seen once warm."""
    from browser.joint import JointWidget

    widget = JointWidget(page)
    if widget.root.get_by_test_id("reset").is_enabled():
        widget.root.get_by_test_id("reset").click()
    if hold != "none":
        widget.hold(hold)
    first, *others = widget.features()[:moved]
    for feature in others:
        widget.press(feature, "PageUp", times=2)
    widget.press(first, "PageDown", times=4)
    page.wait_for_timeout(500)
    root = widget.root.element_handle()
    press(page, "ArrowRight", WARM, root)
    page.evaluate("(root) => { window.presses = latencyProbe.follow(root); }", root)
    press(page, "ArrowRight", PRESSES, root)
    presses: list[dict[str, Any]] = page.evaluate("() => window.presses")[:PRESSES]
    if len(presses) < PRESSES or len({press["value"] for press in presses}) < PRESSES // 3:
        raise RuntimeError(f"{len(presses)} of {PRESSES} presses were painted with a value of their own.")
    return presses


def _row(hold: str, moved: int, presses: list[dict[str, Any]]) -> Row:
    painted = sorted(press["painted"] for press in presses)
    own = sorted(press["own"] for press in presses)
    rest = {"none": "follow along", "means": "keep their means", "uncorrelated": "stay, uncorrelated"}[hold]
    answered = sum(press["received"] > 0 for press in presses)
    return Row(
        f"joint slider → painted, {moved} moved, others {rest}",
        "ms",
        ours=median(painted),
        at_most=FRAME_MS,
        note=f"n={N_ROWS}, p={N_FEATURES}, {len(presses)} presses after {WARM} more, key event to painted frame: "
        f"p90 {p90(painted):.1f}, longest {painted[-1]:.1f}; the widget's own count from its input event: "
        f"{median(own):.1f}, p90 {p90(own):.1f}; websocket frames before the paint: received in {answered}",
    )
