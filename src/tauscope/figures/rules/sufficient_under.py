"""What becomes of a row's sufficient sets under a stress: each probability before and after as a dumbbell."""

import altair as alt

from tauscope.figures.labels import legible
from tauscope.figures.rules.dumbbells import Dumbbell, draw_dumbbells
from tauscope.results.rules.sufficient_under import SufficientUnder
from tauscope.words import agree, count

AXIS = "same-decision probability; ring before, dot under the stress"
MOST = 40
"""Sets drawn, the first ones."""


def draw(result: SufficientUnder) -> alt.LayerChart:
    """Draw the sets; see `SufficientUnder.chart`."""
    lines = result.frame.head(MOST).to_dict("records")
    records: list[Dumbbell] = [
        {
            "label": legible(" + ".join(line["features"])) or "no value at all",
            "before": float(line["sdp_before"]),
            "after": float(line["sdp"]),
        }
        for line in lines
    ]
    drawn = [f"The first {MOST} of {count(len(result.sets), 'set')}."] if len(result.sets) > MOST else []
    lost = int((result.frame["reached_before"] & ~result.frame["reaches"]).sum())
    said = (
        f"{lost} of {count(len(result.sets), 'set')} no longer {agree(lost, 'reaches', 'reach')} π."
        if lost
        else "No set stops reaching π."
    )
    return draw_dumbbells(records, result.before._spec.pi, AXIS, result.title, [*drawn, said, *result.notes[:2]])
