"""The search for minimal sets beside the authors' package, on the mixture at the paper's stated settings.

Forests are alike and not the same: theirs are grown by ranger, of as many trees of the same depth. Time is of the
search alone, in seconds of the processor, with the forest fitted and packed.
"""

import os
from typing import Any

import numpy as np

from mixture import draw, mixture
from peer import Peer
from protocol import timed
from report import Row
from session import Worker

ACV = Peer(
    "acv",
    (
        "acv-exp==1.2.3",
        "numpy==1.21.6",
        "pandas==2.0.3",
        "scipy==1.11.4",
        "scikit-learn==1.6.1",
        "skranger==0.8.0",
        "lightgbm",  # it imports it without naming it
    ),
    python=(3, 10),
)
PI = 0.95
N_TOLERANCE = 4_000
"""Fresh rows whose squared errors say what counts as the same value: their 95 % quantile, as the paper has it."""
N_THEIRS = 2
"""Of those for which we reach π: for the others the authors' package searches on, for minutes."""


def measure() -> list[Row]:
    """Search the minimal set of the same rows with both."""
    data = mixture()
    others, target = draw(N_TOLERANCE, seed=9)
    tolerance = float(np.quantile((data.forest.predict(others) - target) ** 2, 0.95))
    found, spent = _ours(tolerance)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with Worker(ACV.interpreter(), "worker_acv.py", environment) as authors:
        authors.ask("prepare")
        reached = [place for place, one in enumerate(found) if one.status == "sufficient"]
        theirs = authors.ask("search", index=reached[:N_THEIRS], pi=PI, tolerance=tolerance)
    named = [{f"x{j}" for j in one} for one in theirs["named"]]
    alike = sum(set(found[place].best) == one for place, one in zip(reached[:N_THEIRS], named, strict=True))
    return [
        Row(
            "minimal set, 10⁴ rows, 20 trees of depth 8",
            "s a row",
            ours=spent / len(found),
            other=theirs["cpu"] / N_THEIRS,
            ratio_at_least=300.0,
            note=f"mean of all {len(found)} rows, of which {len(reached)} reach π = {PI}; theirs of {N_THEIRS} of "
            f"these, {sum(one >= PI for one in theirs['sdp'])} of which reach it there too, {alike} with the same set",
        )
    ]


def _ours(tolerance: float) -> tuple[list[Any], float]:
    import tauscope as ts

    data = mixture()
    study = ts.Study(data.forest, data.X, data.y, feature_names=[f"x{j}" for j in range(50)], progress=False)
    options = {"pi": PI, "t": tolerance, "explained": "labels"}
    study.sufficient(data.explained[0], **options)  # packs the forest's rows
    found = list[Any]()
    spent = timed(lambda: found.extend(study.sufficient(row, **options) for row in data.explained))
    return found, spent["cpu"]
