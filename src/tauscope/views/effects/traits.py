"""The state of the effect view: traits, what they may be, and the message that says what is shown."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict, cast, get_args

import numpy as np
import traitlets

from tauscope.results.effects.spec import EffectKind
from tauscope.views.base import check_name
from tauscope.views.effects.attack import checked_attack
from tauscope.views.effects.message import EffectPartMessage
from tauscope.views.grouped import GroupedView
from tauscope.views.trait_errors import Choice
from tauscope.views.wire import NotEmpty, Reasons

KINDS: tuple[EffectKind, ...] = get_args(EffectKind)
EPSILON = 0.1
EPSILONS = tuple(
    round(float(percent) / 100, 6)
    for percent in (*np.arange(0, 10.01, 0.5), *np.arange(11, 30.1, 1), *np.arange(35, 100.1, 5))
)


Task = Literal["", "effect", "attack"]


class EffectKindMessage(TypedDict):
    """One kind of effect: its name in code, its words inside a sentence, and its letters beside a curve."""

    name: EffectKind
    label: str
    short: str


class EffectMessage(TypedDict):
    """What `FeatureEffectView` carries besides its buffers.

    `responses` are what is followed for each class, "probability of b"; `classes` those to choose from, one entry where
    there is nothing to choose; `features` those that can be asked for, where `live` says that there is a kernel to ask.
    `unstressable` says why no stress can be shown, "" where one can. `epsilons` are the steps of the slider, from 0 to
    1. `weighted`: the floats end with one weight per row. `columns_complete`: whether the columns are of every feature
    that can be moved. `by`: what rows can be told apart by.
    """

    version: Literal[1]
    model: str
    n_rows: int
    response: str
    responses: list[str]
    response_kind: Literal["share", "value"]
    classes: Annotated[list[str], NotEmpty("have at least one entry")]
    kinds: list[EffectKindMessage]
    features: list[str]
    live: bool
    unstressable: str
    reliability: Reasons
    epsilons: list[float]
    weighted: bool
    columns_complete: bool
    by: list[str]
    parts: Annotated[list[EffectPartMessage], NotEmpty("hold at least one effect")]


class EffectProgressMessage(TypedDict, total=False):
    """What the kernel is at: a `task`, "" where it has none, what it is `doing` and how much is done, or an `error`."""

    task: Task
    doing: str
    done: int
    total: int
    error: str


class EffectTraits(GroupedView):
    """Traits of `FeatureEffectView`, each refused where it cannot be shown; see there."""

    features = traitlets.List(traitlets.Unicode(), help="names of the one or two features").tag(sync=True)
    kind = Choice(KINDS, "pd", help="kind of effect").tag(sync=True)
    compared = traitlets.List(Choice(KINDS), help="kinds drawn over it").tag(sync=True)
    target_class = traitlets.Unicode(help="which class").tag(sync=True)
    epsilon = traitlets.Float(EPSILON, help="total variation of the certified band").tag(sync=True, echo_update=False)
    follow = traitlets.Bool(True, help="the band is that of the stress's own distance").tag(sync=True)
    attack = traitlets.Dict(help="the attack requested").tag(sync=True)
    attacked = traitlets.Dict(help="what it did").tag(sync=True)
    stop = traitlets.Int(0, help="raised by one to stop the kernel's work").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as EffectMessage").tag(sync=True)
    floats = traitlets.Bytes(help="packed float32, as EffectPartMessage says").tag(sync=True)
    integers = traitlets.Bytes(help="uint32, as EffectPartMessage says").tag(sync=True)
    columns_message = traitlets.Dict(help="the rows to reweight, as ColumnsMessage").tag(sync=True)
    columns = traitlets.Bytes(help="float32 [feature][row]").tag(sync=True)
    row_weights = traitlets.Bytes(help="float32 [row]").tag(sync=True)
    more = traitlets.Dict(help="effects requested, {'parts': [EffectPartMessage]}").tag(sync=True)
    more_floats = traitlets.Bytes(help="float32, as EffectPartMessage says").tag(sync=True)
    more_integers = traitlets.Bytes(help="uint32, as EffectPartMessage says").tag(sync=True)
    answer = traitlets.Dict(help="the kernel's own numbers, as EffectAnswerMessage").tag(sync=True)
    answer_floats = traitlets.Bytes(help="float32, as EffectAnswerMessage says").tag(sync=True)
    groups = traitlets.Dict(help="curves of groups of rows, as EffectGroupsMessage").tag(sync=True)
    group_numbers = traitlets.Bytes(help="float32, as EffectGroupsWire says").tag(sync=True)
    progress = traitlets.Dict(help="what the kernel is at, as EffectProgressMessage").tag(sync=True)

    @property
    def _message(self) -> EffectMessage:
        return cast(EffectMessage, self.message)

    @traitlets.validate("features")
    def _known_features(self, proposal: dict[str, Any]) -> list[str]:
        names = list(proposal["value"])
        if len(names) not in (1, 2) or len(set(names)) != len(names):
            raise traitlets.TraitError(f"features must be one name or two different ones; got {names!r}.")
        for name in names:
            check_name("feature", name, self._message["features"])
        return names

    @traitlets.validate("compared")
    def _each_once(self, proposal: dict[str, Any]) -> list[EffectKind]:
        return [kind for kind in KINDS if kind in proposal["value"]]

    @traitlets.validate("target_class")
    def _known_class(self, proposal: dict[str, Any]) -> str:
        return check_name("class", proposal["value"], self._message["classes"])

    @traitlets.validate("epsilon")
    def _snap_epsilon(self, proposal: dict[str, Any]) -> float:
        epsilon = float(proposal["value"])
        if not 0 <= epsilon <= 1:
            raise traitlets.TraitError(f"epsilon must lie in [0, 1]; got {epsilon:g}.")
        steps = np.array(self._message["epsilons"])
        return float(steps[np.abs(steps - epsilon).argmin()])

    @traitlets.validate("attack")
    def _check_attack(self, proposal: dict[str, Any]) -> dict[str, Any]:
        return checked_attack(proposal["value"])
