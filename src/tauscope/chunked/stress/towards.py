"""The verb `towards` of chunks: rows beyond memory weighted to the margins of another population, by passes."""

# Rows are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd

from tauscope.chunked.needs_rows import check_new_rows
from tauscope.chunked.stress.outline_sample import sample_columns
from tauscope.chunked.stress.requests import check_requests, list_requests
from tauscope.data.features import default_features
from tauscope.results.stress.observed import difference_table
from tauscope.results.stress.other_population import BALANCE, Target, margin_table, sort_balance
from tauscope.results.stress.towards import TargetPopulation
from tauscope.rows.in_chunks import InChunks
from tauscope.rows.outputs import no_outcomes
from tauscope.rows.reading import as_frame
from tauscope.rows.schema import AlignedChunk, Schema, over_chunks
from tauscope.rows.score_steps import read_steps
from tauscope.stress.chunked.approach import ChunkedApproach, approach_chunked
from tauscope.stress.chunked.margins import measure_chunked_margins
from tauscope.stress.chunked.projection import Weighted
from tauscope.stress.metric_definitions import ranks
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.towards.margins import Margins
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.new_sample import MomentName
from tauscope.study.stress.populations import Population, measure
from tauscope.study.stress.towards import NewLabels, check_way, find_target

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.rows.passes import Passes


def towards(
    self: ChunkedBase,
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

    Parameters
    ----------
    X : DataFrame or array of shape (n_new_rows, n_columns), or mapping
        Another sample, which fits in memory; or a table of margins. As in `Study.towards`.
    y, features, moments, amount, price, sample_weight, confidence
        As in `Study.towards`.
    metrics : str or sequence of str, optional
        As in `stress_curves`.
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    TargetPopulation
        The numbers of `Study.towards` to 1e-9; its `weights` are None, and what needs one for each row says so. New
        rows that no row here is like are sought in a sample of 4,000 rows of these.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.towards`; for new rows that come in chunks themselves; and for margins at the edge of what the rows
        allow other than at the bounds of one, which needs the rows in memory.

    Notes
    -----
    A pass for each of Newton's three to ten steps on the dual, and some ten for ranges, margins, balance and metrics:
    the model is called at the last two, and once more where "roc_auc" or "average_precision" is asked for.
    """
    check_fraction("confidence", confidence, 1.0)
    check_way(amount, price)
    check_new_rows(X)
    with self._bars(progress):
        passes = self.passes()
        schema = self.schema(passes)
        names = _check_metrics(schema, metrics)
        outline = self.outline(passes)
        study = outline.as_study()
        target = find_target(
            study,
            X,
            features=features,
            moments=moments,
            sample_weight=sample_weight,
            labels=None
            if y is None
            else NewLabels(lambda: _answers(self, schema, X, y), self.has_model, names, float(confidence)),
            rows=lambda: sample_columns(passes, schema),
        )
        return _reweight(self, passes, target, float(amount), price, float(confidence), names)


def reweight_towards(
    self: ChunkedBase,
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
        passes = self.passes()
        names = _check_metrics(self.schema(passes), metrics)
        return _reweight(self, passes, target, float(amount), price, float(confidence), names)


def _check_metrics(schema: Schema, metrics: str | Sequence[str] | None) -> list[str] | None:
    names = list_requests(metrics)
    check_requests(no_outcomes(schema.outputs, labelled=schema.labelled, scored=True), names or ())
    return names


def _answers(study: ChunkedBase, schema: Schema, X: Any, y: Any) -> Outcomes:
    """Ask the model about new rows in memory, and read their labels, as the chunks' own are read."""
    options = replace(study.reader.options, target=None, sample_weight=None)
    rows = as_frame(X)
    if nw.dependencies.is_into_dataframe(rows):
        rows = nw.from_native(rows, eager_only=True).select(list(schema.feature_names)).to_native()
    chunk = replace(study.reader, options=options, names=schema.feature_names)((rows, y), "the new rows")
    assert chunk is not None
    return replace(AlignedChunk(chunk, schema).outcomes, in_chunks=False)


def _present_margins(study: ChunkedBase, passes: Passes, schema: Schema, margins: Margins, *, spread: bool) -> Margins:
    """Return the margins of the rows, with their covariance where it is needed; measured once for all of a way."""
    known = study.present_margins
    if (margins, spread) not in known:
        outline = study.outline(passes)
        total = over_chunks(passes, schema)
        known[margins, spread] = measure_chunked_margins(
            margins.which, outline.sums, outline.names, total, spread=spread
        )
    return known[margins, spread]


def _reweight(
    study: ChunkedBase,
    passes: Passes,
    target: Target,
    amount: float,
    price: float | None,
    confidence: float,
    names: list[str] | None,
) -> TargetPopulation:
    schema = replace(study.schema(passes), asked=tuple(names or ()))
    if ranks(no_outcomes(schema.outputs, labelled=schema.labelled, scored=True), schema.asked):
        schema = replace(schema, steps=read_steps(passes, schema.outputs, schema.model_name))
    total, outline = over_chunks(passes, schema), study.outline(passes)
    rows = outline.sums.rows
    features = default_features(outline.columns)[0]
    compared = [feature.name for feature in features if np.isfinite(target.means.get(feature.name, np.nan))]
    found = approach_chunked(
        target.margins,
        _present_margins(study, passes, schema, target.margins, spread=amount < 1),
        total,
        rows,
        amount=amount,
        price=None if price is None else float(price),
        features=compared,
        centres=outline.means(compared),
    )
    weighted = Weighted(found.tilt, found.unstressed, found.target_covariance, found.penalty)
    measured = measure(InChunks(passes, schema), Population("", weighted, found.n_beyond), confidence)
    sums, metrics = measured.sums, measured.metrics
    return TargetPopulation(
        target=target,
        amount=amount,
        weights=None,
        before=None,
        n_rows=schema.n_rows,
        features=features,
        price=found.price,
        ess=sums.rows.ess,
        degrees_of_freedom=sums.degrees_of_freedom,
        kl=found.kl,
        tv=sums.tv,
        pareto_k=measured.pareto_k,
        carriers=sums.carriers,
        iterations=found.iterations,
        status=found.status,
        metric_definitions=tuple(metric.in_words() for metric in metrics),
        confidence=confidence,
        model_name=study.model_name,
        _margins=margin_table(target.margins, found),
        _metrics=measured.table,
        _differences=None
        if target.observed is None
        else difference_table(
            metrics,
            measured.estimates,
            measured.there,
            target.observed,
            measured.regression,
            found.follow,
            confidence=confidence,
            n_rows=rows.n_counted,
        ),
        _balance=_balance(compared, target, found),
        bounds=measured.bounds,
        source=study.as_source(),
    )


def _balance(names: Sequence[str], target: Target, found: ChunkedApproach) -> pd.DataFrame:
    rows = _balance_rows(names, target, found)
    return sort_balance(pd.DataFrame(list(rows), columns=list(BALANCE)))


def _balance_rows(names: Sequence[str], target: Target, found: ChunkedApproach) -> Iterator[tuple[Any, ...]]:
    for name, (mean, sd, now, _) in zip(names, found.balance.tolist(), strict=True):
        there = target.means[name]
        if sd > 0:
            yield name, mean, now, there, (mean - there) / sd, (now - there) / sd
