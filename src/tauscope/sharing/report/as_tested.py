"""How well it decides on these rows."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from tauscope.results.formatting import share
from tauscope.results.reliability import level_of
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import doubt, interval, relied, stated, written
from tauscope.sharing.sections import table
from tauscope.words import count


def sections(audit: Audit) -> Iterator[Section]:
    """Put every metric as tested."""
    joint, leading = audit.joint, audit.metric
    rows = [
        (
            metric.label,
            written(metric, one.value),
            interval(metric, one.lower, one.upper),
            doubt(level_of(one.reason), note_of(metric, one)),
        )
        for metric, one in zip(joint.metrics, joint.unstressed, strict=True)
    ]
    one = joint.unstressed[joint.metric_names.index(leading.name)]
    why = relied(level_of(one.reason), note_of(leading, one))
    said = stated(leading, one.value, one.lower, one.upper, joint.confidence)
    caption = f"Metrics as tested, with {share(joint.confidence)} intervals"
    known = audit.study._true_values is not None
    yield Section(
        "How well does it decide on these rows?" if known else "How does it decide on these rows?",
        f"The {leading.label} is {said}, of {count(audit.study.n_rows, 'row')}. {why}",
        table(caption, pd.DataFrame(rows, columns=["metric", "value", "interval", "reliability"])),
        "joint = study.joint_stress()\ndict(zip(joint.metric_names, joint.unstressed))",
    )
