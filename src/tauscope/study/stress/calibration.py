"""The verb `calibration`: predicted probabilities against what was true, as tested and under a stress."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.data.groups import read_groups
from tauscope.errors import InputError, UnknownName
from tauscope.results.stress.by_group import UNMOVED
from tauscope.results.stress.calibration import FITTED, Calibration, CalibrationAsked, Strategy
from tauscope.results.stress.calibration_tables import MeasuredRows, Population, in_order
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.stress.calibration import BinnedRows, Bins
from tauscope.stress.joint.constraints import Constraint, Stress
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.stress.recalibration import count_extreme
from tauscope.study.stress.by_group import describe_group
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.quantities import reweighted_moments
from tauscope.study.stress.reweight import reweight
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]
STRATEGIES = ("quantile", "uniform")
MOST_BINS = 200


def calibration(
    self: StudyBase,
    stress: Constraint | Stress | Scenario | Reweighting | None = None,
    *,
    n_bins: int = 10,
    strategy: Strategy = "quantile",
    by: Any = None,
    target_class: Hashable | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
) -> Calibration:
    """Compare predicted probabilities with what was true: a reliability diagram, as tested and under a stress.

    Parameters
    ----------
    stress : Constraint, Stress, Scenario or Reweighting, optional
        As in `reweight`. By default nothing is moved.
    n_bins : int, default 10
        Bins of the probability, 1 to 200; fewer where probabilities are tied. The same in every population and group.
    strategy : {"quantile", "uniform"}, default "quantile"
        "quantile": as many rows as they are in each, whatever they weigh; "uniform": of one width. As in scikit-learn's
        `calibration_curve`.
    by : str, sequence of str, or column of shape (n_rows,), optional
        Groups, as in `metrics_by`: a curve and measures for each, and how far they are apart.
    target_class : label, optional
        The class whose probability it is, against all others. By default the positive of two; of more it is needed.
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).

    Returns
    -------
    Calibration
        `.frame` with a row per bin, `.summary` with the measures, `.changes`, `.gaps`, `.decomposition`, `.chart()`.

    Raises
    ------
    InputError
        For a regression, a study without y or without probabilities in [0, 1], several classes of which none is named,
        a number of bins that cannot be, and as `reweight`.
    InfeasibleTarget, DependentConstraints, UnknownName
        As `reweight`; and for a class or strategy that is not there.

    Notes
    -----
    The model is not asked again. Shares of a bin have the intervals of any rate in `reweight`; intercept and slope
    those of their maximum likelihood fit with a sandwich variance, which counts the weights and what the rows say of
    the target. The interval of the expected calibration error holds it at least as often as said, and reaches down to
    0 where chance alone would explain it: a plain one about the estimate would leave out 0 for every calibrated model.
    Intercept, slope and calibration in the large are metrics too, for `reweight` and along τ:
    ``study.stress_curves(metrics="calibration_slope")``.

    References
    ----------
    Cox, "Two further applications of a model for binary regression", Biometrika 45, 1958.
    Van Calster et al., "Calibration: the Achilles heel of predictive analytics", BMC Medicine 17, 2019.

    Examples
    --------
    >>> moved = study.calibration(ts.Mean("mean radius", shift=1), n_bins=5)
    >>> moved.changes["measure"].tolist()
    ['calibration_in_the_large', 'calibration_intercept', 'calibration_slope']
    """
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    check_bins(n_bins, strategy)
    outcomes, code = _of_class(self, target_class)
    score, truth = cast(Array, outcomes.score), cast(NDArray[np.integer], outcomes.truth)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    counted = score[base > 0]
    bins = Bins.uniform(n_bins) if strategy == "uniform" else Bins.quantile(counted, n_bins)
    populations = [Population(UNMOVED, Moments.none(self.n_rows), base)]
    moved = None if stress is None else _moved(self, stress, quantile)
    if moved is not None:
        weights = moved.row_weights("calibration under it")
        populations.append(Population(moved.population, reweighted_moments(self, moved), weights))
    groups = None if by is None else read_groups(by, self.columns, self.X, self.n_rows)
    parts = [("", None)] if groups is None else [(label, groups.codes == k) for k, label in enumerate(groups.labels)]
    quantities, every = define_quantities(outcomes, names=FITTED)
    measured = MeasuredRows(
        BinnedRows(bins, score, truth), quantities, choose(every, FITTED), base, parts, float(confidence)
    )
    here = populations[-1]
    tables = [measured.tables(population) for population in populations]
    return Calibration(
        target_class=outcomes.class_names[1],
        edges=bins.edges,
        strategy=strategy,
        grouped_by="" if groups is None else groups.name,
        groups=tuple(describe_group(label, rows, here.weights, base) for label, rows in parts if rows is not None),
        populations=tuple(each.name for each in populations),
        reweighting=moved,
        ess=effective_size(here.weights),
        n_extreme=count_extreme(counted),
        confidence=float(confidence),
        n_rows=self.n_rows,
        model_name=self.model_name,
        _frame=in_order([each.frame for each in tables]),
        _summary=in_order([each.summary for each in tables]),
        _changes=measured.changes(populations),
        _gaps=tables[-1].gaps,
        _decomposition=in_order([measured.decomposition(each) for each in populations]),
        _scores=in_order([measured.histogram(each) for each in populations]),
        _asked=CalibrationAsked(
            int(n_bins), code, None if groups is None else groups.codes.astype(np.int32), float(quantile)
        ),
        source=self.as_source(),
    )


def _moved(study: StudyBase, stress: Constraint | Stress | Scenario | Reweighting, quantile: float) -> Reweighting:
    found = stress if isinstance(stress, Reweighting) else reweight(study, stress, quantile=quantile)
    found.check_usable(study.n_rows)
    return found


def check_bins(n_bins: int, strategy: str) -> None:
    """Refuse a number of bins that cannot be, and an unknown way to cut them."""
    if not 1 <= n_bins <= MOST_BINS:
        raise InputError(f"n_bins must be 1 to {MOST_BINS}; got {n_bins}.")
    if strategy not in STRATEGIES:
        raise UnknownName.among("strategy", strategy, list(STRATEGIES))


def check_judged(task: Task, *, labelled: bool, scored: bool) -> None:
    """Refuse what has no probabilities of classes, or no truth."""
    if task == "regression":
        raise InputError(
            "Calibration is of probabilities of a class, and this study is of a regression. Ask for its bias: "
            'reweight(…, metrics="bias").'
        )
    if not labelled:
        raise InputError("Calibration compares with true labels, and this study has none. Give y: Study(model, X, y).")
    if not scored:
        raise InputError(
            "Calibration is of probabilities, and this study has none. Give a model with predict_proba, or "
            "Study.from_predictions(…, y_score=…)."
        )


def check_probabilities(low: float, high: float) -> None:
    """Refuse scores that go from `low` to `high`, where these are no probabilities."""
    if low < 0 or high > 1:
        raise InputError(
            f"Calibration is of probabilities in [0, 1]; these scores go from {low:.3g} to {high:.3g}. Use a model "
            "with predict_proba, as scikit-learn's CalibratedClassifierCV makes one."
        )


def score_of_class(outcomes: Outcomes, code: int) -> tuple[Array, NDArray[np.intp]]:
    """Return the probability of a class and whether it is true (1, else 0), one per row."""
    assert outcomes.truth is not None
    true = (outcomes.truth == code).astype(np.intp)
    if outcomes.task == "multiclass":
        assert outcomes.scores is not None
        return outcomes.scores[:, code], true
    assert outcomes.score is not None
    return (outcomes.score if code == 1 else 1 - outcomes.score), true


def name_class(classes: Sequence[Hashable], code: int) -> str:
    """Return what a class is called."""
    return labels.names(classes)[code]


def class_code(task: Task, classes: Sequence[Hashable], target_class: Hashable | None) -> int:
    """Return the place of a class among others, by default that of the positive of two.

    Raises
    ------
    UnknownName
        For a class that is not there.
    InputError
        For several classes of which none is named.
    """
    if target_class is None:
        if task == "binary":
            return 1
        raise InputError(
            f"Calibration of several classes is of one against the others. Name it: target_class={classes[0]!r}."
        )
    label = labels.plain(target_class)
    if label not in classes:
        raise UnknownName.among("class", label, [str(name) for name in classes])
    return list(classes).index(label)


def _of_class(study: StudyBase, target_class: Hashable | None) -> tuple[Outcomes, int]:
    """Return the outcomes of one class against the others, and its code."""
    scores = study.score if study.task == "binary" else study.scores
    check_judged(study.task, labelled=study.truth is not None, scored=scores is not None)
    assert scores is not None
    check_probabilities(float(scores.min()), float(scores.max()))
    code = class_code(study.task, study.classes, target_class)
    score, true = score_of_class(study.outcomes, code)
    names = labels.names(study.classes)
    others = next(name for k, name in enumerate(names) if k != code) if len(names) == 2 else f"not {names[code]}"
    chosen = (study.predicted == code).astype(np.intp)
    return Outcomes("binary", chosen, true, score, (others, names[code])), code
