"""The words of effects: names of kinds, values as people read them, and what every status means in a sentence."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number, points, share, share_below
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.effects import Attack, Breakdown, Regions
    from tauscope.results.effects.attack import AttackMethod
    from tauscope.results.effects.numbers import EffectNumbers
    from tauscope.results.effects.spec import EffectKind

KINDS: dict[EffectKind, str] = {
    "pd": "Partial dependence",
    "cd": "Conditional dependence",
    "ale": "Accumulated local effect",
    "dale": "Accumulated derivative effect",
}
COMPLETE = "complete"


def centred(result: EffectNumbers) -> bool:
    """Tell whether an effect's mean over the rows is 0."""
    return result.kind in ("ale", "dale")


def extent(result: EffectNumbers) -> str:
    """Say of what and on what: "LogisticRegression, 6,400 rows, 50 points"."""
    *across, last = (len(axis) for axis in result._axes)
    points = " × ".join([*map(str, across), count(last, "point") if not across else f"{last} points"])
    return f"{result.model_name}, {count(result.n_rows, 'row')}{' in chunks' * result._chunked}, {points}"


def paragraph(text: str, width: int = 84) -> list[str]:
    """Break a sentence into lines of at most `width` letters, as a chart's subtitle takes it."""
    return textwrap.wrap(text, width)


def written(result: EffectNumbers, value: float) -> str:
    """Write a value of an effect; centred effects of a share in points."""
    if result.response_kind == "value":
        return number(value)
    return points(value) if centred(result) else share(value)


def difference(result: EffectNumbers, value: float) -> str:
    """Write a difference of two values of an effect, that of shares in points."""
    return number(value) if result.response_kind == "value" else points(value)


def weighting(result: EffectNumbers) -> str:
    """Say how far the weights are from equal ones, or "" where the rows are not weighted."""
    if not result._weighted:
        return ""
    return f"weighted rows: effective sample {result.ess:,.0f} of {result.n_rows:,}"


def effect_message(result: EffectNumbers) -> str:
    """Return "complete", or how far a run that was stopped came and what to do."""
    computed = result._computed
    if computed.complete:
        return COMPLETE
    return (
        f"stopped after {computed.n_done} of {count(computed.n_total, 'row')}, spread evenly over the data: "
        "the curve is that of these rows; run it again for all"
    )


def stopped_message(n_done: int, n_total: int, what: str) -> str:
    """Return "complete", or of how many `what` a stopped run has come to."""
    return COMPLETE if n_done == n_total else f"stopped after {n_done} of {n_total} {what}: run it again for all"


def source_of_numbers(result: EffectNumbers) -> str:
    """Say how an effect was computed: by calling the model, from its trees, or from answers known before."""
    calls = f"{result._call} called on {count(result.n_model_rows, 'row')}"
    match result._computed_from:
        case "gradient":
            return "derivatives given; the model was not called"
        case "cache":
            return f"cached answers of {result._call}"
        case "trees":
            return f"{exactness(result)}; {calls} as a check"
        case "model":
            return f"{calls}, as {result._unread}" if result._unread else calls


def exactness(result: EffectNumbers) -> str:
    """Say of a curve read from trees that it is exact."""
    return f"exact, by traversal of {count(result.n_trees, 'tree')}"


def attack_message(attack: Attack, method: AttackMethod) -> str:
    """Return "complete" and how, or how far an attack that was stopped came."""
    if attack.status == "complete":
        return COMPLETE
    steps = {"genetic": "generations", "greedy": "candidates", "gaussian": "draws"}[method]
    done = f"after {attack.n_done} of {attack.n_total} {steps}"
    if attack.status == "stopped":
        return f"stopped {done}"
    return f"complete: ended {done}, as the last gained next to nothing"


def breakdown_message(breakdown: Breakdown) -> str:
    """Say what a breakdown found, of which weight, and whether the reweighting is known."""
    if breakdown.status == "equal":
        return "the two effects are equal as they are"
    if breakdown.status == "never":
        reason = {
            "rows": "no reweighting flips the sign: not one row disagrees",
            "bins": "no reweighting inside the bins flips the sign: their lowest steps still climb",
            "steps": "no reweighting inside the steps flips the sign: their lowest still climb",
            "windows": "no reweighting flips the sign: the windows' answers do not overlap",
        }
        return reason[breakdown.of]
    weight = {
        "rows": "the rows' weight",
        "windows": "the rows' weight",
        "bins": "the weight inside each bin",
        "steps": "the weight inside each step",
    }
    safe = f"the sign survives any reweighting of less than {share_below(breakdown.epsilon)} of {weight[breakdown.of]}"
    attained = ", and the one given here brings the difference to zero" if breakdown.status == "attained" else ""
    return f"{safe}{attained}"


def regions_message(regions: Regions) -> str:
    """Say how much of the spread a split removes, or why there is none."""
    match regions.status:
        case "split":
            return f"two regions, with {100 * regions.reduction:.3g} % less squared spread"
        case "parallel":
            return "the curves are parallel: no region has another shape"
        case "no other feature":
            return "no feature to split on"
        case "small sides":
            return f"no split leaves {100 * regions.min_share:g} % of the rows on both sides"
        case "small reduction":
            return (
                f"the best split removes {100 * regions.reduction:.3g} % of the squared spread, "
                f"less than min_reduction, {100 * regions.min_reduction:g} %"
            )


def effect_summary(result: EffectNumbers) -> str:
    """Write the title, where the effect is lowest and highest, what the interval is, and what must be known."""
    lines = [f"{result.title}: {extent(result)}"]
    for output, curve in enumerate(result._computed.effect):
        named = f"{result._classes[output]}: " if len(result._computed.effect) > 1 else ""
        lines.append(f"  {named}{_ends(result, curve)}")
    lines.append(f"  {result.interval}; {result.method}")
    lines += [f"  {words}" for words in (weighting(result), *result.caveats) if words]
    lines += [] if result.status == COMPLETE else [f"  {result.message}"]
    return "\n".join([*lines, *(f"  {note}" for note in result.notes)])


def _ends(result: EffectNumbers, curve: NDArray[np.float64]) -> str:
    flat = curve.ravel()
    if np.isnan(flat).all():
        return "no value anywhere"
    low, high = int(np.nanargmin(flat)), int(np.nanargmax(flat))

    def where(flat_place: int) -> str:
        places = np.unravel_index(flat_place, curve.shape)
        named = zip(result._axes, places, strict=True)
        return ", ".join(f"{axis.name} {axis.label(int(place))}" for axis, place in named)

    return (
        f"lowest {written(result, float(flat[low]))} at {where(low)}, "
        f"highest {written(result, float(flat[high]))} at {where(high)}"
    )
