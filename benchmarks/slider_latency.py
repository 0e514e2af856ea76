"""From a key press to the painted frame, and from running the cell to the first one, in JupyterLab."""

from pathlib import Path
from statistics import median
from typing import Any

from jupyterlab_session import Notebook, open_notebook
from report import Row

HERE = Path(__file__).parent
N_ROWS, N_FEATURES, PRESSES, PAINTS = 10_000, 14, 80, 5
FRAME_MS, FIRST_PAINT_S = 16.0, 1.0
WIDGET = ".ts-stress-curves[data-ready='1']:not([data-seen])"
SETUP = f"""import sys
from time import perf_counter, sleep
sys.path.insert(0, {str(HERE)!r})
from inputs import classification
import tauscope as ts
inputs = classification({N_ROWS}, {N_FEATURES})
study = ts.Study.from_predictions(inputs.frame, inputs.truth, inputs.predicted, inputs.score)"""
SHOW = """started = perf_counter()
view = study.stress_curves().widget()
seconds = perf_counter() - started
view"""
SAY = "print(seconds)"
BUSY = "sleep(600)"
MARK_SEEN = "() => document.querySelectorAll('.ts-stress-curves').forEach((e) => (e.dataset.seen = '1'))"
PAINTED = f"""() => new Promise((resolve) => {{
  const look = () => {{
    if (document.querySelector({WIDGET!r})) resolve(performance.now());
    else requestAnimationFrame(look);
  }};
  look();
}})"""


def measure() -> list[Row]:
    """First paint, then presses with the kernel idle, then with the kernel held by a sleeping cell."""
    with open_notebook([SETUP, SHOW, SAY, BUSY], HERE / "latency_probe.js") as notebook:
        notebook.run_cell(0)
        paints = [_first_paint(notebook) for _ in range(PAINTS)]
        idle = _presses(notebook)
        notebook.start_cell(3)
        notebook.wait_kernel("busy")
        busy = _presses(notebook)
        notebook.interrupt()
    return [
        _latency("slider → painted, kernel idle", idle),
        _latency("slider → painted, kernel busy", busy),
        *_paint_rows(paints),
    ]


def _first_paint(notebook: Notebook) -> tuple[float, float]:
    """Seconds from running the cell to the first painted frame, and those the kernel took of them."""
    page = notebook.page
    page.evaluate(MARK_SEEN)
    started = notebook.start_cell(1)
    painted = page.evaluate(PAINTED)
    notebook.wait_kernel("idle")
    notebook.run_cell(2)
    return (painted - started) / 1e3, float(notebook.output(2))


def _presses(notebook: Notebook) -> list[dict[str, Any]]:
    """Press ArrowRight from τ = -1 on, each after the frame of the one before; what the probe saw."""
    page = notebook.page
    root = page.locator(".ts-stress-curves[data-ready='1']").first
    handle = root.element_handle()
    slider = root.get_by_test_id("tau").first
    slider.focus()
    slider.press("Home")
    page.wait_for_timeout(300)
    page.evaluate("(root) => { latencyProbe.presses = []; latencyProbe.follow(root); }", handle)
    for _ in range(PRESSES):
        revision = root.get_attribute("data-rev")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("([e, rev]) => e.dataset.rev !== rev", arg=[handle, revision], timeout=10_000)
    presses: list[dict[str, Any]] = page.evaluate("() => latencyProbe.presses")
    if len(presses) < PRESSES or len({press["value"] for press in presses}) < PRESSES // 2:
        raise RuntimeError(f"{len(presses)} of {PRESSES} presses were painted with a value of their own.")
    return presses


def _latency(case: str, presses: list[dict[str, Any]]) -> Row:
    painted = sorted(press["painted"] for press in presses)
    own = sorted(press["own"] for press in presses)
    answered = sum(press["received"] > 0 for press in presses)
    return Row(
        case,
        "ms",
        ours=median(painted),
        at_most=FRAME_MS,
        note=f"{len(presses)} presses of ArrowRight, key to painted frame; p90 {_p90(painted):.1f}, "
        f"longest {painted[-1]:.1f}; the widget's own count from its input event {median(own):.1f} "
        f"(p90 {_p90(own):.1f}); a frame from the server before the paint in {answered} of them",
    )


def _paint_rows(paints: list[tuple[float, float]]) -> list[Row]:
    (first, first_kernel), again = paints[0], paints[1:]
    return [
        Row(
            "first paint, new kernel",
            "s",
            ours=first,
            at_most=FIRST_PAINT_S,
            note=f"run the cell → painted, n={N_ROWS}, p={N_FEATURES}; "
            f"the kernel's share {first_kernel:.2f} s",
        ),
        Row(
            "first paint, again",
            "s",
            ours=median(total for total, _ in again),
            at_most=FIRST_PAINT_S,
            note=f"median of {len(again)}; the kernel's share {median(kernel for _, kernel in again):.2f} s",
        ),
    ]


def _p90(ordered: list[float]) -> float:
    return ordered[int(0.9 * (len(ordered) - 1))]
