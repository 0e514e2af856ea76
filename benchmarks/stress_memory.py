"""Peak memory of all stress curves on a million rows, each in a process of its own."""

import tempfile
from pathlib import Path

from inputs import classification, save
from report import Row
from session import ours, theirs

N_ROWS, N_FEATURES = 1_000_000, 10
SHARE = 0.25


def measure() -> list[Row]:
    """Growth of resident memory at its peak, against a quarter of the input."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "inputs")
        inputs = classification(N_ROWS, N_FEATURES)
        n_bytes, of_columns = inputs.n_bytes, inputs.columns.nbytes
        save(inputs, path)
        del inputs
        growth: dict[str, float] = {}
        for start, what in ((ours, "engine"), (ours, "study"), (theirs, "influence")):
            with start() as worker:
                worker.ask("prepare_saved", path=path)
                growth[what] = worker.ask("peak", what=what)["growth"] / 1e6
    return [
        Row(
            f"peak memory above input p10-n1e6, {what}",
            "MB",
            ours=growth[what],
            other=growth["influence"],
            at_most=SHARE * n_bytes / 1e6,
            note=f"input {n_bytes / 1e6:.0f} MB (X alone {of_columns / 1e6:.0f} MB), "
            f"ours +{100e6 * growth[what] / n_bytes:.0f} % of it, "
            f"+{100e6 * growth[what] / of_columns:.0f} % of X alone",
        )
        for what in ("engine", "study")
    ]
