"""The verb `towards`: a study's rows weighted to the margins of another sample, and what the model does there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import default_features, features_by_name
from tauscope.data.sparse import are_sparse, check_dense
from tauscope.errors import InputError
from tauscope.results.stress.numbers.observed import difference_table
from tauscope.results.stress.other_population import Target, margin_table
from tauscope.results.stress.towards import TargetPopulation
from tauscope.stress.joint.terms import moved_share
from tauscope.stress.sums.groups import weighted_rows
from tauscope.stress.towards.approach import approach
from tauscope.stress.towards.margins import Margins, Values, measure_margins
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import select_own
from tauscope.study.stress.populations import Population, measure
from tauscope.study.stress.towards.new_sample import MomentName
from tauscope.study.stress.towards.target import NewRows, Way, find_target

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.study.base import StudyBase
    from tauscope.study.verbs import Asked

Array = NDArray[np.float64]
WHAT = "Another population"
_PRESENT: WeakKeyDictionary[StudyBase, WeakKeyDictionary[Margins, Margins]] = WeakKeyDictionary()


def towards(
    self: Asked,
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
    progress: bool = True,
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
        Names such as "error_rate", "f1", "log_loss". By default those of the task. In chunks "roc_auc" and
        "average_precision" are those of the score in steps; a note says how far they can be off.
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    TargetPopulation
        `.metrics` before and there, `.margins` asked for and reached, `.balance` of every feature, `.unlike`: what of
        the new sample no row here is like. Of rows in chunks `weights` are None, and what needs one for each row says
        so; the numbers are the same to 1e-9, and rows like the new ones are sought in a sample of 4,000.

    Raises
    ------
    UnknownName
        For a feature, level or moment that is not there, with the nearest names.
    InputError, InputTypeError
        For rows or margins that cannot be read, labels of a study without a model, or nothing that can be moved; in
        chunks also for margins at the edge of what the rows allow other than at the bounds of one.

    Notes
    -----
    λ_i ∝ exp⟨ξ, Φ_i⟩, as in `reweight`. The intervals count the rows of both samples: those here by the influence of
    each on the metric, those of the new sample by the covariance of its margins. With labels, the interval of expected
    less observed counts besides that both rest on the same new rows: what these happen to be moves the margins, and so
    what is expected, together with what is observed.

    In chunks a pass for each of Newton's three to ten steps on the dual, and some ten for ranges, margins, balance and
    metrics, and one more for the steps of the score.

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
    check_fraction("confidence", confidence, 1.0)
    check_way(amount, price)
    self._check_new_rows(X)
    with self._bars(progress):
        rows = self._as_rows()
        rows = rows.asking(select_own(rows.summed, metrics, WHAT))
        given = NewRows(X, y, sample_weight, features, moments, rows.summed.asked, float(confidence))
        return _reweight(self, rows, self._read_target(given), amount, price, float(confidence))


def reweight_towards(
    self: Asked,
    target: Target,
    *,
    amount: float,
    price: float | None = None,
    confidence: float,
    metrics: str | Sequence[str] | None,
) -> TargetPopulation:
    """Weight the rows towards a population that is known already; see `towards`."""
    check_way(amount, price)
    with self._bars(True):
        rows = self._as_rows()
        rows = rows.asking(select_own(rows.summed, metrics, WHAT))
        return _reweight(self, rows, target, amount, price, float(confidence))


def _reweight(
    study: Asked, rows: Rows, target: Target, amount: float, price: float | None, confidence: float
) -> TargetPopulation:
    way = study._approach(target, float(amount), None if price is None else float(price))
    population = Population("", way.weighted, way.n_beyond, kl=way.found.kl, moved_share=way.moved_share)
    found, measured = way.found, measure(rows, population, confidence)
    sums, metrics = measured.sums, measured.metrics
    differences = None
    if target.observed is not None:
        differences = difference_table(
            metrics,
            measured.estimates,
            measured.there,
            target.observed,
            measured.regression,
            found.follow,
            confidence=confidence,
            n_rows=rows.summed.n_counted,
        )
    return TargetPopulation(
        target=target,
        amount=float(amount),
        weights=way.weights,
        before=None if rows.resident is None else rows.resident.weight,
        n_rows=rows.summed.n_rows,
        features=way.features,
        price=found.price,
        ess=sums.rows.ess,
        degrees_of_freedom=sums.degrees_of_freedom,
        kl=found.kl,
        tv=sums.tv,
        pareto_k=measured.pareto_k,
        carriers=sums.carriers,
        iterations=found.iterations,
        status=found.status,
        _metric_definitions=tuple(metric.in_words() for metric in metrics),
        confidence=confidence,
        model_name=study._model_name,
        _margins=margin_table(target.margins, found),
        _metrics=measured.table,
        _differences=differences,
        _balance=way.balance,
        bounds=measured.bounds,
        source=study._as_source(),
    )


def check_new_rows(self: StudyBase, X: Any) -> None:
    """Refuse another sample where these rows are a sparse matrix."""
    if are_sparse(self._columns):
        check_dense(self._columns, "Populations of other samples take")


def read_target(self: StudyBase, given: NewRows) -> Target:
    """Read what another sample says of a population, by the columns of rows in memory."""
    return find_target(self, given, lambda: self._outcomes_of(given.X, given.y), has_model=self._has_model)


def approach_rows(self: StudyBase, target: Target, amount: float, price: float | None) -> Way:
    """Weight rows in memory towards a population."""
    by_name = features_by_name(self._columns)

    def values(name: str) -> Array:
        return by_name[name].values()

    present = None if amount == 1 else _present_margins(self, target.margins, values)
    base = self.sample_weight
    found = approach(
        target.margins, values, self.n_rows, amount=amount, price=price, sample_weight=base, present=present
    )
    found.weights.flags.writeable = False
    moments = found.moments
    weighted = weighted_rows(moments, found.weights, base)
    features = default_features(self._columns, base)[0]
    return Way(found, weighted, moments.n_beyond, moved_share(moments.terms), features, found.weights, None)


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
