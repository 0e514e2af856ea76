"""The verb `table`: the study's rows as they are, beside what the model said of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tauscope.data.sparse import are_sparse, check_dense
from tauscope.results.workspace.table import RowTable
from tauscope.study.columns import column_positions

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def table(self: StudyBase, features: Sequence[str | int] | None = None) -> RowTable:
    """Show the rows in their own units, to search, sort, filter and choose from.

    Parameters
    ----------
    features : names or positions, optional
        Which columns, in this order; by default all.

    Returns
    -------
    RowTable
        `.frame`, `.widget()`; with prediction, truth, score and weight. The model is not asked.

    Raises
    ------
    UnknownName
        For a column that is not there.
    InputError, InputTypeError
        For no column, one named twice, and all columns of a sparse matrix.

    Examples
    --------
    >>> table = study.table(["mean radius", "mean texture"])
    >>> len(table.frame), table.widget(filter="errors", sort="score").sort
    (284, 'score')
    """
    columns = self._columns
    if features is None and are_sparse(columns):
        check_dense(columns, "A table of all columns takes")
    places = None if features is None else column_positions(self, features, "table")
    chosen = tuple(columns) if places is None else tuple(columns[place] for place in places)
    return RowTable._of(
        chosen,
        self._outcomes,
        weight=self.sample_weight,
        n_rows=self.n_rows,
        n_features=len(self.feature_names),
        model_name=self._model_name,
        source=self._as_source(),
    )
