"""How far the curves can be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from tauscope.results.formatting import number, share
from tauscope.results.reliability import RELIABLE, UNRELIABLE, WIDE, levels
from tauscope.results.stress.curves import StressCurves
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.sections import table
from tauscope.words import agree, count

MOST_ROWS = 20
MOST_NOTES = 12


def sections(audit: Audit) -> Iterator[Section]:
    """Say for each feature how far its curve of the leading metric can be relied on."""
    curves, metric = audit.curves, audit.metric
    place = curves._metric_place(metric.name)
    level = levels(curves._curves.reason[:, place, :])
    shares = [float((level == each).mean()) for each in (RELIABLE, WIDE, UNRELIABLE)]
    rows = [_row(curves, k, level[k]) for k in range(len(curves.feature_names))]
    worst = [row for _, row in sorted(enumerate(rows), key=lambda pair: (pair[1][-1], pair[0]))]
    frame = pd.DataFrame(
        [(*row[:-1], share(row[-1])) for row in worst],
        columns=["feature", "as tested", "reliable from", "reliable to", "fewest effective rows", "reliable cells"],
    )
    n_whole = sum(row[-1] == 1 for row in rows)
    yield Section(
        "How far can the curves be trusted?",
        f"Of {count(level.size, 'point')} of the curves of the {metric.label}, {share(shares[0])} are reliable, "
        f"{share(shares[1])} are to be read by their interval, and {share(shares[2])} are not to be relied on; "
        f"{n_whole} of {count(len(rows), 'feature')} {agree(n_whole, 'is', 'are')} reliable over the whole curve.",
        table("By feature, the least reliable first", frame, most=MOST_ROWS),
        "study.stress_curves().frame[['feature', 'tau', 'metric', 'reliability', 'note']]",
        caveats=_notes(audit),
    )


def _notes(audit: Audit) -> tuple[str, ...]:
    """Return what is to be known of the curves, that of the features which harm most first."""
    order = [f"{one.feature}: " for one in audit.harm.shifts]
    notes = sorted(
        audit.curves.notes, key=lambda note: next((k for k, n in enumerate(order) if note.startswith(n)), -1)
    )
    more = len(notes) - MOST_NOTES
    return (*notes[:MOST_NOTES], *((f"and {more:,} more notes in study.stress_curves().notes",) if more > 0 else ()))


def _row(curves: StressCurves, place: int, level: Any) -> tuple[Any, ...]:
    """Return where around its own mean a feature's curve is reliable, as means, and the share of its points."""
    found, zero = curves._curves, int(np.argmin(np.abs(curves.taus)))
    low, high = zero, zero
    while low > 0 and level[low - 1] == RELIABLE:
        low -= 1
    while high < len(level) - 1 and level[high + 1] == RELIABLE:
        high += 1
    write = share if curves.features[place].kind == "share" else number
    alone = level[zero] != RELIABLE
    ends = ("–", "–") if alone else tuple(write(float(found.target[place, k])) for k in (low, high))
    return (
        curves.feature_names[place],
        write(float(found.mean[place])),
        *ends,
        number(float(np.nanmin(found.ess[place]))),
        float((level == RELIABLE).mean()),
    )
