"""Which features a figure draws, and which of them in colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from tauscope.errors import UnknownName
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.natural_units import features_among

MOST_LINES = 30
MOST_CHOSEN = 5


@dataclass(frozen=True)
class Selection:
    """Names of the features drawn: `chosen` in colour with a label, `rest` in grey behind them."""

    chosen: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        """All of them, the chosen first."""
        return self.chosen + self.rest


def select(
    result: StressCurves,
    metric: str,
    features: str | int | Sequence[str | int] | None = None,
    highlight: str | int | Sequence[str | int] | None = None,
) -> Selection:
    """Settle which features are drawn.

    Parameters
    ----------
    result : StressCurves
    metric : str
        The metric by whose change, where it is reliable, the features are ranked.
    features : str or sequence of str, optional
        Those to draw; by default the 30 that move the metric most, and those highlighted.
    highlight : str or sequence of str, optional
        Those in colour; by default all named in `features`, or the five that move the metric most.

    Returns
    -------
    Selection

    Raises
    ------
    UnknownName
        For a name that is not a feature of the result, or a highlighted one that is not drawn.
    """
    ranked = [str(name) for name in result.influence(metric).index]
    drawn, chosen = _names(result, features), _names(result, highlight)
    if drawn is None:
        chosen = chosen if chosen is not None else ranked[:MOST_CHOSEN]
        drawn = [*chosen, *(name for name in ranked[:MOST_LINES] if name not in chosen)]
    chosen = drawn if chosen is None else chosen
    for name in chosen:
        if name not in drawn:
            raise UnknownName(f"A highlighted feature must be drawn. {UnknownName.among('feature', name, drawn)}")
    return Selection(tuple(chosen), tuple(name for name in drawn if name not in chosen))


def _names(result: StressCurves, names: str | int | Sequence[str | int] | None) -> list[str] | None:
    return None if names is None else features_among(result, names)
