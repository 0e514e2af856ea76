"""Maps of pixels as files: page, picture, table, arrays, and numbers with what they were computed from."""

from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from tauscope.results.stress.image import StressImage
from tauscope.sharing.html import copy_note
from tauscope.sharing.page import closing, page
from tauscope.sharing.save import records, write_result
from tauscope.views.detached import Detached
from tauscope.views.stress.image import StressImageView

ARRAYS = ("target", "value", "lower", "upper", "ess", "pareto_k", "kl", "tv")


class DetachedStressImageView(Detached, StressImageView):
    """The image widget without its line to a browser."""


def save_stress_image(result: StressImage, path: Path) -> None:
    """Write maps; see `StressImage.save`."""
    if path.suffix.lower() == ".npz":
        arrays = {name: getattr(result.curves, name) for name in ARRAYS}
        np.savez_compressed(
            path, shape=np.array(result.shape), taus=result.taus, metrics=np.array(result.metric_names), **arrays
        )
        return
    write_result(
        path,
        frame=lambda: result.frame,
        document=lambda: _document(result),
        chart=result.chart,
        page=lambda: _page(result),
        others=(".npz",),
    )


def _page(result: StressImage) -> str:
    """Return the page that works without a kernel."""
    note = copy_note(f"{result.title}, {result.n_rows:,} images", result.computed)
    with closing(DetachedStressImageView(result)) as view:
        return page(view, title=result.title, note=note, still=f"<pre>{escape(repr(result))}</pre>")


def _document(result: StressImage) -> dict[str, Any]:
    return {
        "schema": "tauscope.stress_image",
        "version": 1,
        "model": result.model_name,
        "task": result.task,
        "n_rows": result.n_rows,
        "shape": list(result.shape),
        "quantile": result.quantile,
        "confidence": result.confidence,
        "computed": result.computed.isoformat(),
        "notes": list(result.notes),
        "records": records(result.frame),
    }
