"""What the model does with a feature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tauscope.figures.effects.table import effect_table
from tauscope.results.formatting import number, share
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.sections import drawn

MOST_EFFECTS = 3


def sections(audit: Audit) -> Iterator[Section]:
    """Draw the effects of the features named, or of those that move the answer most."""
    study = audit.study
    if not study._has_model:
        return
    every = study.effects()
    several = len(every.effects[0]._computed.effect) > 1
    order = list(every.feature_names if several else every.rank()["feature"])
    for name in audit.options.features or order[:MOST_EFFECTS]:
        effect = study.effect(name)
        yield Section(
            f"What does the model do with {name}?",
            _answer(effect),
            drawn(effect.chart(n_ice=0), effect.title) + effect_table(effect),
            f"study.effect({name!r})",
            caveats=(*effect.notes, *every.notes),
            looked_at={"effects": (name,)},
        )


def _answer(effect: Any) -> str:
    """Say where the effect is lowest and highest, each with its interval."""
    frame = effect.frame
    if "class" in frame:
        name = str(frame["class"].iloc[0])
        frame = frame[frame["class"].astype(str) == name]
        response = f"mean answer for {name}"
    else:
        response = f"mean {effect.response}"
    effects = frame["effect"].to_numpy(dtype=float)
    if not np.isfinite(effects).any():
        return "The effect has no point that could be computed."
    write = share if effect.response_kind == "share" else number
    ends = [frame.iloc[int(place)] for place in (np.nanargmin(effects), np.nanargmax(effects))]
    at = [value if isinstance(value, str) else number(float(value)) for value in (one["value"] for one in ends)]
    said = [_stated(one, write) for one in ends]
    return (
        f"The {response} is lowest at {at[0]}, {said[0]}, and highest at {at[1]}, {said[1]}, other features as they "
        "come."
    )


def _stated(one: Any, write: Any) -> str:
    if not np.isfinite(one["lower"]) or not np.isfinite(one["upper"]):
        return f"{write(float(one['effect']))} (no interval: too few rows)"
    return f"{write(float(one['effect']))} (interval {write(float(one['lower']))} to {write(float(one['upper']))})"
