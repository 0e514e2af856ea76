"""A notebook that is opened again without the kernel that made its widgets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

import tauscope as ts
from browser import lab as in_lab, notebooks
from browser.effect_widget import READY
from browser.server import Server
from browser.study import EFFECT_SOURCE, SOURCE
from browser.watch import Watch
from browser.widget import Widget, says
from browser.workspace import READY as READY_WORKSPACE

NOTEBOOK = "reopened.ipynb"
NOTE = "Still picture from when the cell ran; later moves are not in it. Run the cell again to move things."
# What JupyterLab and ipywidgets say of a kernel that was shut down, and of models it had.
SAID = ("reading 'kernel'", "model not found")
CURVES, EFFECT, SLOW = 1, 2, 3
SHUT_DOWN = f"() => {in_lab.NOTEBOOK}.sessionContext.shutdown()"
CLOSE = f"""
    async () => {{
      const panel = {in_lab.NOTEBOOK};
      await panel.context.save();
      panel.dispose();
    }}
"""
OPEN_WITHOUT_KERNEL = """
    (path) => {
      const kernelPreference = { shouldStart: false, canStart: false, autoStartDefault: false };
      return window.jupyterapp.commands.execute("docmanager:open", { path, kernelPreference }).then(() => undefined);
    }
"""
DARK = """
    async () => {
      await window.jupyterapp.commands.execute("apputils:change-theme", { theme: "JupyterLab Dark" });
    }
"""
IS_DARK = "() => document.body.dataset.jpThemeLight === 'false'"
TRUSTED = f"() => {in_lab.NOTEBOOK}.content.widgets.every((cell) => cell.model.trusted)"
NO_KERNEL = f"() => {in_lab.NOTEBOOK}?.context.isReady && !{in_lab.NOTEBOOK}.sessionContext.session?.kernel"


def write_notebook(folder: Path, name: str = NOTEBOOK) -> Path:
    """Write the notebook that shows two widgets, and work long enough for a bar."""
    path = folder / name
    cells = [
        new_code_cell(SOURCE + EFFECT_SOURCE),
        new_code_cell("curves"),
        new_code_cell("effect"),
        new_code_cell("from tauscope.model import progress_bar\nprogress_bar.DELAY = 0\nstudy.stress_curves(taus=3);"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=notebooks.PYTHON), path)
    return path


def output(page: Page, cell: int) -> Any:
    return page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".jp-OutputArea-output").first


def check_still(page: Page, names: dict[str, Any]) -> None:
    """Check that both outputs say what they are, and that picture and numbers are there."""
    curves, effect = output(page, CURVES), output(page, EFFECT)
    expect(curves).to_contain_text(NOTE)
    expect(effect).to_contain_text(NOTE)
    shown = curves.locator("img").evaluate("(image) => [image.complete, image.naturalWidth > 100]")
    assert shown == [True, True]
    strongest = curves.locator("tbody tr").first.inner_text().split()
    for value in strongest[-3:]:
        assert value in repr(names["curves"])
    assert says(effect.locator("tbody td").first.inner_text(), names["effect"].frame["effect"].iloc[0])
    bar = page.locator(".jp-Notebook .jp-Cell").nth(SLOW).locator(".jp-Cell-outputWrapper")
    assert bar.inner_text().strip() == ""


@pytest.mark.slow
def test_picture_and_numbers_without_the_kernel_that_made_them(
    watch: Watch, lab: Server, names: dict[str, Any], notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    page = watch.page
    write_notebook(notebook_folder)
    in_lab.run_notebook(page, lab, NOTEBOOK)
    page.locator(READY).wait_for(state="attached")
    expect(page.locator(".jp-Notebook")).not_to_contain_text(NOTE)
    page.evaluate(SHUT_DOWN)
    page.evaluate(CLOSE)

    page.evaluate(OPEN_WITHOUT_KERNEL, NOTEBOOK)
    page.wait_for_function(NO_KERNEL)
    check_still(page, names)
    output(page, CURVES).scroll_into_view_if_needed()
    picture("reopened-no-kernel")
    page.evaluate(CLOSE)

    in_lab.open_notebook(page, lab, NOTEBOOK)
    check_still(page, names)
    output(page, EFFECT).scroll_into_view_if_needed()
    picture("reopened")
    in_lab.run_all(page)
    page.locator(READY).wait_for(state="attached")
    expect(page.locator(".jp-Notebook")).not_to_contain_text(NOTE)
    watch.problems[:] = [problem for problem in watch.problems if not any(said in problem for said in SAID)]


def change_on_disk(path: Path) -> None:
    """Write the notebook as another machine would have sent it: what it shows is not signed here."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for shown in cell.outputs:
            shown.metadata["sent"] = True
    nbformat.write(notebook, path)


