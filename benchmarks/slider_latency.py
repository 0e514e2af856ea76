"""From a key press to the painted frame, and from running the cell to the first one, in JupyterLab."""

from pathlib import Path
from statistics import median
from typing import Any

from jupyterlab_session import open_notebook, press
from report import Row

HERE = Path(__file__).parent
N_ROWS, N_FEATURES, PRESSES, PAINTS = 10_000, 14, 80, 6
FRAME_MS, FIRST_PAINT_S = 16.0, 1.0
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
MAKE, SHOWN, ASKED, HELD = range(4)
KERNEL_BUSY = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"


def measure() -> list[Row]:
    """First paints, then presses with the kernel idle, then with the kernel held by a sleeping cell."""
    with open_notebook([SETUP, SHOW, SAY, BUSY], HERE / "latency_probe.js") as page:
        from browser import lab

        lab.run_cell(page, MAKE)
        paints = [_first_paint(page) for _ in range(PAINTS)]
        idle = _presses(page)
        page.evaluate(f"() => {{ window.jupyterapp.shell.currentWidget.content.activeCellIndex = {HELD}; }}")
        page.evaluate("() => { void window.jupyterapp.commands.execute('notebook:run-cell'); }")
        page.wait_for_function(KERNEL_BUSY)
        busy = _presses(page)
        lab.execute(page, "notebook:interrupt-kernel")
    return [
        _latency("slider → painted, kernel idle", idle),
        _latency("slider → painted, kernel busy", busy),
        *paint_rows(
            paints, ("first paint, first widget of the kernel", "first paint, later ones"), "curves and widget"
        ),
    ]


def _first_paint(page: Any) -> tuple[float, float]:
    """Seconds from running the cell to the first painted frame, and those of them that the cell's code took."""
    from browser import lab

    painted = page.evaluate("(metric) => latencyProbe.firstPaint(metric)", SHOWN) / 1e3
    return painted, float(lab.run_cell(page, ASKED))


def _presses(page: Any) -> list[dict[str, Any]]:
    """Press ArrowRight from τ = -1 on, each after the frame of the one before; what the probe saw."""
    from browser.widget import Widget

    widget = Widget(page)
    feature = widget.features()[0]
    widget.press(feature, "Home")
    page.wait_for_timeout(300)
    root = widget.root.element_handle()
    page.evaluate("(root) => { window.presses = latencyProbe.follow(root); }", root)
    press(page, "ArrowRight", PRESSES, root)
    presses: list[dict[str, Any]] = page.evaluate("() => window.presses")
    if len(presses) < PRESSES or len({press["value"] for press in presses}) < PRESSES // 2:
        raise RuntimeError(f"{len(presses)} of {PRESSES} presses were painted with a value of their own.")
    return presses


def _latency(case: str, presses: list[dict[str, Any]]) -> Row:
    painted = sorted(press["painted"] for press in presses)
    own = sorted(press["own"] for press in presses)
    answered = sum(press["received"] > 0 for press in presses)
    sent = sum(press["sent"] > 0 for press in presses)
    return Row(
        case,
        "ms",
        ours=median(painted),
        at_most=FRAME_MS,
        note=f"{len(presses)} presses of ArrowRight, key event to painted frame: p90 {p90(painted):.1f}, "
        f"longest {painted[-1]:.1f}; the widget's own count from its input event: {median(own):.1f}, "
        f"p90 {p90(own):.1f}; websocket frames before the paint: sent in {sent}, received in {answered}",
    )


def paint_rows(paints: list[tuple[float, float]], cases: tuple[str, str], made: str) -> list[Row]:
    """Write the first paint of a kernel, and those after it.

    Parameters
    ----------
    paints : list of (float, float)
        Seconds from running the cell to the first painted frame, and those of them that the cell's code took.
    cases : (str, str)
        Names of the two rows.
    made : str
        What the cell's code made.
    """
    (first, first_code), again = paints[0], paints[1:]
    size = f"run the cell → painted, n={N_ROWS}, p={N_FEATURES}"
    code = median(code for _, code in again)
    return [
        Row(
            cases[0], "s", ours=first, at_most=FIRST_PAINT_S, note=f"{size}; {made} in Python {first_code:.2f} s of it"
        ),
        Row(
            cases[1],
            "s",
            ours=median(total for total, _ in again),
            at_most=FIRST_PAINT_S,
            note=f"{size}; median of {len(again)}; {made} in Python {code:.2f} s of it",
        ),
    ]


def p90(ordered: list[float]) -> float:
    """Ninth tenth of ascending values."""
    return ordered[int(0.9 * (len(ordered) - 1))]
