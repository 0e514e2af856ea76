"""An attack on a curve, as the effect view asks for it and shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import traitlets

from tauscope.views.wire import finite

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.effects.spec import EffectKind

METHODS = ("greedy", "gaussian", "genetic")
AIMS = ("high", "low")
SEED = 0


class VerdictMessage(TypedDict):
    """What one bound says of this change: how far down and up it allows; null where it cannot be known."""

    bound: str
    status: Literal["certified", "estimated"]
    lower: float | None
    upper: float | None
    holds: bool


class AttackedMessage(TypedDict):
    """The curve before and after the strongest attack, and what each bound says of the point attacked."""

    feature: str
    kind: EffectKind
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
    request = dict(cast(Mapping[str, Any], value))
    if not request:
        return {}
    options = {"method": "greedy", "aim": "high"} | request
    if options["method"] not in METHODS:
        raise traitlets.TraitError(f"method must be one of {', '.join(METHODS)}; got {options['method']!r}.")
    if options["aim"] not in AIMS:
        raise traitlets.TraitError(f"aim must be one of {', '.join(AIMS)}; got {options['aim']!r}.")
    unknown = sorted(set(options) - {"method", "aim", "run"})
    if unknown:
        raise traitlets.TraitError(f"An attack has the keys 'method' and 'aim'; got {unknown[0]!r}.")
    return options


def attacked_message(
    study: Study,
    feature: str,
    kind: EffectKind,
    target_class: str,
    several: bool,
    request: Mapping[str, Any],
    progress: Callable[[int, int], bool],
) -> AttackedMessage:
    """Run an attack on the curve of one feature; see `Study.attack`.

    An accumulated effect is attacked as partial dependence, which is said by `kind`.
    """
    attacked_kind: Literal["pd", "cd"] = "cd" if kind == "cd" else "pd"
    options = {} if request["method"] == "gaussian" else {"aim": request["aim"]}
    attack = study.attack(
        feature,
        request["method"],
        kind=attacked_kind,
        target_class=target_class if several else None,
        random_state=SEED,
        progress=False,
        callback=progress,
        **options,
    )
    axis = attack.before._axes[0]
    return {
        "feature": feature,
        "kind": attacked_kind,
        "target_class": target_class,
        "sentence": attack.sentence,
        "change": attack.attack.after - attack.attack.before,
        "points": [finite(point) for point in axis.points],
        "labels": list(axis.labels),
        "before": [finite(value) for value in attack.before._computed.effect[0]],
        "after": [finite(value) for value in attack.after.effect[0]],
        "place": attack._place,
        "verdicts": [
            {
                "bound": str(record["bound"]),
                "status": record["status"],
                "lower": finite(record["lower"]),
                "upper": finite(record["upper"]),
                "holds": bool(record["holds"]),
            }
            for record in cast(list[dict[str, Any]], attack.verdicts.to_dict("records"))
        ],
    }