@pytest.mark.slow
def test_numbers_in_an_untrusted_notebook_and_in_the_dark(
    watch: Watch, lab: Server, names: dict[str, Any], notebook_folder: Path, picture: Callable[[str], object]
) -> None:
    page = watch.page
    name = "untrusted.ipynb"  # of its own: a kernel of the other one may still run
    path = write_notebook(notebook_folder, name)
    in_lab.run_notebook(page, lab, name)
    page.locator(READY).wait_for(state="attached")
    expect(page.locator(".jp-Notebook")).not_to_contain_text(NOTE)
    page.evaluate(DARK)
    page.wait_for_function(IS_DARK)
    page.evaluate(SHUT_DOWN)
    page.evaluate(CLOSE)
    page.evaluate(OPEN_WITHOUT_KERNEL, name)
    page.wait_for_function(NO_KERNEL)
    check_still(page, names)
    output(page, CURVES).scroll_into_view_if_needed()
    picture("reopened-dark")
    page.evaluate(CLOSE)

    change_on_disk(path)
    page.evaluate(OPEN_WITHOUT_KERNEL, name)
    page.wait_for_function(NO_KERNEL)
    assert not page.evaluate(TRUSTED)
    output(page, CURVES).scroll_into_view_if_needed()
    picture("reopened-untrusted")
    strongest = output(page, CURVES).locator("tbody tr").first.inner_text().split()
    for value in strongest[-3:]:
        assert value in repr(names["curves"])
    assert says(output(page, EFFECT).locator("tbody td").first.inner_text(), names["effect"].frame["effect"].iloc[0])
    watch.problems[:] = [problem for problem in watch.problems if not any(said in problem for said in SAID)]


SAVE_STATE = "@jupyter-widgets/jupyterlab-manager:saveWidgetState"
SAVE_AND_END = f"""
    async () => {{
      const panel = {in_lab.NOTEBOOK};
      await panel.context.save();
      await panel.sessionContext.shutdown();
      panel.dispose();
    }}
"""


@pytest.mark.slow
def test_a_workspace_saved_with_its_widgets_moves_again(
    watch: Watch, lab: Server, names: dict[str, Any], notebook_folder: Path
) -> None:
    """Stresses are solved in the page, so that a kernel that knows nothing of the study is enough."""
    page, name, moved = watch.page, "saved-state.ipynb", "mean radius"
    cells = [new_code_cell(SOURCE), new_code_cell("ts.Study(model, X, y)")]
    path = notebook_folder / name
    nbformat.write(new_notebook(cells=cells, metadata=notebooks.PYTHON), path)
    in_lab.run_notebook(page, lab, name)
    page.locator(READY_WORKSPACE).wait_for()
    in_lab.execute(page, SAVE_STATE)
    page.evaluate(SAVE_AND_END)
    assert "widgets" in nbformat.read(path, as_version=4).metadata

    in_lab.open_notebook(page, lab, name)
    workspace = Widget(page, READY_WORKSPACE)
    workspace.press(moved, "ArrowRight", times=8)
    ess = names["study"].reweight(ts.Mean(moved, tau=0.08)).ess
    expect(workspace.at("ess").first).to_contain_text(f"{ess:,.0f}")
    watch.problems[:] = [problem for problem in watch.problems if not any(said in problem for said in SAID)]
