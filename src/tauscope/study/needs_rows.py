"""What only rows in memory can answer: the verbs of `Study` that a sum over chunks cannot, why, and what to do."""

from collections.abc import Iterator
from typing import Any, cast

from tauscope.errors import InputError

SAMPLE_ROWS = 20_000
"""Rows of a sample where no number is asked for."""

REASONS = {
    "attack": (
        "it searches for changes of single rows",
        "Attack a sample of them: sample().attack(…)",
    ),
    "boundary": (
        "it starts from one of them",
        "Ask a study of some rows for it: Study(model, rows).boundary(row)",
    ),
    "_compare_outcomes": (
        "what the second model answered was not kept",
        'Compare the two studies again, ts.compare(first, second, ts.Mean("age", tau=0.5)), or samples of both, '
        "ts.compare(first.sample(), second.sample())",
    ),
    "compare_scenarios": (
        "each scenario weights all of them anew",
        "Ask for one at a time, reweight(Mean(…) & Share(…)), or use sample()",
    ),
    "effects": (
        "it compares the curves of many features row by row",
        "Ask for one feature at a time: effect(feature)",
    ),
    "joint_stress": (
        "each move of a slider weights all of them anew",
        "Ask for one stress at a time, reweight(Mean(…) & Share(…)), or use sample()",
    ),
    "pooled_boundary": (
        "it looks at the values of each to tell what is present",
        "Pool a sample: sample().pooled_boundary(rows)",
    ),
    "load_scenarios": (
        "the hash of all of them tells whether they are those the scenarios were saved with",
        "Use a sample: sample().load_scenarios(path)",
    ),
    "predict": (
        "chunks keep no container that new ones are compared to",
        "Call the model itself, or use a Study",
    ),
    "predict_row": (
        "it starts from one of them",
        "Ask a study of some rows for it: Study(model, rows).predict_row(row, values)",
    ),
    "randomize_model": (
        "it computes the curves of many changed models",
        "Use a sample: sample().randomize_model(…)",
    ),
    "refit_curves": (
        "it fits the learner on random splits of them",
        "Use a sample: sample().refit_curves(…)",
    ),
    "save_scenarios": (
        "a file of scenarios has the hash of all of them",
        "Use a sample: sample().save_scenarios(path, scenarios)",
    ),
    "stress_surface": (
        "each of its cells would take several passes over them",
        "Ask for single cells, reweight(Mean(a, tau=…) & Mean(b, tau=…)), or use sample()",
    ),
    "table": (
        "it lists them one by one",
        "List a sample: sample().table()",
    ),
    "to_code": (
        "its views are of them",
        "Use a sample: sample().to_code(…)",
    ),
    "under": (
        "their weights would have to be kept",
        "Put weights into a column and name it: ChunkedStudy(…, sample_weight=…)",
    ),
    "where": (
        "it tells the rows of a subgroup one by one",
        "Give chunks of the subgroup alone: lambda: (frame[frame['age'] > 50] for frame in chunks())",
    ),
    "save": (
        "a page solves each stress on the rows it carries",
        "Use a sample: sample().save('audit.html')",
    ),
    "report": (
        "it has curves and groups of them",
        "Use a sample: sample().report('report.html')",
    ),
    "workspace": (
        "each move of a slider weights all of them anew",
        "Use a sample: sample().workspace()",
    ),
}
"""By verb: why it needs the rows, and what to do instead."""

ASKED_FOR = {"_compare_outcomes": "Another stress of a comparison"}
"""What a person asked for, by the verbs that results ask in their stead."""

ANY = object()
"""In the place of a value: whatever is given changes nothing."""

CURVES_OPTIONS: dict[str, tuple[Any, str]] = {
    "interval": ("analytic", "replicates are drawn from them"),
    "random_state": (None, "replicates are drawn from them"),
    "hold": (None, "what stays is met by weighting them anew at each τ"),
    "hold_features": (None, "what stays is met by weighting them anew at each τ"),
}
"""Of `Study.stress_curves`: the value that chunks can answer, and why no other."""

EFFECT_OPTIONS: dict[str, tuple[Any, str]] = {
    "kind": (("pd", "cd", "ale"), "derivatives are taken at each"),
    "n_neighbors": (None, "the nearest ones are found among all"),
    "gradient": (None, "derivatives are given one for each"),
    "step": (None, "derivatives are taken at each"),
    "interval": ("analytic", "replicates are drawn from them"),
    "random_state": (None, "replicates are drawn from them"),
    "ice_bytes": (ANY, ""),
    "method": (ANY, ""),
    "callback": (None, "a pass over chunks is not stopped half-way"),
}
"""Of `Study.effect`, as above; a tuple has the values of which each can be. No individual curve is kept."""


GROUPS_OPTIONS = {"within": (False, "the end of τ of each group is a quantile of its own rows")}
"""Of `StressCurves.by`, as above."""

ANSWERED = {"stress_curves": CURVES_OPTIONS, "stress_curves(…).by": GROUPS_OPTIONS, "effect": EFFECT_OPTIONS}
"""By verbs that `Study` and `ChunkedStudy` share."""


def check_shared_options(self: object, verb: str, **options: Any) -> None:
    """Refuse options of a shared verb that need the rows."""
    check_options(verb, options, ANSWERED[verb])


def check_options(verb: str, options: dict[str, Any], answered: dict[str, tuple[Any, str]]) -> None:
    """Refuse options of a verb of `Study` that need the rows, and names that are none.

    Raises
    ------
    InputError
        Says why.
    TypeError
        For a name that is no option of the verb, as Python itself says it.
    """
    for name, value in options.items():
        if name not in answered:
            raise TypeError(f"ChunkedStudy.{verb}() got an unexpected keyword argument {name!r}")
        default, reason = answered[name]
        choices: tuple[Any, ...] = cast("tuple[Any, ...]", default) if isinstance(default, tuple) else (default,)
        # of one type alone: what a person gives may compare to an array, or not at all
        if not any(each is ANY or value is each or (type(value) is type(each) and value == each) for each in choices):
            raise InputError(
                f"{name}={value!r} needs the rows in memory: {reason}. Leave it out, or use Study.{verb} on a sample."
            )


def check_new_rows(self: object, X: Any) -> None:
    """Ask for another sample in memory, or for its margins."""
    if callable(X) or isinstance(X, list | tuple | Iterator):
        kind = cast(object, X).__class__.__name__
        raise InputError(
            f"Another sample is one frame or array; got a {kind}, which would be chunks. Give its margins, "
            "{'age': 45.2, …}, or a sample of its rows."
        )


class NeedsRows(InputError, AttributeError):
    """A verb of `Study` that is not answered for chunks: `hasattr` finds none, and the message says why."""


def needs_rows(verb: str) -> NeedsRows:
    """Return the error that says why a verb of `Study` is not answered for chunks."""
    reason, step = REASONS[verb]
    return NeedsRows(f"{ASKED_FOR.get(verb, verb)} needs the rows in memory: {reason}. {step}.")
