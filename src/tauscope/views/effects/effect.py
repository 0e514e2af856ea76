"""The effect widget: a curve with its rows, how far reweighting can bend it, and the stress shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.errors import TauscopeError
from tauscope.figures.effects.table import effect_table
from tauscope.results.effects.spec import EffectKind
from tauscope.results.effects.text import KINDS, extent
from tauscope.views.base import check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.columns_message import BUDGET, ColumnsWire, columns_size, columns_wire
from tauscope.views.effects.answers import EffectAnswers, Question
from tauscope.views.effects.attack import AttackedMessage, attacked_message
from tauscope.views.effects.groups_message import EffectGroupsWire, asked, effect_groups_wire, name_few
from tauscope.views.effects.message import EncodedEffect, encode_effect, join_buffers
from tauscope.views.effects.traits import EPSILON, EPSILONS, EffectMessage, EffectTraits, Task
from tauscope.views.error_words import plain_words
from tauscope.views.packing import pack_floats
from tauscope.views.shared_stress import StressState
from tauscope.views.wire import reason_messages
from tauscope.views.worker import Worker, every_now_and_then

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect

STATE = ("compared", "epsilon", "features", "follow", "kind", "stress", "target_class")


class FeatureEffectView(EffectTraits):
    """An effect to question: how far reweighting the rows can bend it, and what the present stress makes of it.

    Every trait can be observed, set and linked; `tauscope.link` links the stress of several views in the page.

    Parameters
    ----------
    effect : FeatureEffect
        Shown first, and shipped with the rows behind it where these fit 4 MB.
    compare : sequence of {"pd", "cd", "ale", "dale"}
        Kinds shipped with it, so that they can be laid over it without a kernel.
    live : bool
        Whether the page can ask for more; False for a copy without a kernel.
    groupings : mapping of str to groups, optional
        What can be picked as `by` beside the columns of the study, by name, each as `FeatureEffect.by` takes it.
    by : str, sequence of str, or column of shape (n_rows,), optional
        What rows are told apart by at first, as `FeatureEffect.by` takes it, of 2 to 12 groups.
    **traits
        First values of the traits below.

    Attributes
    ----------
    features : list of str
        One or two names.
    kind : {"pd", "cd", "ale", "dale"}
    compared : list of str
        Other kinds drawn over it.
    target_class : str
        Which class, where the effect is given for several.
    epsilon : float
        Total variation of the certified band, in [0, 1]; set to the nearest step of the slider. Default 0.1.
    follow : bool
        Whether the band is that of the stress's own distance, exactly, while there is a stress. Default True.
    by : str
        What rows are told apart by: a column with levels, or what was given under this name; "" for all rows together,
        the default. Each group has a curve of its own over the effect of one feature, under the stress shown: the
        population moves as a whole.
    stress : dict
        {"taus": {feature: τ}, "hold": "none" | "means" | "uncorrelated"}, shared with other views.
    attack : dict
        {"method": "greedy" | "gaussian" | "genetic", "aim": "high" | "low"} begins an attack on the curve; {} ends it.
    attacked : dict
        What it did.
    stop : int
        Raised by one to stop what the kernel is at.
    message, more, answer, groups, progress : dict
        What is shown, as `tauscope.views.effects.message`, `.answers` and `.groups_message` have it; not meant to be
        set, nor are their buffers.

    Raises
    ------
    traitlets.TraitError
        For a feature, kind, class, grouping or stress that is not there, or a distance outside [0, 1].
    InputError
        For a `by` that names no groups, fewer than two or more than 12.
    """

    _esm, _css = bundle("effects/effect")
    result: FeatureEffect

    def __init__(
        self,
        effect: FeatureEffect,
        *,
        compare: Sequence[EffectKind] = (),
        live: bool = True,
        groupings: Mapping[str, Any] = MappingProxyType({}),
        by: Any = "",
        **traits: Any,
    ) -> None:
        check_arguments(traits, (*STATE, "compare", "by", "groupings"))
        self.result = effect
        self._answers = EffectAnswers(effect)
        self._encoded: dict[tuple[tuple[str, ...], EffectKind], EncodedEffect] = {}
        self._ready = False
        given = {} if isinstance(by, str) and by in ("", *groupings) else {name_few(effect, by): by}
        self._given = {**groupings, **given}
        study = None if effect._chunked else self._answers.source
        self._alone = not live or self._offline or study is None
        shipped, columns = self._shipped(effect, compare)
        parts, floats, integers = join_buffers(shipped)
        weighted = effect._weighted and not effect._chunked
        weight = effect._computed.sample_weight.astype("<f4").tobytes() if weighted else b""
        several = len(effect._computed.effect) > 1
        classes = list(effect._classes) if several else [effect.response]
        message: EffectMessage = {
            "version": 1,
            "model": extent(effect),
            "n_rows": effect.n_rows,
            "response": effect.response,
            "responses": list(effect.responses),
            "response_kind": effect.response_kind,
            "classes": classes,
            "kinds": [{"name": kind, "label": words.lower(), "short": kind.upper()} for kind, words in KINDS.items()],
            "features": list((effect if study is None else study).feature_names),
            "live": not self._alone,
            "unstressable": self._answers.unstressable,
            "reliability": reason_messages(),
            "epsilons": list(EPSILONS),
            "weighted": weighted,
            "columns_complete": not self._answers.unstressable
            and len(columns.columns_message.get("features", ())) == len(self._answers.columns.features),
            "by": list(self.groupings),
            "parts": parts,
        }
        traits = {
            "features": list(effect.feature_names),
            "kind": effect.kind,
            "compared": [],
            "target_class": message["classes"][-1 if len(message["classes"]) == 2 else 0],
            "epsilon": EPSILON,
            "by": next(iter(given), by),
        } | traits
        buffers = {"floats": pack_floats(np.frombuffer(floats + weight, "<f4")), "integers": integers}
        super().__init__(effect, message=message, **buffers, **columns._asdict(), **traits)
        self._ready = True
        self.observe(self._selected, ["features", "kind", "compared", "target_class"])
        self.observe(self._answer_late, ["stress", "epsilon"])
        self.observe(self._follow_groups, ["stress", "by"])
        self.observe(self._on_attack, "attack")
        self.observe(self._stopped, "stop")
        self._selected()

    def _shipped(self, effect: FeatureEffect, compare: Sequence[EffectKind]) -> tuple[list[EncodedEffect], ColumnsWire]:
        """Encode what goes along from the start within the budget: the effect first, then columns, then other kinds."""
        first = self._encode(effect, BUDGET)
        encoded_effects, budget = [first], BUDGET - first.n_bytes
        wire = ColumnsWire(cast(Any, {}), b"", b"")
        if not self._answers.unstressable:
            columns = self._answers.columns_within(max(budget, 0))
            wire = columns_wire(columns, budget=max(budget, 0))
            budget -= columns_size(columns) if wire.columns_message["shipped"] else 0
        for kind in compare:
            if kind != effect.kind:
                other = self._answers.compute(effect.feature_names, kind, lambda done, total: None)
                assert other is not None
                encoded = self._encode(other, max(budget, 0))
                encoded_effects.append(encoded)
                budget -= encoded.n_bytes
        return encoded_effects, wire

    def _encode(self, effect: FeatureEffect, budget: float) -> EncodedEffect:
        encoded = encode_effect(effect, budget, EPSILONS if self._alone else ())
        self._encoded[effect.feature_names, effect.kind] = encoded
        return encoded

    @property
    def shown(self) -> FeatureEffect | None:
        """The effect chosen; None while it is not there yet."""
        return self._answers.find(self.features, cast(EffectKind, self.kind))

    @cached_property
    def _grouping(self) -> Worker:
        """Of groups: they follow the stress while the other worker asks the model."""
        return Worker()

    @property
    def busy(self) -> bool:
        """Whether the kernel is at work for this view."""
        return super().busy or self._grouping.busy

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has finished what this view requested, or some seconds have passed."""
        super().wait(seconds)
        self._grouping.wait(seconds)

    def close(self) -> None:
        """Stop what is under way and close the view."""
        self._grouping.stop()
        super().close()

    @property
    def _kinds(self) -> list[EffectKind]:
        """The kinds drawn, the chosen one first."""
        first, compared = cast(EffectKind, self.kind), cast(list[EffectKind], self.compared)
        return [first, *(kind for kind in compared if kind != first)]

    def _selected(self, change: object = None) -> None:
        """Ask for what is chosen and not there, and send what is."""
        missing: list[EffectKind] = [kind for kind in self._kinds if self._answers.find(self.features, kind) is None]
        self._send_more()
        if missing:
            self._worker.begin(partial(self._compute, tuple(self.features), missing))
        else:
            self._worker.stop()
            self.progress = {}
        self._answer_late()
        self._follow_groups()

    def _send_more(self) -> None:
        """Send the effects chosen that did not go along from the start."""
        shipped = {(tuple(part["features"]), part["kind"]) for part in self._message["parts"]}
        encoded_effects: list[EncodedEffect] = []
        for kind in self._kinds:
            choice = (tuple(self.features), kind)
            effect = self._answers.find(*choice)
            if effect is not None and choice not in shipped:
                encoded_effects.append(self._encoded.get(choice) or self._encode(effect, BUDGET))
        messages, floats, integers = join_buffers(encoded_effects)
        more = {"parts": messages} if encoded_effects else {}
        if more != self.more or floats != cast(Any, self).more_floats:
            with self.hold_sync():
                self.more, self.more_floats, self.more_integers = more, floats, integers

    def _compute(self, features: tuple[str, ...], kinds: list[EffectKind], stopped: Callable[[], bool]) -> None:
        try:
            for kind in kinds:
                doing = f"Asking {self.result.model_name} about {' and '.join(features)}"
                progress = self._progress_hook("effect", doing, stopped)
                if self._answers.compute(features, kind, progress) is None or stopped():
                    return
                self._send_more()
            self.progress = {}
            self._answer_late()
            self._follow_groups()
        except Exception as error:  # the user's model may raise anything; the page says it
            if not stopped():
                self.progress = {"error": plain_words(error)}

    def _progress_hook(self, task: Task, doing: str, stopped: Callable[[], bool]) -> Callable[[int, int], bool]:
        """Make a hook that tells the page now and then how far the work has come."""

        def tell(done: int, total: int) -> None:
            self.progress = {"task": task, "doing": doing, "done": done, "total": total}

        tell(0, 0)
        return every_now_and_then(tell, stopped)

    def _page_solves(self, stress: StressState) -> bool:
        """Whether the page has the columns that a stress moves and holds."""
        message = self.columns_message
        if not message or not message["shipped"]:
            return not stress["taus"]
        names = {feature["name"] for feature in message["features"]}
        whole = stress["hold"] == "none" or self._message["columns_complete"]
        return whole and set(stress["taus"]) <= names

    def _answer_late(self, change: object = None) -> None:
        """Compute here what the page cannot."""
        if not self._ready:
            return
        stress = cast(StressState, self.stress)
        # one that the worker has just computed and not yet sent is answered when it is
        encoded: dict[EffectKind, EncodedEffect | None] = {
            kind: self._encoded.get((tuple(self.features), kind)) for kind in self._kinds
        }
        encoded_kinds: list[EffectKind] = [kind for kind, effect in encoded.items() if effect is not None]
        without_rows: list[EffectKind] = [
            kind for kind, effect in encoded.items() if effect and effect.message["rows"] == "none"
        ]
        solves = self._page_solves(stress)
        if solves and not without_rows:
            return
        classes = self._message["classes"]
        question = Question(
            tuple(self.features),
            tuple(encoded_kinds),
            self.target_class,
            classes.index(self.target_class),
            stress,
            self.epsilon,
        )
        unsolvable = self._message["unstressable"] if stress["taus"] else ""
        if unsolvable:
            return
        answer = self._answers.answer(
            question, weights=not solves and len(without_rows) < len(encoded_kinds), without_rows=without_rows
        )
        with self.hold_sync():
            self.answer, self.answer_floats = cast(dict[str, Any], answer.message), answer.floats

    def _follow_groups(self, change: object = None) -> None:
        """Compute the curves of the groups picked, once their effect is there; none of two features."""
        effect, stress = self.shown, cast(StressState, self.stress)
        self._grouping.stop()
        if not self.by or effect is None or len(effect.feature_names) == 2:
            return
        if {**self.groups, **asked(effect, self.by, stress, self.groups.get("error", ""))} == self.groups:
            return
        work = partial(self._compute_groups, effect, self.by, stress)
        if self._offline:
            work(lambda: False)
        else:
            self._grouping.begin(work)

    def _compute_groups(self, effect: FeatureEffect, by: str, stress: StressState, stopped: Callable[[], bool]) -> None:
        try:
            found = effect_groups_wire(effect, self.groupings[by], by, stress, self._answers.solve(stress))
        except TauscopeError as error:
            found = EffectGroupsWire(asked(effect, by, stress, str(error)), b"")
        if not stopped():
            with self.hold_sync():
                self.groups, self.group_numbers = cast(dict[str, Any], found.groups), found.group_numbers

    def _on_attack(self, change: object) -> None:
        if not self.attack:
            self._worker.stop()
            self.attacked, self.progress = {}, {}
            return
        self.attacked = {}
        self._worker.begin(partial(self._run_attack, dict(self.attack), self.features[0]))

    def _run_attack(self, request: dict[str, Any], feature: str, stopped: Callable[[], bool]) -> None:
        study = self.result.source
        try:
            if study is None:
                raise TauscopeError("This effect has left its study; an attack calls its model.")
            several = len(self._message["classes"]) > 1
            message: AttackedMessage = attacked_message(
                study,
                feature,
                cast(EffectKind, self.kind),
                self.target_class,
                several,
                request,
                self._progress_hook("attack", f"Attacking the effect of {feature}", stopped),
            )
            if not stopped():
                self.attacked, self.progress = cast(dict[str, Any], message), {}
        except Exception as error:  # the user's model may raise anything; the page says it
            if not stopped():
                self.progress = {"error": plain_words(error)}

    def _stopped(self, change: object) -> None:
        self._worker.stop()
        self.progress = {}

    def fallback(self) -> dict[str, str]:
        """Add the effect as a table."""
        return self._with_table(effect_table(self.result))
