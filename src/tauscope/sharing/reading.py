"""How to read a saved page: one sentence for each term on it, folded below the view."""

from collections.abc import Sequence

from tauscope.results.base import Result
from tauscope.words import escape

STRESS = (
    ("Moved", "rows are weighted anew, as little as possible, until a mean is where it was moved to; no row changes."),
    ("Effective sample", "how many rows of equal weight would say roughly as much; few of them mean wide intervals."),
    ("Distance", "TV is the share of the weight that was moved; KL, in nats, is kept as small as the move allows."),
    ("Pareto k̂", "how heavy the largest weights are; above 0.5 the numbers may rest on a few rows."),
    ("Interval", "what other rows drawn alike could have given; the model is held fixed. Dotted: do not rely on it."),
)
EFFECTS = (
    ("Effect", "the model's mean answer at a value of the feature; what the model does, not what causes what."),
    ("Band", "the interval named beside it, for other rows drawn alike; the model is held fixed."),
    ("ε", "the share of the rows' weight that may be replaced or moved."),
    ("Certified", "no such change moves the curve out of the band; estimated bounds do not promise that."),
    ("Rows", "where there are few or none, the curve says what the model would answer, and rests on it alone."),
)
BOUNDARY = (
    ("Boundary", "the nearest point found where the model decides otherwise; there may be a nearer one."),
    ("Certified", "no point nearer than this distance is decided otherwise; where it is smaller, the gap is open."),
    ("Direction", "which features lead across, and how much; large ones matter most here, near this row."),
    ("Rival", "a row of the data that is decided otherwise."),
    ("Reliability", "what to doubt is said in words beside the number."),
)
RULES = (
    ("Rule", "where these values hold, the decision is mostly the one shown; the row itself is inside."),
    ("Probability", "how often the decision stays when the other features come as they do with these values."),
    ("Coverage", "the share of rows inside the rule; precision, the share of those decided alike."),
    ("π", "the probability that a set of features must reach to be called sufficient."),
    ("Proof", "whether the model can answer otherwise anywhere in the rule, or only was not seen to."),
)
ROOMS = {"stress": STRESS, "effects": EFFECTS, "boundary": BOUNDARY, "rules": RULES}


def how_to_read(result: Result) -> str:
    """Write the terms of a result's room as a fold, HTML."""
    return fold(next((terms for room, terms in ROOMS.items() if f".{room}." in type(result).__module__), ()))


def fold(terms: Sequence[tuple[str, str]]) -> str:
    """Write terms and what they mean as a fold; "" where there are none."""
    if not terms:
        return ""
    lines = "".join(f"<dt>{escape(term)}</dt><dd>{escape(words)}</dd>" for term, words in terms)
    return f'<details class="reading"><summary>How to read this</summary><dl>{lines}</dl></details>'
