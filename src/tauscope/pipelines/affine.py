# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Affine steps of a pipeline: what each makes of a point, and its matrix."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.trees.frames import as_fitted
from tauscope.trees.tree_model import UnreadableModel
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class AffineMap:
    """z = matrix · x + offset, computed as the steps compute it.

    Attributes
    ----------
    matrix : ndarray of shape (d, p)
    offset : ndarray of shape (d,)
    transform : callable
        Points (n, p) to what the model behind sees, (n, d), with missing values filled where a step fills them.
    """

    matrix: Floats
    offset: Floats
    transform: Callable[[Floats], Floats]

    @classmethod
    def identity(cls, p: int) -> "AffineMap":
        """Points as they are."""
        return cls(np.eye(p), np.zeros(p), _same)

    def then(self, step: "AffineMap") -> "AffineMap":
        """Let another map follow."""
        return AffineMap(
            step.matrix @ self.matrix,
            step.matrix @ self.offset + step.offset,
            lambda points: step.transform(self.transform(points)),
        )

    @property
    def is_identity(self) -> bool:
        """Whether points are left as they are."""
        return self.transform is _same


def read_affine(step: Any, p: int) -> AffineMap:
    """Read a fitted transformer of p columns as an affine map.

    Raises
    ------
    UnreadableModel
        For a transformer that is not affine, or not known to be.
    """
    name = type(step).__name__
    if step == "passthrough" or (name == "FunctionTransformer" and step.func is None):
        return AffineMap.identity(p)
    reader = READERS.get(name) if type(step).__module__.startswith("sklearn.") else None
    if type(step).__module__.startswith("sklearn.feature_selection"):
        reader = _selection
    if reader is None:
        raise UnreadableModel(f"{name} is no affine step known here")
    return reader(step, p)


def read_encoder(step: Any, held: Bools, rows_of: Callable[[Floats], Any] | None) -> AffineMap:
    """Read a ColumnTransformer whose columns that stay may be encoded in any way: they add constants of the point.

    Parameters
    ----------
    step : fitted ColumnTransformer
    held : ndarray of bool, shape (p,)
        Columns that stay.
    rows_of : callable or None
        Points to the rows the transformer takes; None: points as they are.
    """
    matrix, offset, parts = _parts(step, held)
    if rows_of is None:
        return AffineMap(matrix, offset, _assembled(parts, len(matrix)))
    return AffineMap(matrix, offset, lambda points: _dense(step.transform(rows_of(points))))


def read_levels_encoder(step: Any, p: int, rows_of: Callable[[Floats], Any]) -> AffineMap:
    """Read an encoder of levels that takes all p columns, none of which moves: what it returns is a constant.

    Parameters
    ----------
    step : fitted encoder
    p : int
    rows_of : callable
        Points to the rows it takes.
    """
    n = len(step.get_feature_names_out())
    return AffineMap(np.zeros((n, p)), np.zeros(n), lambda points: _dense(step.transform(rows_of(points))))


def _same(points: Floats) -> Floats:
    return points


def _map_of(step: Any, matrix: Floats, offset: Floats) -> AffineMap:
    if isinstance(step, str):
        return AffineMap(matrix, offset, _same)
    return AffineMap(matrix, offset, lambda points: _dense(step.transform(as_fitted(step, points))))


def _dense(rows: Any) -> Floats:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)


def _standard(step: Any, p: int) -> AffineMap:
    scale = np.ones(p) if step.scale_ is None else np.asarray(step.scale_)
    centre = np.zeros(p) if not step.with_mean or step.mean_ is None else np.asarray(step.mean_)
    return _map_of(step, np.diag(1 / scale), -centre / scale)


def _robust(step: Any, p: int) -> AffineMap:
    scale = np.ones(p) if step.scale_ is None else np.asarray(step.scale_)
    centre = np.zeros(p) if step.center_ is None else np.asarray(step.center_)
    return _map_of(step, np.diag(1 / scale), -centre / scale)


def _min_max(step: Any, p: int) -> AffineMap:
    if step.clip:
        raise UnreadableModel("MinMaxScaler clips, which is not affine")
    return _map_of(step, np.diag(step.scale_), np.asarray(step.min_, dtype=np.float64))


def _max_abs(step: Any, p: int) -> AffineMap:
    if getattr(step, "clip", False):
        raise UnreadableModel("MaxAbsScaler clips, which is not affine")
    return _map_of(step, np.diag(1 / np.asarray(step.scale_)), np.zeros(p))


