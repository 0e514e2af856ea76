"""How numbers read in a sentence, a table or a label: three significant figures, thousands set apart."""

import math


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


def points(value: float) -> str:
    """Write a difference of two shares in percentage points: "2.8 pt"."""
    return "–" if math.isnan(value) else f"{number(100 * value)} pt"


def signed(text: str) -> str:
    """Put a plus before what carries no minus, for differences."""
    return text if text.startswith(("−", "–")) or text.split(" ")[0] == "0" else f"+{text}"


def percentile(level: float) -> str:
    """Write a probability level as a rank: "99th percentile", "0.2th percentile"."""
    rank = f"{100 * level:.4g}"
    ending = "th"
    if "." not in rank and not rank.endswith(("11", "12", "13")):
        ending = {"1": "st", "2": "nd", "3": "rd"}.get(rank[-1], "th")
    return f"{rank}{ending} percentile"
