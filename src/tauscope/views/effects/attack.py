"""An attack on a curve, as the effect view asks for it and shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import traitlets

from tauscope.views.wire import finite

if TYPE_CHECKING:
    from tauscope.results.effects.spec import Kind

METHODS = ("greedy", "gaussian", "genetic")
AIMS = ("high", "low")
SEED = 0


class VerdictMessage(TypedDict):
    """What one bound says; `half_width` null where it cannot be known."""

    bound: str
    status: Literal["certified", "estimated"]
    half_width: float | None
    holds: bool


class AttackedMessage(TypedDict):
    """The curve before and after the strongest attack, and what each bound says of the point attacked."""

    feature: str
    kind: Kind
    target_class: str
    sentence: str
    change: float
    points: list[float | None]
    labels: list[str]
    before: list[float | None]
    after: list[float | None]
    place: int
    verdicts: list[VerdictMessage]


def checked_attack(value: object) -> dict[str, Any]:
    """Check what a page, or a person, asks for; {} is no attack.

    Raises
    ------
    traitlets.TraitError
        For another method, aim or key.
    """
    given = dict(cast(Mapping[str, Any], value))
    if not given:
        return {}
    asked = {"method": "greedy", "aim": "high"} | given
    if asked["method"] not in METHODS:
        raise traitlets.TraitError(f"method must be one of {', '.join(METHODS)}; got {asked['method']!r}.")
    if asked["aim"] not in AIMS:
        raise traitlets.TraitError(f"aim must be one of {', '.join(AIMS)}; got {asked['aim']!r}.")
    strange = sorted(set(asked) - {"method", "aim", "run"})
    if strange:
        raise traitlets.TraitError(f"An attack has the keys 'method' and 'aim'; got {strange[0]!r}.")
    return asked


def attacked_message(
    study: Any,
    feature: str,
    kind: Kind,
    target_class: str,
    several: bool,
    asked: Mapping[str, Any],
    progress: Callable[[int, int], bool],
) -> AttackedMessage:
    """Run an attack on the curve of one feature; see `Study.attack`.

    An accumulated effect is attacked as partial dependence, which is said by `kind`.
    """
    attacked_kind: Literal["pd", "cd"] = "cd" if kind == "cd" else "pd"
    options = {} if asked["method"] == "gaussian" else {"aim": asked["aim"]}
    found = study.attack(
        feature,
        asked["method"],
        kind=attacked_kind,
        target_class=target_class if several else None,
        random_state=SEED,
        progress=False,
        callback=progress,
        **options,
    )
    axis = found.before.axes[0]
    return {
        "feature": feature,
        "kind": attacked_kind,
        "target_class": target_class,
        "sentence": found.sentence,
        "change": found.attack.after - found.attack.before,
        "points": [finite(point) for point in axis.points],
        "labels": list(axis.labels),
        "before": [finite(value) for value in found.before.computed.effect[0]],
        "after": [finite(value) for value in found.after.effect[0]],
        "place": found.place,
        "verdicts": [
            {
                "bound": str(record["bound"]),
                "status": record["status"],
                "half_width": finite(record["half_width"]),
                "holds": bool(record["holds"]),
            }
            for record in cast(list[dict[str, Any]], found.verdicts.to_dict("records"))
        ],
    }
