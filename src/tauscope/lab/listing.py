"""What a notebook holds that the panel can open, or make a study from: names and sizes, and nothing computed.

Only types and shapes are looked at. A class is recognised only where its module is already imported, so that asking
imports neither pandas nor an engine.
"""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

JSON = "application/json"
STUDIES = {"tauscope.study.study": ("Study",)}
FRAMES = {"pandas": ("DataFrame",), "polars": ("DataFrame",), "scipy.sparse": ("sparray", "spmatrix")}
COLUMNS = {"pandas": ("Series",), "polars": ("Series",)}
MOST = 200
"""Most names of a kind, so that a notebook of thousands stays readable and quick."""


@dataclass(frozen=True)
class Listing:
    """What a namespace holds, as a message to the page.

    Attributes
    ----------
    module : str or None
        Name under which the package is known there: "ts".
    free : str
        A name for a new study that nothing else has.
    studies, models, frames, columns : tuple of dict
        Each with its `name` and what there is to say of it; see `list_names`.
    """

    module: str | None
    free: str
    studies: tuple[dict[str, Any], ...]
    models: tuple[dict[str, Any], ...]
    frames: tuple[dict[str, Any], ...]
    columns: tuple[dict[str, Any], ...]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        return {JSON: vars(self), "text/plain": f"{len(self.studies)} studies"}


def list_names(namespace: Mapping[str, Any]) -> Listing:
    """List the studies of a namespace, and the fitted models, frames and columns that make one.

    No method of a model is called, and nothing large is written as text. Names that begin with an underscore, as those
    of IPython's last outputs do, are left out; of several names for one object the first is listed.

    Parameters
    ----------
    namespace : mapping of str to object

    Returns
    -------
    Listing
        Studies with `key` (another for another object), `model`, `n_rows` and `n_columns`; models with `kind`, their
        class, and `n_columns`, None where not known; frames with `n_rows` and `n_columns`; columns with `n_rows`.
    """
    named = list(_public(namespace))
    return Listing(
        module=_name_of_package(named),
        free=_free_name(namespace),
        studies=tuple(_studies(named))[-MOST:],
        models=tuple(_models(named))[-MOST:],
        frames=tuple(_frames(named))[-MOST:],
        columns=tuple(_columns(named))[-MOST:],
    )


def _public(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield names and objects, each object once; a copy first, as threads may add names meanwhile."""
    seen: set[int] = set()
    for name, value in dict(namespace).items():
        if not name.startswith("_") and name not in ("In", "Out") and id(value) not in seen:
            seen.add(id(value))
            yield name, value


def _known(table: Mapping[str, tuple[str, ...]]) -> tuple[type, ...]:
    """Return the classes of a table whose modules are imported."""
    loaded = ((sys.modules.get(module), names) for module, names in table.items())
    return tuple(getattr(module, name) for module, names in loaded if module is not None for name in names)


def _name_of_package(named: list[tuple[str, Any]]) -> str | None:
    package = sys.modules.get("tauscope")
    return next((name for name, value in named if package is not None and value is package), None)


def _free_name(namespace: Mapping[str, Any]) -> str:
    name, n = "study", 1
    while name in namespace:
        n += 1
        name = f"study_{n}"
    return name


def _studies(named: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    known = _known(STUDIES)
    for name, value in named:
        if isinstance(value, known):
            n_columns = len(value._columns)
            yield {
                "name": name,
                "key": str(id(value)),
                "model": value._model_name,
                "n_rows": value.n_rows,
                "n_columns": n_columns,
            }


def _models(named: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    others = (type, *_known(STUDIES))
    for name, value in named:
        kind = _class_of(value)
        if not isinstance(value, others) and hasattr(kind, "predict") and _is_fitted(value):
            n_columns = None
            with suppress(Exception):
                n_columns = int(value.n_features_in_)
            yield {"name": name, "kind": kind.__name__, "n_columns": n_columns}


def _class_of(value: object) -> type:
    """Return what is asked in place of the object, which may compute when it is asked for an attribute."""
    return type(value)


def _is_fitted(value: object) -> bool:
    """Whether scikit-learn takes an estimator of its kind as fitted; others with `predict` are taken at their word."""
    if not isinstance(value, _known({"sklearn.base": ("BaseEstimator",)})):
        return True
    from sklearn.utils import validation

    try:
        validation.check_is_fitted(value)
    except Exception:  # of a class that is not what it inherits from
        return False
    return True


def _frames(named: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    for name, value in named:
        if isinstance(value, _known(FRAMES)) or _is_array(value, 2):
            n_rows, n_columns = value.shape
            yield {"name": name, "n_rows": int(n_rows), "n_columns": int(n_columns)}


def _columns(named: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    for name, value in named:
        if isinstance(value, _known(COLUMNS)) or _is_array(value, 1):
            yield {"name": name, "n_rows": int(value.shape[0])}


def _is_array(value: Any, n_dimensions: int) -> bool:
    return isinstance(value, _known({"numpy": ("ndarray",)})) and value.ndim == n_dimensions
