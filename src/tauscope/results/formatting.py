"""How numbers read in a sentence, a table or a label: three significant figures, thousands set apart."""

import math
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal

FLOORED = Context(prec=3, rounding=ROUND_FLOOR)


def number(value: float) -> str:
    """Write a value: "38.8", "1,082", "−0.032"; an en dash where there is none."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    text = f"{value:,.0f}" if 999.5 <= size < 1e9 else f"{value:.3g}"
    return "0" if text in ("-0", "0") else text.replace("-", "−")


def share(value: float) -> str:
    """Write a value in [0, 1] as a percentage: "19.9 %"."""
    return "–" if math.isnan(value) else f"{number(100 * value)} %"


def share_below(value: float) -> str:
    """Write a share in [0, 1] that is claimed to be safe: as `share`, but never rounded up."""
    if not math.isfinite(value):
        return share(value)
    return f"{number(float(FLOORED.create_decimal(Decimal(repr(float(value))) * 100)))} %"


def points(value: float) -> str:
    """Write a difference of two shares in percentage points: "2.8 pt"."""
    return "–" if math.isnan(value) else f"{number(100 * value)} pt"


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
