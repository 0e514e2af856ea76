"""Drive a notebook in JupyterLab through the commands a person has, and read its cells."""

import json
from typing import Any

from playwright.sync_api import Page

from browser.server import Server
from browser.waits import SECONDS, ask_until

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
NOTEBOOK = "window.jupyterapp.shell.currentWidget"
KERNEL_IDLE = "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
OUTPUTS = f"""
    () => JSON.stringify({NOTEBOOK}.content.widgets.map((cell) => cell.model.sharedModel.getOutputs?.() ?? []))
"""
COMMAND = """
    async ([command, seconds]) => {
      const late = new Promise((_, fail) =>
        setTimeout(() => fail(new Error(`${command} takes longer than ${seconds} s`)), seconds * 1000));
      await Promise.race([window.jupyterapp.commands.execute(command), late]);
    }
"""


def open_notebook(page: Page, server: Server, name: str) -> None:
    """Open a notebook of the server's folder in an empty workspace and wait for its kernel."""
    page.goto(f"{server.base}/lab/tree/{name}?reset")
    page.wait_for_function(KERNEL_IDLE)
    page.locator("#jupyterlab-splash").wait_for(state="detached")


def run_notebook(page: Page, server: Server, name: str) -> None:
    """Open a notebook and run it from top to bottom."""
    open_notebook(page, server, name)
    run_all(page)


def ask_at(page: Page, metric: int, feature: str, tau: float) -> dict[str, Any]:
    """Ask Python in a later cell, which prints its stress and more, once that has followed a slider elsewhere."""
    return ask_until(
        lambda: json.loads(run_cell(page, metric)),
        lambda told: abs(told["stress"]["taus"].get(feature, 0) - tau) < 1e-9,
    )


def execute(page: Page, command: str) -> None:
    """Run one of JupyterLab's commands and wait for what it started."""
    page.evaluate(COMMAND, [command, SECONDS])


def outputs(page: Page) -> list[list[dict[str, Any]]]:
    """Return the outputs of every cell, as the notebook's file would hold them."""
    return json.loads(page.evaluate(OUTPUTS))


def n_widgets(page: Page, metric: int) -> int:
    """Return how many widgets of Tauscope a cell put out."""
    shown = [output.get("data", {}) for output in outputs(page)[metric]]
    return sum("Stress curves" in "".join(data.get("text/html", "")) for data in shown if WIDGET_VIEW in data)


class CellFailed(AssertionError):
    """A cell raised or warned; the message is its traceback or warning."""


def check_cells(page: Page) -> None:
    """Fail with the tracebacks and the warnings of every cell, if there are any."""
    said = [output for cell in outputs(page) for output in cell]
    tracebacks = ["\n".join(output["traceback"]) for output in said if output["output_type"] == "error"]
    warnings = ["".join(output["text"]) for output in said if output.get("name") == "stderr"]
    if tracebacks or warnings:
        raise CellFailed("\n".join(tracebacks + warnings))


def run_all(page: Page) -> None:
    """Run the notebook from top to bottom; fails with a cell's traceback or warning."""
    execute(page, "notebook:run-all-cells")
    check_cells(page)


def run_cell(page: Page, metric: int, source: str | None = None) -> str:
    """Run one cell, with another source if one is given, and return what it printed."""
    if source is not None:
        page.evaluate(
            f"([metric, source]) => {NOTEBOOK}.content.widgets[metric].model.sharedModel.setSource(source)",
            [metric, source],
        )
    page.evaluate(f"(metric) => {{ {NOTEBOOK}.content.activeCellIndex = metric; }}", metric)
    execute(page, "notebook:run-cell")
    check_cells(page)
    return "".join("".join(output.get("text", "")) for output in outputs(page)[metric])
