"""Seconds that Tauscope adds to a session that already has scikit-learn and anywidget."""

import subprocess
import sys
from statistics import median

from report import Row

RUNS = 15
LIMIT = 0.6
REFERENCE = "import sklearn, anywidget"
WORK = {
    "import tauscope": "import tauscope",
    "all public names of tauscope": "import tauscope\n[getattr(tauscope, name) for name in tauscope.__all__]",
}


def measure(runs: int | None = None) -> list[Row]:
    """Fresh processes, in turn; files are in the system's cache after the first, which is not counted."""
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in WORK}
    for name in WORK:
        _seconds(WORK[name])
    for _ in range(runs or RUNS):
        for name in WORK:
            seconds[name].append(_seconds(WORK[name]))
    return [
        Row(
            name,
            "s",
            ours=median(ours for _, ours in pairs),
            at_most=LIMIT,
            note=f"over `{REFERENCE}`, itself {median(reference for reference, _ in pairs):.2f} s; "
            f"slowest of {len(pairs)}: {max(ours for _, ours in pairs):.3f} s",
        )
        for name, pairs in seconds.items()
    ]


def _seconds(work: str) -> tuple[float, float]:
    """Seconds of the reference imports and of `work` after them, in one fresh process."""
    clock = "from time import perf_counter\nstart = perf_counter()"
    code = f"{clock}\n{REFERENCE}\nmiddle = perf_counter()\n{work}\nprint(middle - start, perf_counter() - middle)"
    answer = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout
    reference, ours = answer.split()
    return float(reference), float(ours)
