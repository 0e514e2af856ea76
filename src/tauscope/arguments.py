"""One table of what each parameter can be: every public verb looks at it first, so that the same slip gets one answer.

A parameter means the same in every verb, so its name is enough. The table is about kinds, a word for a number or a
table for one value; what else has to hold of a value is said where it is used. Parameters that take data, models or
anything at all are not in it: their own checks read them.
"""

import os
from collections.abc import Callable, Mapping, Set as AnySet
from dataclasses import dataclass, is_dataclass, replace
from functools import wraps
from inspect import CO_VARARGS, CO_VARKEYWORDS
from numbers import Integral, Real
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast, get_args, get_type_hints, is_typeddict

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, InputTypeError

_Class = TypeVar("_Class", bound=type)
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")

# Work that is repeated: more than this many times is a slip, and would not end.
MOST_REPEATS = 100_000
MOST_COUNTED = 2**31 - 1
# Each is a process.
MOST_WORKERS = 1_000
LARGEST = 1e70
"""Largest size of a number: its fourth power is one, and that of its inverse."""


@dataclass(frozen=True)
class Kind:
    """What an argument can be.

    Attributes
    ----------
    words : str
        Follows "must be" in the message.
    holds : callable
        Whether a value is of the kind.
    most : int, optional
        The largest value of a count.
    sized : bool
        Whether numbers of extreme sizes are refused here; else the verb knows nearer bounds.
    """

    words: str
    holds: Callable[[Any], bool]
    most: int | None = None
    sized: bool = True

    def check(self, name: str, value: object) -> None:
        """Refuse a value that is not of the kind, or a count beyond the largest."""
        if not self.holds(value):
            raise InputTypeError(f"{name} must be {self.words}; got {describe(value)}.")
        if self.sized and isinstance(value, Real):
            check_size(name, cast(float, value))
        if self.most is not None and isinstance(value, Integral) and int(value) > self.most:
            raise InputError(f"{name} must be at most {self.most:,}; got {describe(value)}.")


def check_size(name: str, value: float) -> None:
    """Refuse an argument whose powers overflow or vanish; what is not finite is left to its own check."""
    size = abs(value)
    if LARGEST < size < np.inf or 0 < size < 1 / LARGEST:
        raise InputError(
            f"{name} must be 0 or lie between {1 / LARGEST:g} and {LARGEST:g} in size; got {value!r:.40}. "
            "Give a usual number."
        )


def describe(value: object) -> str:
    """Return a value as a message shows it: at most 60 characters, tables by their shape."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"{_a(type(value).__name__)} of shape {shape}"
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:56]} …"


def _a(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' or noun == 'ndarray' else 'a'} {noun}"


def _is_flag(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not _is_flag(value)


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not _is_flag(value) and _is_float(value)


def _is_float(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _is_row_of_numbers(value: Any) -> bool:
    if not isinstance(value, np.ndarray):
        return False
    array = cast(NDArray[Any], value)
    return array.ndim == 1 and array.dtype.kind in "biuf"


def _is_comparable(value: Any) -> bool:
    """Whether a value can be compared with words and labels: pd.NA, a table or a sparse matrix cannot."""
    if getattr(value, "shape", ()) != () or isinstance(value, np.ndarray | np.void) or value is NotImplemented:
        return False
    try:
        hash(value)
        bool(value == "")
    except Exception:
        return False
    return True


def _is_one_value(value: object) -> bool:
    return (isinstance(value, str | bytes) or not hasattr(value, "__iter__")) and _is_comparable(value)


def _is_sequence(value: object) -> bool:
    """Whether it has a length and an order: a list, tuple, column or array; no text and no mapping."""
    return (
        hasattr(value, "__len__")
        and hasattr(value, "__iter__")
        and not isinstance(value, str | bytes | Mapping | AnySet)
        and len(getattr(value, "shape", (0,))) == 1
    )


def _is_list(value: Any) -> bool:
    """Whether it is a sequence of things to look up."""
    return _is_sequence(value) and all(map(_is_comparable, value))


def _is_texts(value: object) -> bool:
    return isinstance(value, str) or _is_list(value)


def _is_names(value: object) -> bool:
    return _is_texts(value) or _is_whole(value)


def _is_metrics(value: object) -> bool:
    return _is_texts(value) or callable(value)


def _is_path(value: Any) -> bool:
    """Whether a file could have the name: a NUL ends it, and half of a surrogate pair has no bytes."""
    try:
        return isinstance(os.fspath(value), str) and b"\0" not in os.fsencode(value)
    except (TypeError, UnicodeError):
        return False


def _is_feature(value: object) -> bool:
    return getattr(value, "shape", None) != () or isinstance(value, np.integer)


def _is_spec(value: object) -> bool:
    return is_dataclass(value) and type(value).__name__.endswith("Spec")


def _is_numbers(value: Any) -> bool:
    return _is_real(value) or (_is_sequence(value) and all(_is_real(part) for part in value))


def _is_pair(value: Any) -> bool:
    return _is_sequence(value) and len(value) == 2 and all(_is_real(part) for part in value)


def _is_column(value: object) -> bool:
    return getattr(value, "shape", None) != () and not isinstance(value, AnySet | np.ma.MaskedArray)


def _is_dense_column(value: object) -> bool:
    return _is_column(value) and not hasattr(value, "tocsr")


def _is_text(value: object) -> bool:
    """Whether it is text that a file can hold."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


