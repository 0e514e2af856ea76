"""What only rows in memory can answer: the verbs of `Study` that a sum over chunks cannot, why, and what to do."""

from collections.abc import Callable
from typing import Any, NoReturn

from tauscope.errors import InputError

REASONS = {
    "attack": (
        "it searches for changes of single rows",
        "Attack a sample of them: Study(model, X, y).attack(…)",
    ),
    "effects": (
        "it compares the curves of many features row by row",
        "Ask for one feature at a time: effect(feature)",
    ),
    "joint_stress": (
        "each move of a slider weights all of them anew",
        "Ask for one stress at a time, reweight(Mean(…) & Share(…)), or use a Study of a sample",
    ),
    "predict": (
        "chunks keep no container that new ones are compared to",
        "Call the model itself, or use a Study",
    ),
    "randomize_model": (
        "it computes the curves of many changed models",
        "Use a Study of a sample: Study(model, X, y).randomize_model(…)",
    ),
    "refit_curves": (
        "it fits the learner on random splits of them",
        "Use a Study of a sample: Study(model, X, y).refit_curves(…)",
    ),
    "stress_surface": (
        "each of its cells would take several passes over them",
        "Ask for single cells, reweight(Mean(a, tau=…) & Mean(b, tau=…)), or use a Study of a sample",
    ),
    "under": (
        "their weights would have to be kept",
        "Put weights into a column and name it: ChunkedStudy(…, sample_weight=…)",
    ),
    "where": (
        "it tells the rows of a subgroup one by one",
        "Give chunks of the subgroup alone: lambda: (frame[frame['age'] > 50] for frame in chunks())",
    ),
}
"""By verb: why it needs the rows, and what to do instead."""


def needs_rows(verb: str) -> Callable[..., NoReturn]:
    """Return a method that says why a verb of `Study` is not answered for chunks."""
    reason, step = REASONS[verb]

    def refuse(self: object, *args: Any, **options: Any) -> NoReturn:
        raise InputError(f"{verb} needs the rows in memory: {reason}. {step}.")

    refuse.__name__, refuse.__qualname__ = verb, f"ChunkedStudy.{verb}"
    refuse.__doc__ = f"Refuse: `Study.{verb}` needs the rows in memory, as {reason}."
    return refuse
