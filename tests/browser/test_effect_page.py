"""A saved effect, opened from the disk: drawn without a kernel, a server or a network, and with names as text."""

from pathlib import Path

import numpy as np
import pandas as pd

import tauscope as ts
from browser.watch import Watch
from results.effect_samples import HOSTILE


def test_effect_page_draws_alone(watch: Watch, tmp_path: Path) -> None:
    dialogs: list[str] = []
    watch.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    X = pd.DataFrame({HOSTILE: np.arange(20.0), "b": np.arange(20.0)})
    path = tmp_path / "effect.html"
    ts.Study(lambda rows: rows["b"] + rows[HOSTILE], X, X["b"] / 3).effect(HOSTILE).save(path)
    watch.page.goto(path.as_uri())
    drawn = watch.page.locator("#chart svg")
    drawn.wait_for()
    assert HOSTILE in (drawn.text_content() or "")
    assert watch.page.evaluate("document.scripts.length") == 3
    assert dialogs == []
    assert watch.requests == [path.as_uri()]