FLAG = Kind("True or False", _is_flag)
CALLBACK = Kind("a function of the rows asked about and their number", callable)
ONE = Kind("one value, not several", _is_one_value)
COUNT = Kind("a whole number", _is_whole, MOST_COUNTED)
REPEATS = Kind("a whole number", _is_whole, MOST_REPEATS)
WORKERS = Kind("a whole number, -1 for all cores", _is_whole, MOST_WORKERS)
REAL = Kind("a number", _is_real)
SEQUENCE = Kind("a sequence", _is_sequence)
LIST = Kind("a sequence of names or labels", _is_list)
TEXT = Kind("a str that a file can hold", _is_text)
TEXTS = Kind("a name or a list of names", _is_texts)
NAMES = Kind("a name, a position, or a list of them", _is_names)
METRICS = Kind("a metric or a list of metrics", _is_metrics)
FEATURE = Kind("a feature", _is_feature)
NUMBERS = Kind("a number or a list of numbers", _is_numbers)
COUNT_OR_WORD = Kind("a whole number or a word", lambda value: _is_whole(value) or isinstance(value, str))
NUMBERS_OR_WORD = Kind(
    "a word, a number or a list of numbers",
    lambda value: isinstance(value, str) or (_is_numbers(value) and np.size(value) > 0),
)
NUMBER_OR_OWN = Kind(
    "a number, or a constant with its source", lambda value: _is_real(value) or hasattr(value, "certified")
)
COUNT_OR_MAPPING = Kind(
    "a position, or values by feature", lambda value: _is_whole(value) or isinstance(value, Mapping), MOST_COUNTED
)
VERTICES = Kind(
    "a word, or a table of one change of the features in each row",
    lambda value: isinstance(value, str | list | tuple) or len(getattr(value, "shape", ())) == 2,
)
COUNT_OR_ALL = Kind("a whole number, or None for all", lambda value: value is None or _is_whole(value), MOST_COUNTED)
ARRAY = Kind(
    "an array, one number per row",
    _is_row_of_numbers,
)
NUMBER_LIST = Kind("numbers in a list", lambda value: _is_sequence(value) and _is_numbers(value))
SPEC = Kind("options as in `result.spec`", _is_spec)
PAIR = Kind("two numbers, (low, high)", _is_pair)
MAPPING = Kind("a mapping, {name: value}", lambda value: isinstance(value, Mapping))
PATH = Kind("a str or a Path that can name a file", _is_path)
AXES = Kind("a matplotlib Axes", lambda value: hasattr(value, "fill_between") and hasattr(value, "set_ylabel"))
ROWS = Kind("positions, a mask or new rows", _is_column)
COLUMN = Kind("a column, one entry per row", _is_dense_column)
BY = Kind("a column, several, or one value per row", _is_dense_column)
STUDY = Kind("a Study", lambda value: hasattr(value, "n_rows") and hasattr(value, "feature_names"))

