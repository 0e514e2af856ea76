"""What of another sample no row of a study is like: values and levels beyond its rows, and combinations of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.features import expand
from tauscope.results.stress.other_population import Novelty
from tauscope.stress.towards.unlike import find_unlike

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase
    from tauscope.study.stress.towards.new_sample import NewSample

Array = NDArray[np.float64]


def find_novelty(study: StudyBase, new: NewSample, rows: StudyBase | None = None) -> Novelty:
    """Tell what of a new sample no row of the study is like, in the columns they share.

    Parameters
    ----------
    study : StudyBase
        Of which ranges and levels are asked.
    new : NewSample
    rows : StudyBase, optional
        Whose rows the new ones are looked up in; by default the study's.
    """
    here, there = _coordinates(study if rows is None else rows, new)
    return Novelty(_beyond(study, new), *find_unlike(here, there))


def _coordinates(study: StudyBase, new: NewSample) -> tuple[Array, Array]:
    """Place the rows of both where distances tell what is alike.

    A number counts in standard deviations, two levels as far apart as two numbers √2 of them; a row without a value
    lies at the mean, and one standard deviation from all that have one.
    """
    here: list[Array] = []
    there: list[Array] = []
    for column in study._columns:
        if column.name not in new.columns:
            continue
        for feature in expand([column]):
            own, other = feature.values(), new.values(feature)
            centre, spread = (0.0, 1.0) if feature.kind == "share" else _centre(own)
            if spread > 0:
                here.append(np.nan_to_num((own - centre) / spread))
                there.append(np.nan_to_num((other - centre) / spread))
        if column.codes is not None:  # a level that no row here has is as far from each that one has as they are
            here.append(np.zeros(study.n_rows))
            there.append(new.is_unseen(column).astype(np.float64))
    return np.stack(here, axis=1), np.stack(there, axis=1)


def _centre(values: Array) -> tuple[float, float]:
    observed = values[~np.isnan(values)]
    return (float(observed.mean()), float(observed.std())) if observed.size else (0.0, 0.0)


def _beyond(study: StudyBase, new: NewSample) -> pd.DataFrame:
    """Return what of each column lies beyond the rows here, the most first; columns `feature, below, above, unseen`."""
    rows: list[tuple[str | float, ...]] = []
    for own in study._columns:
        if own.name not in new.columns:
            continue
        values = new.columns[own.name].values
        none = np.zeros(new.n_rows, bool)
        below, above = (none, none) if values is None else (values < own.lower, values > own.upper)
        rows.append((own.name, *(new.share_of(each) for each in (below, above, new.is_unseen(own)))))
    frame = pd.DataFrame(rows, columns=["feature", "below", "above", "unseen"])
    order = np.argsort(-frame[["below", "above", "unseen"]].sum(axis=1).to_numpy(), kind="stable")
    return frame.iloc[order].reset_index(drop=True)
