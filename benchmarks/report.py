"""Rows of the printed table, and the line that says on what machine they were measured."""

import json
import os
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Row:
    """One measurement and what it must reach.

    Attributes
    ----------
    case : str
        What was measured.
    unit : str
        Of `ours`, `other` and `at_most`.
    ours : float
        Median over the runs.
    other : float or None
        Median of what it is compared with, if anything.
    at_most : float or None
        Bound on `ours`.
    ratio_at_least : float or None
        Bound on `other / ours`.
    note : str
        How it was measured: runs, spread, what the other is.
    """

    case: str
    unit: str
    ours: float
    other: float | None = None
    at_most: float | None = None
    ratio_at_least: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Other over ours, more is better; None where there is nothing to divide by."""
        return None if self.other is None or self.ours == 0 else self.other / self.ours

    @property
    def met(self) -> bool | None:
        """Whether every bound holds; None where there is none."""
        verdicts: list[bool] = []
        if self.at_most is not None:
            verdicts.append(self.ours <= self.at_most)
        if self.ratio_at_least is not None:
            verdicts.append(self.ratio is not None and self.ratio >= self.ratio_at_least)
        return all(verdicts) if verdicts else None

    @property
    def required(self) -> str:
        """The bounds in words."""
        bounds: list[str] = []
        if self.at_most is not None:
            bounds.append(f"≤ {_figure(self.at_most)} {self.unit}".rstrip())
        if self.ratio_at_least is not None:
            bounds.append(f"≥ {self.ratio_at_least:g}×")
        return ", ".join(bounds) or "–"

    def cells(self) -> list[str]:
        """Give the texts of the printed row."""
        unit = f" {self.unit}" if self.unit else ""
        return [
            self.case,
            _figure(self.ours) + unit,
            "–" if self.other is None else _figure(self.other) + unit,
            "–" if self.ratio is None else f"{_figure(self.ratio)}×",
            self.required,
            {True: "yes", False: "NO", None: "–"}[self.met],
        ]


HEAD = ["case", "ours", "other", "ratio", "must reach", "met"]


def table(rows: list[Row]) -> str:
    """All rows, aligned, each note in a list below."""
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    printed = [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
    printed.insert(1, "  ".join("─" * width for width in widths))
    notes = [f"  {row.case}: {row.note}" for row in rows if row.note]
    return "\n".join([*printed, "", *notes])


def machine() -> str:
    """Processor, cores, memory, system and load of the last minute."""
    load = os.getloadavg()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{_processor()}, {cores} cores, {platform.system()} {platform.machine()}, load {load:.1f}"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def store(rows: list[Row], foot: list[str]) -> Path:
    """Write the rows as JSON into results/, one file a run."""
    RESULTS.mkdir(exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%SZ")
    path = RESULTS / f"{stamp}.json"
    content = {
        "time": stamp,
        "foot": foot,
        "rows": [asdict(row) | {"ratio": row.ratio, "met": row.met} for row in rows],
    }
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return path


def _figure(value: float) -> str:
    """Three significant figures, without an exponent between 0.001 and 100,000."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        text = f"{value:.3g}"
        return f"{value:.0f}" if "e" in text else text
    return f"{value:.1e}"
