"""What perturbed rows did to a curve: how far it moved, how far the rows did, and what each bound says of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import Attack, Coupling, Effect, coupling
from tauscope.effects.attacks.attacked import AttackStatus
from tauscope.effects.bounds.effect_bounds import answer_extremes
from tauscope.effects.bounds.published import observed_range, published_bounds
from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.effects.axis import tidy
from tauscope.results.effects.text import attack_message, difference, extent, written
from tauscope.results.formatting import number, share, signed
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.effects.effect import FeatureEffect

AttackMethod = Literal["gaussian", "greedy", "genetic"]
METHODS = {"gaussian": "normal noise", "greedy": "greedy search", "genetic": "genetic search"}
BOUNDS = ("paper", "oscillation", "sharp", "coupling")
BOUND_WORDS = {
    "paper": "the paper's, 2 B times the histogram distance",
    "oscillation": "spread of the answers times the exact distance",
    "sharp": "sharp band for replacing that share of the rows",
    "coupling": "mean change of the rows' own answers",
}


@dataclass(frozen=True, repr=False, eq=False)
class EffectAttack(Charted):
    """Rows perturbed to bend one point of a curve, and what came of it.

    Made by `Study.attack`.

    Attributes
    ----------
    before : FeatureEffect
        The curve on the rows as they are.
    after : tauscope.effects.Effect
        The same curve on the rows as the strongest attack left them.
    method : {"gaussian", "greedy", "genetic"}
    attacks : tuple of tauscope.effects.Attack
        One; of "gaussian" one for each sigma and repeat.
    strongest : int
        Which of them moved the curve most.
    columns : tuple of str
        The columns perturbed.
    levels : tuple of bool
        Which of them hold levels.
    random_state : int
        The seed.
    n_model_rows : int
        Rows the model was called on, for the curves too.

    Examples
    --------
    >>> attack = study.attack("mean radius", at=14, random_state=0)
    >>> attack.perturbed_rows().shape
    (284, 4)
    """

    before: FeatureEffect
    after: Effect
    method: AttackMethod
    attacks: tuple[Attack, ...]
    strongest: int
    _place: int
    """The grid point attacked."""

    columns: tuple[str, ...]
    levels: tuple[bool, ...]
    _settings: tuple[dict[str, Any], ...]
    """What was set in each attack: sigma and repeat, or aim and budget."""

    random_state: int
    n_model_rows: int
    _extra_notes: tuple[str, ...]
    """How the columns were chosen; first among the `notes`."""

    @property
    def title(self) -> str:
        """Name the curve that was attacked."""
        return self.before.title

    @property
    def _caption(self) -> str:
        """The model, and how many rows and points."""
        return extent(self.before)

    @property
    def notes(self) -> tuple[str, ...]:
        """How the columns were chosen, and what must be known of the curve."""
        return (*self._extra_notes, *self.before.notes)

    @property
    def attack(self) -> Attack:
        """The strongest attack, as the engine gives it."""
        return self.attacks[self.strongest]

    @property
    def status(self) -> AttackStatus:
        """Whether all steps were taken, a search had converged before, or the run was stopped."""
        return self.attack.status

    @property
    def message(self) -> str:
        """Return "complete" and how, or how far a run that was stopped came."""
        return attack_message(self.attack, self.method)

    @property
    def at(self) -> str:
        """The point attacked, in words."""
        return self.before._axes[0].label(self._place)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per attack: what was set, before, after, change, the distances, each bound and whether it holds.

        `histogram_tv` is the paper's estimate from the perturbed columns; `exact_tv` is exact between the two sets of
        rows; `changed` is the share of the weight on rows that changed. A bound is how far the curve could move at
        most, up or down. `paper_bound` is estimated and can be passed; `oscillation_bound`, `sharp_bound` and
        `coupling_bound` are certified for the change of that line, from the answers seen before and after it unless
        `output_range` was given: another attack has bounds of its own.
        """
        records: list[dict[str, Any]] = []
        for attack, set_to in zip(self.attacks, self._settings, strict=True):
            record: dict[str, Any] = {
                **set_to,
                "before": attack.before,
                "after": attack.after,
                "change": attack.after - attack.before,
                "histogram_tv": attack.histogram_tv,
                "exact_tv": attack.exact_tv,
                "changed": attack.changed,
            }
            for name, check in zip(BOUNDS, attack.verdicts, strict=True):
                record |= {f"{name}_bound": check.half_width, f"{name}_holds": check.holds}
            records.append(record | {"n_model_rows": attack.n_model_rows})
        return pd.DataFrame(records)

    @property
    def verdicts(self) -> pd.DataFrame:
        """What each bound says of the strongest attack: `bound`, `status`, `lower`, `upper`, `change`, `holds`.

        `lower` and `upper` are how far down and up the curve could have moved at the point. `status` is "certified"
        where that is proven for this change of the rows, from the answers seen before and after it unless
        `output_range` was given, else "estimated"; nothing is claimed of another change.
        """
        change = self.attack.after - self.attack.before
        return pd.DataFrame(
            {
                "bound": [BOUND_WORDS[name] for name in BOUNDS],
                "status": ["certified" if check.certified else "estimated" for check in self.attack.verdicts],
                "lower": [check.lower for check in self.attack.verdicts],
                "upper": [check.upper for check in self.attack.verdicts],
                "change": change,
                "holds": [check.holds for check in self.attack.verdicts],
            }
        )

    @property
    def curve(self) -> pd.DataFrame:
        """The whole curve, one row per point: value, before, after, change, certified, estimated.

        `certified` is the most this change of the rows could have moved the point: the mean change of the rows' own
        answers. `estimated` is the paper's bound at the histogram distance, with its two remarks.
        """
        return tidy(
            self.before._axes,
            (),
            {
                "before": self.before._computed.effect,
                "after": self.after.effect,
                "change": self.coupling.change,
                "certified": self.coupling.bound,
                "estimated": self.estimated,
            },
        )

    @cached_property
    def coupling(self) -> Coupling:
        """Change of the curve, and its bound from the rows' own changes."""
        return coupling(self.before._computed, self.after)

    @cached_property
    def estimated(self) -> NDArray[np.float64]:
        """The paper's bound at each point, from the histogram distance; NaN where that cannot be estimated."""
        computed = self.before._computed
        output = observed_range(*answer_extremes(computed))  # pyright: ignore[reportArgumentType]
        return published_bounds(computed.effect, output, self.attack.histogram_tv).half_width

    @property
    def summary(self) -> pd.DataFrame:
        """The perturbed columns: mean, standard deviation, lowest and highest, before and after; levels have none."""
        figures = self.attack.summary
        numbers = np.where(np.array(self.levels)[None, :, None], np.nan, figures)
        data: dict[str, Any] = {"column": list(self.columns)}
        for place, name in enumerate(("mean", "standard_deviation", "lowest", "highest")):
            data |= {f"{name}_before": numbers[0, :, place], f"{name}_after": numbers[1, :, place]}
        return pd.DataFrame(data)

    def perturbed_rows(self, which: int | None = None) -> Any:
        """Return the rows as an attack left them, in the container they came in.

        Parameters
        ----------
        which : int, optional
            Position in `attacks`; by default the strongest.

        Raises
        ------
        InputError
            For a position without an attack.
        """
        if which is not None and not 0 <= which < len(self.attacks):
            raise InputError(f"which is a position in attacks, 0 to {len(self.attacks) - 1}; got {which}.")
        rows = self._require_source()._table_rows
        attack = self.attacks[self.strongest if which is None else which]
        index = np.arange(rows.n_rows, dtype=np.int64)
        values = np.column_stack([rows.column(column) for column in attack.columns])
        values[attack.rows] = attack.values
        return rows.substituted(index, attack.columns, values)

    @property
    def sentence(self) -> str:
        """The finding for a person."""
        attack = self.attack
        change = difference(self.before, abs(attack.after - attack.before))
        ends = f"{written(self.before, attack.before)} to {written(self.before, attack.after)}"
        if not self.moved_towards_aim:
            aim = self._settings[self.strongest]["aim"]
            return f"no change of {_joined(self.columns)} was found that moves the curve at {self.at} towards {aim}"
        return (
            f"at {self.at} the curve went from {ends} ({change}) when {share(attack.changed)} of the rows changed in "
            f"{_joined(self.columns)}"
        )

    @property
    def moved_towards_aim(self) -> bool:
        """Whether the curve moved towards the aim; True where there is none."""
        attack, aim = self.attack, self._settings[self.strongest].get("aim")
        if aim is None:
            return True
        if isinstance(aim, str):
            return attack.after > attack.before if aim == "high" else attack.after < attack.before
        return abs(attack.after - float(aim)) < abs(attack.before - float(aim))

    def chart(self) -> alt.LayerChart:
        """Draw the curve before (dashed, grey) and after, in the certified band of this change of the rows.

        Returns
        -------
        altair.LayerChart
            Data inline; the paper's estimated bound is a dashed outline, the point attacked is marked.

        Notes
        -----
        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: the curve, what was perturbed, every attack, and what each bound says."""
        return self.before._described("effect_attack") | {
            "method": self.method,
            "at": self.at,
            "columns": list(self.columns),
            "random_state": self.random_state,
            "n_model_rows": self.n_model_rows,
            "status": self.message,
            "sentence": self.sentence,
            "notes": list(self.notes),
            "curve": records(self.curve),
            "summary": records(self.summary),
            "verdicts": records(self.verdicts),
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        effect, attack = self.before, self.attack
        lines = [
            f"{self.title} at {self.at}, attacked by "
            f"{METHODS[self.method]}: {effect.model_name}, {count(effect.n_rows, 'row')}",
            f"  {self.sentence}",
            f"  total variation {number(attack.exact_tv)} exactly; "
            f"{number(attack.histogram_tv)} by the paper's histogram",
        ]
        for name, check in zip(BOUNDS, attack.verdicts, strict=True):
            kind = "certified for this change" if check.certified else "estimated"
            if np.isnan(check.half_width):
                lines.append(f"  {kind}, {BOUND_WORDS[name]}: unknown, a perturbed column has missing values")
                continue
            holds = "holds" if check.holds else "passed by the attack"
            ends = f"{difference(effect, check.lower)} to {signed(difference(effect, check.upper))}"
            lines.append(f"  {kind}, {BOUND_WORDS[name]}: {ends}, {holds}")
        lines += [f"  {self.message}"] if self.status == "stopped" else []
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def _joined(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