KINDS: dict[str, Kind] = {
    **dict.fromkeys(
        ("as_frame", "progress", "paths", "certify", "check_data", "clip", "individual", "keep_sample", "within",
         "within_window", "prove"),
        FLAG,
    ),
    "callback": CALLBACK,
    **dict.fromkeys(("encode", "decode"), Kind("a function", callable)),
    **dict.fromkeys(
        ("at", "centred", "explained", "explainer", "fitted_on", "high", "hold", "interval", "kind", "low",
         "probability", "method", "metric", "n_taus", "name", "pos_label", "refine", "response_method",
         "search", "spacing", "strategy", "target_class", "task", "view", "worse"),
        ONE,
    ),
    **dict.fromkeys(
        ("ice_bytes", "max_model_rows", "max_rows", "max_rules", "n", "n_bins", "n_drawn", "n_features", "n_ice",
         "n_neighbors", "n_regions", "n_rivals", "n_rows", "n_samples", "proof_budget", "sample", "which"),
        COUNT,
    ),
    **dict.fromkeys(("n_estimators", "n_splits", "repeats"), REPEATS),
    "n_jobs": WORKERS,
    **dict.fromkeys(
        ("amount", "confidence", "epsilon", "held_out", "kl", "min_reduction", "min_share", "pi", "price",
         "quantile", "ratio", "share", "test_size", "threshold", "tolerance"),
        REAL,
    ),
    **dict.fromkeys(("attributes", "classes", "feature_names", "moments"), LIST),
    **dict.fromkeys(("constraints", "scenarios"), SEQUENCE),
    **dict.fromkeys(("compare", "fixed"), TEXTS),
    **dict.fromkeys(("features", "highlight", "hold_features", "subset"), NAMES),
    "min_rows": COUNT_OR_WORD,
    "t": Kind('a number, a quantile such as "q95", or two numbers', NUMBERS_OR_WORD.holds),
    **dict.fromkeys(("output_range", "quantiles"), PAIR),
    **dict.fromkeys(("bounds", "monotonic_cst", "values"), MAPPING),
    "path": PATH,
    "vertices": VERTICES,
    "path_step": replace(REAL, sized=False),
    "radius": replace(ONE, sized=False),
    **dict.fromkeys(
        ("categorical_features", "grid", "sample_weight", "y", "y_pred", "y_score", "y_true"), COLUMN
    ),
    **dict.fromkeys(("feature", "feature_a", "feature_b"), FEATURE),
    "ax": AXES,
    "by": BY,
    "rows": ROWS,
    "thresholds": NUMBER_LIST,
    "metrics": METRICS,
    "sigma": NUMBERS,
    "spec": SPEC,
    "study": STUDY,
}  # fmt: skip
# What a parameter is in one method alone, or in one TypedDict of options; None where the method's own check reads it.
KINDS_IN: dict[tuple[str, str], Kind | None] = {
    ("randomize_model", "kind"): TEXTS,
    ("AttackOptions", "aim"): Kind("a word or a number", lambda value: isinstance(value, str) or _is_real(value)),
    ("AttackOptions", "budget"): REAL,
    **{("AttackOptions", name): COUNT for name in ("n_candidates", "population", "iterations", "patience", "elites")},
    **{("AttackOptions", name): FLAG for name in ("relative", "accumulate", "keep_elites", "keep_best")},
    **{
        ("AttackOptions", name): REAL
        for name in ("first_sigma", "mutated", "mutated_columns", "mutated_rows", "crossover")
    },
    ("boundary", "target"): ONE,
    ("BoundaryOptions", "target"): ONE,
    ("FeatureEffect.bounds", "lipschitz"): NUMBER_OR_OWN,
    ("FeatureEffect.compare", "distance"): NUMBERS_OR_WORD,
    ("FeatureEffect.regions", "features"): TEXTS,
    ("JointStress.reach", "feature"): ONE,
    ("Moment.__init__", "name"): TEXT,
    ("MetricsByGroup.chart", "metrics"): TEXTS,
    ("ThresholdCurves.chart", "metrics"): TEXTS,
    ("ProjectedDistribution.cdf", "values"): NUMBERS,
    ("ProjectedDistribution.quantile", "levels"): NUMBERS,
    ("StressCurves.chart", "metrics"): TEXTS,
    ("SufficientExplanations.chart", "sets"): ONE,
    ("StressCurves.harm", "distance"): REAL,
    ("StressImage.chart", "metrics"): TEXTS,
    ("randomize_model", "n_rows"): COUNT_OR_ALL,
    ("stress_image", "metrics"): TEXTS,
    ("FeatureEffects.chart", "columns"): COUNT,
    ("ChunkedStudy.from_parquet", "path"): None,
    ("JointStress.reach", "taus"): MAPPING,
    ("threshold_curves", "cost"): MAPPING,
    ("worst_case", "reach"): REAL,
    ("worst_case", "within"): MAPPING,
    ("WorstCase.path", "steps"): Kind("a whole number", _is_whole, 1_000),
    ("JointStress.save", "stress"): MAPPING,
    ("ScenarioComparison.chart", "metrics"): TEXTS,
    ("ModelComparison.chart", "along"): FEATURE,
    ("ModelComparison.chart", "metrics"): TEXTS,
    ("compare", "names"): TEXTS,
    ("TargetPopulation.path", "amounts"): NUMBER_LIST,
    ("Scenario.__init__", "name"): TEXT,
    ("Scenario.__init__", "taus"): MAPPING,
    ("save", "views"): TEXTS,
    ("save", "rows"): COUNT_OR_WORD,
    ("report", "row"): COUNT,
    ("to_code", "feature"): TEXTS,
    ("to_code", "metric"): TEXT,
    ("to_code", "row"): COUNT_OR_MAPPING,
    ("to_code", "rows"): TEXTS,
}


