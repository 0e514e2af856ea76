"""How numbers read in a sentence, a table or a label: three significant figures, thousands set apart."""

import math
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from itertools import combinations

FLOORED = Context(prec=3, rounding=ROUND_FLOOR)
SMALLEST, LARGEST = 1e-9, 1e9
"""Between these sizes a number is written without an exponent."""
ROUNDED = 1e-12
"""What rounding may leave of the size of a quantity; a share has the size 1."""
UNSEEN = 1e-6
"""Of the largest of numbers read side by side, what is 0 beside it."""


def number(value: float) -> str:
    """Write a value: "38.8", "1,082", "−0.032"; an en dash where there is none."""
    value = float(value)  # a fraction has no such formats
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    if 999.5 <= size < LARGEST:
        return fixed(value, 0)
    if SMALLEST < size < 1e-4:
        return fixed(value, 2 - math.floor(math.log10(size))).rstrip("0")
    return "0" if size == 0 else f"{value:.3g}".replace("-", "−")


def distinct(*values: float, unit: str = "", even: bool = False) -> tuple[str, ...]:
    """Write values that are read side by side so that those that differ do so in words.

    Parameters
    ----------
    *values : float
    unit : str
        Behind each.
    even : bool
        Whether all have the same number of decimals whatever they are.

    Returns
    -------
    tuple of str
        With three significant figures each; to the same number of decimals, two of their difference, where it is less
        than five of the last figure. What is nothing beside the largest is 0.
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    seen = [0.0 if abs(value) < UNSEEN * largest else value for value in values]
    gaps = (abs(one - other) for one, other in combinations(filter(math.isfinite, seen), 2))
    gap = min((each for each in gaps if each > ROUNDED * largest), default=math.inf)
    power = math.floor(math.log10(largest)) if largest else 2
    figures = 3 if math.isinf(gap) else max(3, power - math.floor(math.log10(gap)) + 2)
    n = max(0, figures - 1 - power)
    if gap >= 5 * 10.0 ** (power - 2) and not (even and n <= 12):
        texts = [number(value) for value in seen]
    else:
        plain = largest == 0 or SMALLEST < largest < LARGEST
        texts = [fixed(value, n) if plain else f"{value:.{figures}g}".replace("-", "−") for value in seen]
    return tuple(text if text == "–" else text + unit for text in texts)


def share(value: float) -> str:
    """Write a value in [0, 1] as a percentage: "19.9 %"."""
    return "–" if math.isnan(value) else f"{number(100 * _unless_rounding(value))} %"


def distinct_shares(*values: float, even: bool = False) -> tuple[str, ...]:
    """Write shares that are read side by side, as `distinct`: "5.02 %", "5.04 %"."""
    return distinct(*(100 * _unless_rounding(value) for value in values), unit=" %", even=even)


def _unless_rounding(value: float) -> float:
    """Return a share or a difference of shares, 0 for what rounding leaves of one."""
    return 0.0 if abs(value) < ROUNDED else value


def share_below(value: float) -> str:
    """Write a share in [0, 1] that is claimed to be safe: as `share`, but never rounded up."""
    if not math.isfinite(value):
        return share(value)
    return f"{number(float(FLOORED.create_decimal(Decimal(repr(float(value))) * 100)))} %"


def points(value: float) -> str:
    """Write a difference of two shares in percentage points: "2.8 pt"."""
    return "–" if math.isnan(value) else f"{number(100 * _unless_rounding(value))} pt"


def decimals(span: float, digits: int = 2) -> int:
    """Return the decimals that resolve a span into hundreds of steps (`digits` = 2), for values that stand together.

    The rule of the widget's readouts.
    """
    return digits if not span > 0 else max(0, digits - math.floor(math.log10(span)))


def fixed(value: float, n_decimals: int) -> str:
    """Write a value to a number of decimals: "1,234.5", "−0.03"; an en dash where there is none."""
    if not math.isfinite(value):
        return number(value)
    text = f"{value:,.{n_decimals}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "−")


def signed(text: str) -> str:
    """Put a plus before what carries no minus and is not zero, for differences."""
    zero = not text.split(" ")[0].strip("0.")
    return text if zero or text.startswith(("−", "–")) else f"+{text}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write the rows of a table, each cell at the left of a column as wide as its widest."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def percentile(level: float) -> str:
    """Write a probability level as a rank: "99th percentile", "0.2th percentile"."""
    rank = f"{100 * level:.4g}"
    ending = "th"
    if "." not in rank and not rank.endswith(("11", "12", "13")):
        ending = {"1": "st", "2": "nd", "3": "rd"}.get(rank[-1], "th")
    return f"{rank}{ending} percentile"