def _pca(step: Any, p: int) -> AffineMap:
    matrix = np.asarray(step.components_, dtype=np.float64)
    if step.whiten:
        spread = np.sqrt(np.asarray(step.explained_variance_))
        matrix = matrix / np.maximum(spread, np.finfo(np.float64).eps)[:, None]
    return _map_of(step, matrix, -matrix @ np.asarray(step.mean_))


def _svd(step: Any, p: int) -> AffineMap:
    matrix = np.asarray(step.components_, dtype=np.float64)
    return _map_of(step, matrix, np.zeros(len(matrix)))


def _selection(step: Any, p: int) -> AffineMap:
    matrix = np.eye(p)[np.asarray(step.get_support(), dtype=np.bool_)]
    return _map_of(step, matrix, np.zeros(len(matrix)))


def _imputer(step: Any, p: int) -> AffineMap:
    # a missing value stays missing, so what fills it is a constant of the point
    if step.add_indicator or not (isinstance(step.missing_values, float) and np.isnan(step.missing_values)):
        raise UnreadableModel("SimpleImputer marks, or fills other values than NaN, which is not affine")
    kept = ~np.isnan(np.asarray(step.statistics_, dtype=np.float64))
    matrix = np.eye(p)[kept | bool(step.keep_empty_features)]
    return _map_of(step, matrix, np.zeros(len(matrix)))


def _columns(step: Any, p: int) -> AffineMap:
    return read_encoder(step, np.zeros(p, dtype=np.bool_), None)


def _parts(step: Any, held: Bools) -> tuple[Floats, Floats, list[tuple[slice, Ints, AffineMap]]]:
    """Read each part's map on its columns, in the order of the output: matrix, offset, parts."""
    n_out = max(part.stop for part in step.output_indices_.values())
    matrix, offset = np.zeros((n_out, len(held))), np.zeros(n_out)
    parts: list[tuple[slice, Ints, AffineMap]] = []
    for name, transformer, selection in step.transformers_:
        columns = _positions(step, selection, len(held))
        if (isinstance(transformer, str) and transformer == "drop") or len(columns) == 0:
            continue
        place = step.output_indices_[name]
        if held[columns].all():
            constant = np.zeros((place.stop - place.start, len(columns)))
            part = _map_of(transformer, constant, constant[:, 0])
        else:
            part = chained([transformer], len(columns))
        matrix[place, columns] = part.matrix
        offset[place] = part.offset
        parts.append((place, columns, part))
    return matrix, offset, parts


def _assembled(parts: list[tuple[slice, Ints, AffineMap]], n_out: int) -> Callable[[Floats], Floats]:
    def transform(points: Floats) -> Floats:
        out = np.empty((len(points), n_out))
        for place, columns, part in parts:
            out[:, place] = part.transform(points[:, columns])
        return out

    return transform


def _is_pipeline(transformer: Any) -> bool:
    return type(transformer).__name__ == "Pipeline"


def chained(steps: list[Any], p: int) -> AffineMap:
    """Read transformers that follow one another."""
    whole = AffineMap.identity(p)
    for step in steps:
        if step is not None:
            one = (
                chained([inner for _, inner in step.steps], len(whole.matrix))
                if _is_pipeline(step)
                else (read_affine(step, len(whole.matrix)))
            )
            whole = one if whole.is_identity else whole if one.is_identity else whole.then(one)
    return whole


def _positions(step: Any, selection: Any, p: int) -> Ints:
    if isinstance(selection, slice) and isinstance(selection.start or selection.stop, str):
        raise UnreadableModel("its columns are chosen by a range of names")
    if isinstance(selection, slice):
        return np.arange(p, dtype=np.int64)[selection]
    chosen = np.atleast_1d(np.asarray(selection))
    if chosen.dtype.kind in "UO":
        names = list(step.feature_names_in_)
        return np.array([names.index(name) for name in chosen], dtype=np.int64)
    if chosen.dtype.kind == "b":
        return np.flatnonzero(chosen)
    return chosen.astype(np.int64)


READERS: dict[str, Callable[[Any, int], AffineMap]] = {
    "StandardScaler": _standard,
    "RobustScaler": _robust,
    "MinMaxScaler": _min_max,
    "MaxAbsScaler": _max_abs,
    "PCA": _pca,
    "TruncatedSVD": _svd,
    "SimpleImputer": _imputer,
    "ColumnTransformer": _columns,
}