def checks_arguments(cls: _Class) -> _Class:
    """Have every public method of a class look at its arguments before anything is computed.

    Parameters
    ----------
    cls : type
        Its own methods are replaced; inherited ones stay as they are.

    Returns
    -------
    type
        The same class.
    """
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, FunctionType):
            setattr(cls, name, _checked(member))
        elif isinstance(member, classmethod):
            setattr(cls, name, classmethod(_checked(cast("classmethod[Any, ..., Any]", member).__func__)))
    return cls


def checks_call(function: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """Have a function look at its arguments before anything is computed."""
    return _checked(function)


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    names, defaults = _names_and_defaults(function)
    holders = function.__qualname__, getattr(handed_on_by(function), "__name__", None)
    own = {name: kind for (holder, name), kind in KINDS_IN.items() if holder in holders}
    kinds = {name: kind for name, kind in {**KINDS, **own}.items() if kind is not None}

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        for name, value in (*zip(names, args, strict=False), *options.items()):
            if name in kinds and not (value is None and defaults.get(name) is None):
                kinds[name].check(name, value)
        return function(*args, **options)

    return checked


def _names_and_defaults(function: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the names of positional parameters and the defaults of all.

    An option handed on by ** has no default of its own here: None where its TypedDict allows None.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    required = dict.fromkeys(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], ...)
    positional = function.__defaults__ or ()
    of_positional = dict(zip(names[len(names) - len(positional) :], positional, strict=True))
    options = handed_on_by(function)
    hints = get_type_hints(options) if options else {}
    handed_on = {name: None if type(None) in get_args(hint) else ... for name, hint in hints.items()}
    return names, {**handed_on, **required, **of_positional, **(function.__kwdefaults__ or {})}


def handed_on_by(function: Any) -> Any:
    """Return the TypedDict of the options that a function takes by **; None where there is none."""
    code = function.__code__
    if not code.co_flags & CO_VARKEYWORDS:
        return None
    place = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & CO_VARARGS)
    unpacked = function.__annotations__.get(code.co_varnames[place])
    if isinstance(unpacked, str):
        options = function.__globals__.get(unpacked.removeprefix("Unpack[").removesuffix("]"))
    else:
        options = next(iter(get_args(unpacked)), None)
    return options if is_typeddict(options) else None
