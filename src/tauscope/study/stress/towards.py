"""The verb `towards`: a study's rows weighted to the margins of another sample, and what the model does there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.features import default_features, features_by_name
from tauscope.errors import InputError
from tauscope.results.reliability import degrees_of_freedom
from tauscope.results.stress.joint_answer import count_rows, metric_estimates, support_of
from tauscope.results.stress.observed import Observed, difference_table, observed_metrics
from tauscope.results.stress.other_population import Target, margin_table
from tauscope.results.stress.reweight_tables import metric_table
from tauscope.results.stress.towards import TargetPopulation
from tauscope.stress.distances import mean_and_deviation
from tauscope.stress.joint.estimates import metric_values, regress_metrics, regressed_estimates
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.towards.approach import approach
from tauscope.stress.towards.difference import observe
from tauscope.stress.towards.margins import Margins, Values, measure_margins
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import check_own, select_metrics
from tauscope.study.stress.new_sample import (
    MomentName,
    NewSample,
    check_rows_given,
    choose_margins,
    find_missing_unsaid,
    read_margins,
    read_new_sample,
    sample_margins,
)
from tauscope.study.stress.novelty import find_novelty
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import pareto_khat

if TYPE_CHECKING:
    from tauscope.data.columns import Column
    from tauscope.stress.outcomes import Outcomes
    from tauscope.study.base import StudyBase

_PRESENT: WeakKeyDictionary[StudyBase, WeakKeyDictionary[Margins, Margins]] = WeakKeyDictionary()


def towards(
    self: StudyBase,
    X: Any,
    y: Any = None,
    *,
    features: Any = None,
    moments: Sequence[MomentName] = ("mean",),
    amount: float = 1.0,
    price: float | None = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
) -> TargetPopulation:
    """Weight the rows so that they have the means and shares of another sample, and estimate every metric there.

    Which error rate is to be expected on next year's applicants, in another hospital, in the population of the census:
    the smallest reweighting of the rows whose margins are those, and what the model does under it. Only the margins
    are carried over; where the label depends on the features in another way there, or the samples differ in what no
    margin says, the estimate cannot know.

    Parameters
    ----------
    X : DataFrame or array of shape (n_new_rows, n_columns), mapping or Series
        Another sample; a frame may lack some of the study's columns and have others. Or a table of margins, known
        without error: ``{"age": 45.2, "sex": {"Female": 0.52, "Male": 0.48}}``, or a Series by name. Where rows lack a
        value of a column, ``"age = missing": 0.1`` says how many shall; left out, their share goes where the mean of
        the others takes it.
    y : column of shape (n_new_rows,), optional
        Labels of the new rows: then the model is asked about these, and `metrics` has what is observed beside what
        was expected, and the difference with its interval.
    features : name, position, or several of them, optional
        Whose margins are carried over; by default all that can be moved. For a table those in it.
    moments : sequence of {"mean", "variance", "covariance"}, default ("mean",)
        "mean": means, and shares of levels and of missing values. "variance" and "covariance" are of numbers, each,
        and each two; a table of margins has means and shares alone.
    amount : float, default 1
        In [0, 1], how much of the way is gone: 0 is the study as it is.
    price : float, optional
        Positive, nats. By default the margins are met exactly where that is possible; where it is not, and where a
        price is given, the weights minimise KL + (price / 2) Σ z², z being how far a margin is missed in standard
        deviations. By default it is then 10: to miss a margin by a tenth of a standard deviation costs .05 nats.
    sample_weight : column of shape (n_new_rows,), optional
        Of the new rows, zero or more.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    metrics : str, or several, optional
        Names such as "error_rate", "f1", "log_loss". By default those of the task.

    Returns
    -------
    TargetPopulation
        `.metrics` before and there, `.margins` asked for and reached, `.balance` of every feature, `.unlike`: what of
        the new sample no row here is like.

    Raises
    ------
    UnknownName
        For a feature, level or moment that is not there, with the nearest names.
    InputError, InputTypeError
        For rows or margins that cannot be read, labels of a study without a model, or nothing that can be moved.

    Notes
    -----
    λ_i ∝ exp⟨ξ, Φ_i⟩, as in `reweight`. The intervals count the rows of both samples: those here by the influence of
    each on the metric, those of the new sample by the covariance of its margins. With labels, the interval of expected
    less observed counts besides that both rest on the same new rows: what these happen to be moves the margins, and so
    what is expected, together with what is observed.

    References
    ----------
    Hainmueller, "Entropy balancing for causal effects", Political Analysis 20, 2012.
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorem 2.1 and Corollary 2.1.

    Examples
    --------
    >>> there = study.towards(X_test[X_test["mean radius"] > 13], features=["mean radius", "mean texture"])
    >>> there.margins["status"].tolist()
    ['reached', 'reached']
    >>> there.metrics.columns.tolist()[:4]
    ['metric', 'before', 'value', 'lower']
    """
    check_rows_given(self)
    check_fraction("confidence", confidence, 1.0)
    selection = select_metrics(self, metrics)
    check_own(selection, "Another population")
    target = find_target(
        self,
        X,
        features=features,
        moments=moments,
        sample_weight=sample_weight,
        labels=None
        if y is None
        else NewLabels(lambda: self.outcomes_of(X, y), self.has_model, selection.builtin, float(confidence)),
    )
    return reweight_towards(self, target, amount=amount, price=price, confidence=confidence, metrics=metrics)


class NewLabels(NamedTuple):
    """Labels of new rows, and what is observed by them.

    Attributes
    ----------
    outcomes : callable
        Asks the model about the new rows.
    has_model : bool
    metrics : names, or None for the task's own
    confidence : float
    """

    outcomes: Callable[[], Outcomes]
    has_model: bool
    metrics: Sequence[str] | None
    confidence: float


def find_target(
    study: StudyBase,
    X: Any,
    *,
    features: Any,
    moments: Sequence[MomentName],
    sample_weight: Any,
    labels: NewLabels | None,
    rows: Callable[[], Any] | None = None,
) -> Target:
    """Read what another sample, or a table of margins, says of a population.

    Parameters
    ----------
    study : StudyBase
        Of which nothing but the columns is asked.
    X, features, moments, sample_weight
        As in `towards`.
    labels : NewLabels or None
        None where the new rows have none.
    rows : callable, optional
        Gives rows of the study in which those like the new ones are sought; by default all.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `towards`.
    """
    if isinstance(X, Mapping) or (isinstance(X, pd.Series) and X.index.inferred_type == "string"):
        more = None if tuple(moments) == ("mean",) else moments
        check_table_alone(y=labels, sample_weight=sample_weight, features=features, moments=more)
        table = read_margins(study, cast(Mapping[Any, Any], X))
        return target_of_table(table, find_missing_unsaid(study, table))
    new = read_new_sample(study, X, sample_weight)
    which, left_out = choose_margins(study, new, features, moments)
    margins = sample_margins(study, new, which)
    observed: dict[str, Observed] | None = None
    if labels is not None:
        check_labels_answerable(new, has_model=labels.has_model)
        observed = observe_new(labels.outcomes(), new, margins, study.columns, labels.metrics, labels.confidence)
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


def reweight_towards(
    self: StudyBase,
    target: Target,
    *,
    amount: float,
    price: float | None = None,
    confidence: float,
    metrics: str | Sequence[str] | None,
) -> TargetPopulation:
    """Weight the rows towards a population that is known already; see `towards`."""
    check_way(amount, price)
    features = features_by_name(self.columns)

    def values(name: str) -> NDArray[np.float64]:
        return features[name].values()

    solution = approach(
        target.margins,
        values,
        self.n_rows,
        amount=float(amount),
        price=None if price is None else float(price),
        sample_weight=self.sample_weight,
        present=None if amount == 1 else _present_margins(self, target.margins, values),
    )
    solution.weights.flags.writeable = False
    pareto_k = pareto_khat(solution.weights, self.sample_weight)
    names = select_metrics(self, metrics).builtin
    collected, every = define_quantities(self.outcomes, names=names or ())
    chosen = choose(every, names)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    moments, n_rows = solution.moments, count_rows(solution.weights, self.sample_weight)
    regressed = regress_metrics(
        collected,
        chosen,
        moments.phi,
        moments.target,
        solution.weights,
        unstressed=moments.unstressed,
        penalty=moments.penalty,
    )
    estimates = regressed_estimates(regressed, moments.phi, moments.target, moments.target_covariance)
    support = support_of(moments.n_beyond, moments.in_doubt, pareto_k)
    there = metric_estimates(chosen, estimates, support, float(confidence), n_rows)
    return TargetPopulation(
        target=target,
        amount=float(amount),
        weights=solution.weights,
        before=self.sample_weight,
        n_rows=self.n_rows,
        features=default_features(self.columns, self.sample_weight)[0],
        price=solution.price,
        ess=solution.ess,
        degrees_of_freedom=degrees_of_freedom(solution.weights),
        kl=solution.kl,
        tv=solution.tv,
        pareto_k=pareto_k,
        carriers=few_carriers(solution.weights, self.sample_weight),
        iterations=solution.iterations,
        status=solution.status,
        metric_definitions=tuple(metric.in_words() for metric in chosen),
        confidence=float(confidence),
        model_name=self.model_name,
        _margins=margin_table(target.margins, solution),
        _metrics=metric_table(chosen, metric_values(collected, chosen, base), there),
        _differences=None
        if target.observed is None
        else difference_table(
            chosen,
            estimates,
            there,
            target.observed,
            regressed.regression,
            solution.follow,
            confidence=float(confidence),
            n_rows=n_rows,
        ),
        source=self.as_source(),
    )


def check_way(amount: float, price: float | None) -> None:
    """Ask for an amount and a price in their ranges."""
    if not 0 <= amount <= 1:
        raise InputError(f"amount must lie between 0 and 1; got {amount:g}. 1 is all of the way.")
    if price is not None and not 0 < price < np.inf:
        raise InputError(f"price must be positive and finite; got {price:g}. Leave price=None to meet the margins.")


def _present_margins(study: StudyBase, margins: Margins, values: Values) -> Margins:
    """Return the margins of the rows with their covariance, measured once for all amounts of a way."""
    known = _PRESENT.setdefault(study, WeakKeyDictionary())
    if margins not in known:
        known[margins] = measure_margins(margins.which, values, study.n_rows, study.sample_weight)
    return known[margins]


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
    for feature in default_features(study.columns, study.sample_weight)[0]:
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
    names: Sequence[str] | None,
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
    names : sequence of str, optional
        Of metrics; by default those of the task.
    confidence : float
    """
    collected, every = define_quantities(outcomes, names=names or ())
    metrics = choose(every, names)
    base = np.ones(new.n_rows) if new.sample_weight is None else new.sample_weight
    by_name = features_by_name(columns)
    found = observe(collected, metrics, base, margins.which, lambda name: new.values(by_name[name]))
    return observed_metrics(
        metrics, found, pareto_k=pareto_khat(base), confidence=confidence, n_rows=int(np.count_nonzero(base))
    )
