"""Some of a study's rows: a subgroup, or a sample drawn from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import validation
from tauscope.data.columns import Column
from tauscope.data.frames import read_table, read_vector, take_rows
from tauscope.data.sparse import SparseColumns, are_sparse
from tauscope.errors import InputError, InputTypeError
from tauscope.model.prediction import Prediction
from tauscope.rows.inputs import Inputs


def which_rows(X: Any, rows: Any, n_rows: int) -> NDArray[np.int64]:
    """Read a choice of rows.

    Parameters
    ----------
    X : DataFrame, ndarray or sparse matrix
        The study's rows as given.
    rows : column of bool of shape (n_rows,), or callable
        True for the rows to keep; a callable is asked for that with `X`.
    n_rows : int

    Returns
    -------
    ndarray of shape (n_kept,)
        Positions, ascending.

    Raises
    ------
    InputError
        For another length or order, or where no row is kept.
    InputTypeError
        For anything but bools.
    """
    mask = rows(X) if callable(rows) else rows
    array = read_vector(mask, "mask")
    validation.check_length("mask", array, n_rows)
    validation.check_one_dimension("mask", array)
    validation.check_order(X, "mask", mask)
    if array.dtype.kind != "b":
        raise InputTypeError(
            f"A subgroup is chosen by one bool per row; got {array.dtype}. Try study.where(X['sex'] == 'Female')."
        )
    selected = np.flatnonzero(array)
    if not selected.size:
        raise InputError(f"A subgroup needs at least one row; the mask keeps none of {n_rows:,}.")
    return selected


def take_inputs(inputs: Inputs, rows: NDArray[np.int64]) -> Inputs:
    """Return the rows and what belongs to them, weights scaled to mean 1 again.

    Raises
    ------
    InputError
        When all of their weights are zero.
    """
    weight = None if inputs.sample_weight is None else inputs.sample_weight[rows]
    if weight is not None:
        if not weight.any():
            raise InputError("A subgroup needs a row with weight; the weights of all its rows are 0.")
        weight = weight / weight.mean()
    columns = inputs.columns
    if are_sparse(columns):
        table = columns.table.take(rows)
        return Inputs(table, SparseColumns(table, columns.names), None, weight, inputs.target_name)
    return Inputs(
        table=read_table(take_rows(inputs.table.native, rows)),
        columns=tuple(_take_column(column, rows) for column in columns),
        y=None,
        sample_weight=weight,
        target_name=inputs.target_name,
    )


def take_prediction(prediction: Prediction, rows: NDArray[np.int64]) -> Prediction:
    """Return the answers for the rows."""
    score, scores = prediction.score, prediction.scores
    return Prediction(
        prediction.predicted[rows],
        None if score is None else score[rows],
        None if scores is None else scores[rows],
    )


def _take_column(column: Column, rows: NDArray[np.int64]) -> Column:
    if column.codes is not None:
        codes = column.codes[rows]
        return replace(column, codes=codes, n_missing=int(np.count_nonzero(codes < 0)))
    assert column.numbers is not None
    numbers = column.numbers[rows]
    missing = np.isnan(numbers)
    observed = numbers[~missing]
    lower, upper = (float(observed.min()), float(observed.max())) if observed.size else (np.nan, np.nan)
    return replace(column, numbers=numbers, lower=lower, upper=upper, n_missing=int(missing.sum()))
