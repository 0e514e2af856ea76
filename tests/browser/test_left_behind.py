"""What stays in JupyterLab's page of a workspace that was opened and closed again and again: nothing."""

from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, Page

from browser import lab as in_lab
from browser.server import Server
from browser.study_panel import StudyPanel, write_notebook

pytestmark = pytest.mark.slow

CYCLES, WARM, SETTLED = 50, 5, 3000
MOST_NODES = 10
"""Of a cycle: JupyterLab keeps two of each output it showed, and a workspace has more than a thousand."""
MOST_BYTES = 40_000
"""Of a cycle: JupyterLab keeps a tenth to a third of that of what the kernel said."""
# Buttons are clicked in the page: what a test presses through the browser's protocol, the browser holds on to.
CYCLE = """
async ([cycles, moves]) => {
  const panel = document.querySelector("#tauscope-panel");
  const until = async (found) => {
    while (!found()) await new Promise((done) => setTimeout(done, 20));
    return found();
  };
  for (let cycle = 0; cycle < cycles; cycle++) {
    (await until(() => panel.querySelector("[data-testid=lab-open]"))).click();
    const workspace = await until(() => panel.querySelector(".ts-workspace[data-ready='1']"));
    const slider = workspace.querySelector("input[type=range]");
    for (let move = 0; move < moves; move++) {
      slider.value = String(0.01 * ((cycle + move) % 20));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    await new Promise((done) => setTimeout(done, 100));
    panel.querySelector("[data-testid=lab-close]").click();
    await until(() => !panel.querySelector(".jp-OutputArea"));
  }
}
"""
COMMS = f"""
async () => {{
  const {{ kernel }} = {in_lab.NOTEBOOK}.sessionContext.session;
  return Object.keys((await kernel.requestCommInfo({{ target_name: "jupyter.widget" }})).content.comms).length;
}}
"""
SHOW, CLOSE = "view = study.workspace(view='effect')\nview", "view.close()"


def held(page: Page, cdp: CDPSession) -> tuple[float, float, float]:
    """Listeners, nodes and bytes of the page that something still holds, once it is at rest."""
    page.wait_for_timeout(SETTLED)
    for _ in range(3):
        cdp.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    return found["JSEventListeners"], found["Nodes"], found["JSHeapUsedSize"]


@pytest.fixture
def cdp(page: Page, lab: Server, notebook_folder: Path, request: pytest.FixtureRequest) -> CDPSession:
    """The browser's own count, beside a panel that lists a study."""
    name = f"{request.function.__name__}.ipynb"
    write_notebook(notebook_folder, name)
    in_lab.open_notebook(page, lab, name)
    panel = StudyPanel(page)
    in_lab.run_all(page)
    panel.make_study()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    return session


def test_fifty_times_opened_moved_and_closed(page: Page, cdp: CDPSession) -> None:
    for _ in range(2):  # What the browser keeps of the first workspace after it collected once comes a single time.
        page.evaluate(CYCLE, [WARM, 10])
        before = held(page, cdp)
    comms = page.evaluate(COMMS)
    page.evaluate(CYCLE, [CYCLES, 10])
    listeners, nodes, size = (now - then for now, then in zip(held(page, cdp), before, strict=True))
    assert listeners <= 0
    assert nodes <= CYCLES * MOST_NODES
    assert size <= CYCLES * MOST_BYTES
    assert page.evaluate(COMMS) == comms > 0


def test_a_widget_that_python_closes_leaves_no_model(page: Page, cdp: CDPSession) -> None:
    comms = page.evaluate(COMMS)
    in_lab.execute(page, "notebook:insert-cell-below")
    for _ in range(3):
        in_lab.run_cell(page, 2, SHOW)
        page.locator(".jp-Notebook .ts-workspace[data-ready='1']").wait_for()
        assert page.evaluate(COMMS) > comms
        in_lab.run_cell(page, 2, CLOSE)
        assert page.locator(".jp-Notebook .ts-workspace").count() == 0
        assert page.evaluate(COMMS) == comms
