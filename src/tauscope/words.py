"""Words about data: counts with their noun, levels that read as none, and names that run from right to left."""

import html
import re
from collections.abc import Sequence

MISSING = "missing"
NO_VALUE = "no value"
READS_AS_NONE = {"", MISSING, NO_VALUE, "none", "nan", "nat", "null", "na", "n/a", "<na>"}
"""Levels that would read as no value; in any case of letters."""
JOINTS = (", ", "; ", " or ", " and ")
"""What joins names and levels in a sentence."""

_RTL = "\u200f\u202a-\u202e\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"

# A word is whatever is written without a blank but commas, brackets and signs of comparison; words with brackets
# around some of them are one name.
_MARKS = r"-\w'\"’״׳%/"
_WORD = rf"(?<![{_MARKS}.])[{_MARKS}.]*[{_RTL}][{_MARKS}{_RTL}]*(?:\.\w+)*"
RIGHT_TO_LEFT = re.compile(rf"\u2068[^\u2068\u2069]*\u2069|{_WORD}(?: +(?:{_WORD}|\({_WORD}(?: +{_WORD})*\)))*")


def agree(n: float, singular: str, plural: str) -> str:
    """Return what agrees with a count: "has" with 1, "have" with others."""
    return singular if n == 1 else plural


def count(n: int, noun: str, plural: str = "") -> str:
    """Write a count with its noun: "1 row", "1,082 rows"; `plural` where it does not end in s."""
    return f"{n:,} {agree(n, noun, plural or f'{noun}s')}"


def listed(names: Sequence[str], last: str = "and", between: str = ", ") -> str:
    """Write names as a sentence has them: "a", "a and b", "a, b or c"."""
    return names[0] if len(names) == 1 else f"{between.join(names[:-1])} {last} {names[-1]}"


def quoted_name(name: str) -> str:
    """Write a name among others: in quotation marks where it has in it what joins them."""
    return f"“{name}”" if any(joint in name for joint in JOINTS) else name


def quoted_level(level: str) -> str:
    """Write a level in a sentence: in quotation marks where it would read as no value, as another, or as several."""
    blank = level != level.strip()
    return f"“{level}”" if blank or level.casefold() in READS_AS_NONE else quoted_name(level)


def label_of_missing(levels: Sequence[str]) -> str:
    """Return what the absence of a value is called beside some levels: "missing", unless one of them is."""
    label = MISSING if MISSING not in levels else NO_VALUE
    while label in levels:
        label = f"({label})"
    return label


def isolated(text: str) -> str:
    """Isolate what runs from right to left, so that what stands around it keeps its order: "21 < X ≤ 26".

    Parameters
    ----------
    text : str
        A sentence; what is isolated in it stays so.

    Returns
    -------
    str
        With U+2068 before each such name and U+2069 after it, neither of which is seen; the same of a text without.
    """
    if text.isascii():
        return text
    return RIGHT_TO_LEFT.sub(lambda name: name[0] if name[0][0] == "\u2068" else f"\u2068{name[0]}\u2069", text)


def escape(text: str, *, literal: bool = False) -> str:
    """Return a text as HTML has it, what runs from right to left isolated where it is not to be copied literally."""
    return html.escape(text if literal else isolated(text))
