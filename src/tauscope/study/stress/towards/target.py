"""What another sample, or a table of margins, says of the population that a study is weighted to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.features import default_features, expand, features_by_name
from tauscope.errors import InputError
from tauscope.results.stress.numbers.observed import Observed, observed_metrics
from tauscope.results.stress.other_population import Novelty, Target
from tauscope.stress.distances import mean_and_deviation
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.towards.difference import observe
from tauscope.stress.towards.margins import Margins
from tauscope.stress.towards.unlike import find_unlike
from tauscope.study.stress.towards.new_sample import (
    MomentName,
    NewSample,
    choose_margins,
    find_missing_unsaid,
    read_margins,
    read_new_sample,
    sample_margins,
)
from tauscope.weights.concentration import pareto_khat

if TYPE_CHECKING:
    from tauscope.data.columns import Column
    from tauscope.data.features import Feature
    from tauscope.stress.outcomes import Outcomes
    from tauscope.stress.sums.projection import Weighted
    from tauscope.stress.towards.approach import Approached
    from tauscope.study.base import StudyBase
    from tauscope.weights.arrays import Floats


class NewRows(NamedTuple):
    """Another sample as a person gives it.

    Attributes
    ----------
    X, y, sample_weight
    features
    moments : sequence of {"mean", "variance", "covariance"}
        As in `Study.towards`.
    metrics : names
        Of what is observed by labels; none for the task's own.
    confidence : float
    """

    X: Any
    y: Any
    sample_weight: Any
    features: Any
    moments: Sequence[MomentName]
    metrics: Sequence[str]
    confidence: float


class Way(NamedTuple):
    """What brings the rows of a study to a population, or towards it.

    Attributes
    ----------
    found : Approached
    weighted : Weighted
    n_beyond : float
        As in `tauscope.stress.joint.terms.Moments`.
    moved_share : float
        As in `tauscope.study.stress.populations.Population`.
    features : tuple of Feature
        Those compared.
    weights : ndarray of shape (n_rows,) or None
        Of mean 1, where rows are in memory.
    balance : DataFrame or None
        As in `TargetPopulation.balance`, where it does not follow from the weights.
    """

    found: Approached
    weighted: Weighted
    n_beyond: float
    moved_share: float
    features: tuple[Feature, ...]
    weights: Floats | None
    balance: pd.DataFrame | None


def find_target(
    study: StudyBase,
    given: NewRows,
    outcomes: Callable[[], Outcomes],
    *,
    has_model: bool,
    rows: Callable[[], Any] | None = None,
) -> Target:
    """Read what another sample, or a table of margins, says of a population.

    Parameters
    ----------
    study : StudyBase
        Of which nothing but the columns is asked.
    given : NewRows
    outcomes : callable
        Asks the model about them.
    has_model : bool
        Whether there is one.
    rows : callable, optional
        Gives rows of the study in which those like the new ones are sought; by default all.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `towards`.
    """
    X = given.X
    if isinstance(X, Mapping) or (isinstance(X, pd.Series) and X.index.inferred_type == "string"):
        more = None if tuple(given.moments) == ("mean",) else given.moments
        check_table_alone(y=given.y, sample_weight=given.sample_weight, features=given.features, moments=more)
        table = read_margins(study, cast(Mapping[Any, Any], X))
        return target_of_table(table, find_missing_unsaid(study, table))
    new = read_new_sample(study, X, given.sample_weight)
    which, left_out = choose_margins(study, new, given.features, given.moments)
    margins = sample_margins(study, new, which)
    observed: dict[str, Observed] | None = None
    if given.y is not None:
        check_labels_answerable(new, has_model=has_model)
        observed = observe_new(outcomes(), new, margins, study._columns, given.metrics, given.confidence)
    return Target(
        margins=margins,
        n_rows=new.n_rows,
        means=means_of(study, new),
        left_out=left_out,
        missing=new.missing,
        novelty=find_novelty(study, new) if rows is None else find_novelty(study, new, rows()),
        observed=observed,
        weighted=new.sample_weight is not None,
    )


def check_table_alone(**given: object) -> None:
    """Refuse what is said of new rows where there are none."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"A table of margins has no {name}; it says itself what is known. Give the rows for it.")


def target_of_table(margins: Margins, left_out: tuple[tuple[str, str], ...]) -> Target:
    """Return a population of which margins are known, and nothing else."""
    means = {margin.features[0]: float(mean) for margin, mean in zip(margins.which, margins.wanted, strict=True)}
    return Target(margins, 0, means, left_out, (), None, None)


def means_of(study: StudyBase, new: NewSample) -> dict[str, float]:
    """Return the mean of every feature in a new sample that has it, NaN where it has no value."""
    out: dict[str, float] = {}
    for feature in default_features(study._columns, study.sample_weight)[0]:
        if feature.column in new.columns:
            out[feature.name] = mean_and_deviation(new.values(feature), new.sample_weight)[0]
    return out


def check_labels_answerable(new: NewSample, *, has_model: bool) -> None:
    """Refuse labels of new rows that the model cannot be asked about."""
    if not has_model:
        raise InputError(
            "What is observed on new rows needs the model's answers for them, and this study has no model. Leave y out."
        )
    if new.missing:
        raise InputError(
            f"What is observed on new rows needs the model's answers for them; they lack {list(new.missing)[:5]}. Give "
            "all columns, or leave y out."
        )


def observe_new(
    outcomes: Outcomes,
    new: NewSample,
    margins: Margins,
    columns: Sequence[Column],
    names: Sequence[str],
    confidence: float,
) -> dict[str, Observed]:
    """Compare what the model answered for the new rows with their labels.

    Parameters
    ----------
    outcomes : Outcomes
        Of the new rows.
    new : NewSample
    margins : Margins
        Of them.
    columns : sequence of Column
        Of the study.
    names : sequence of str
        Of metrics; none for those of the task.
    confidence : float
    """
    collected, every = define_quantities(outcomes, names=names)
    metrics = choose(every, names or None)
    base = np.ones(new.n_rows) if new.sample_weight is None else new.sample_weight
    by_name = features_by_name(columns)
    found = observe(collected, metrics, base, margins.which, lambda name: new.values(by_name[name]))
    return observed_metrics(
        metrics, found, pareto_k=pareto_khat(base), confidence=confidence, n_rows=int(np.count_nonzero(base))
    )


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
