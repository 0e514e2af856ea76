"""The verb `worst_case` of chunks: the worst reweighting of any rows, where a metric adds up few different values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np

from tauscope.data.features import default_features
from tauscope.errors import InputError
from tauscope.results.stress.worst_case import Side, WorstCase
from tauscope.results.stress.worst_margins import MovedMean, table_of
from tauscope.results.stress.worst_rows import RowSums, estimate_from_sums
from tauscope.rows.outputs import no_outcomes
from tauscope.rows.schema import over_chunks
from tauscope.stress.metric_definitions import definitions, ranks
from tauscope.stress.sums.balance import balance_of
from tauscope.stress.sums.groups import NoTilt
from tauscope.stress.sums.margins import RowTotals
from tauscope.stress.sums.population import measure_population
from tauscope.stress.sums.worst import MOST_VALUES, FactorTilt, measure_worst, parts_of_values, sum_values
from tauscope.stress.worst.rows import edge_value, worst_of_parts
from tauscope.study.needs_rows import ANY, check_options
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import define_metrics, select_own
from tauscope.study.stress.worst_case import (
    HELD_OUT,
    ONE_METRIC,
    MeansOptions,
    check_defined,
    check_held_out,
    no_parts_error,
    read_limits,
    worse_of,
)
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.rows.outline import Outline
    from tauscope.study.base import StudyBase
    from tauscope.weights.arrays import Floats

SAMPLED = "Name features=[…] of a sample, sample().worst_case(…): of stresses of their means any metric's is found."
OF_ROWS = ("ratio", "mean", "root_mean")


def worst_case(
    self: ChunkedBase,
    metric: str,
    *,
    within: Mapping[str, Any] | None = None,
    worse: Side | None = None,
    confidence: float = 0.95,
    progress: bool = True,
    **options: Unpack[MeansOptions],
) -> WorstCase:
    """Find the reweighting of any rows within a distance that harms a metric most, and what it leans on.

    Parameters
    ----------
    metric : str
        Name of a rate, such as "error_rate", or of a mean of what rows add, such as "mean_absolute_error", that has at
        most 100,000 different values.
    within : mapping
        "tv": total variation in (0, 1], the share of the weight that changes hands; or "kl": Kullback-Leibler
        divergence, nats.
    worse, confidence
        As in `Study.worst_case`.
    progress : bool, default True
        Whether bars show after two seconds.
    **options
        Others of `Study.worst_case`: `reach` and `features` are refused, as the search over means would take hundreds
        of passes (search ``sample().worst_case(…)``, and ask ``reweight(worst.stress)`` of all rows); `held_out` and
        `random_state` change nothing where any rows may be reweighted.

    Returns
    -------
    WorstCase
        The numbers of `Study.worst_case` to 1e-9; its `weights` are None, and what needs one for each row says so.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.worst_case`; and for moves of means, and a mean of more different values.

    Notes
    -----
    All rows with one value weigh alike under the worst reweighting, so that the weight of each value is all it takes.
    Six passes.
    """
    check_options("worst_case", {**options}, dict.fromkeys(MeansOptions.__optional_keys__, (ANY, "")))
    reach, features, held_out = options.get("reach"), options.get("features"), float(options.get("held_out", HELD_OUT))
    check_fraction("confidence", confidence, 1.0)
    check_held_out(held_out)
    if not isinstance(cast(object, metric), str):
        raise InputError(ONE_METRIC)
    with self._bars(progress):
        passes = self._passes()
        schema = replace(self._schema(passes), asked=(metric,))
        outline = self._read_outline(passes)
        limits, reach = read_limits(cast("StudyBase", outline), within, reach, features)
        scored = no_outcomes(schema.outputs, labelled=schema.labelled, scored=True)
        select_own(schema, metric, "A worst case")
        if reach is not None or limits.moves or features is not None:
            raise InputError(
                "A worst case of means needs the rows in memory: each of hundreds of stresses tried would take a pass "
                "over them. Search a sample, worst = sample().worst_case(…), and ask for reweight(worst.stress)."
            )
        if ranks(scored, (metric,)):
            label = next(one.label for one in definitions(scored, (metric,)) if one.name == metric)
            raise no_parts_error(label, SAMPLED)
        total = over_chunks(passes, schema)
        rows = total(RowTotals.of, plus=RowTotals.__add__)
        present = measure_population(NoTilt(rows.total), rows.n_counted, schema.n_rows, total)
        (definition,) = define_metrics(schema, [metric], present.scores, present.rows)
        (before,) = present.rows.values_before([definition])
        check_defined(definition, before)
        side = worse_of(definition, worse, None, before)
        if definition.form not in OF_ROWS:
            raise no_parts_error(definition.label, SAMPLED)
        found = sum_values(definition, rows.total, total)
        if found.too_many:
            raise InputError(
                f"The worst rows of chunks are found by the weight of each value of what they add; the "
                f"{definition.label} adds more than {MOST_VALUES:,}. Use a sample: sample().worst_case(…)."
            )
        parts, distance = parts_of_values(definition, found), limits.distance
        assert distance is not None
        mass, squares = found.masses.T
        sign = 1.0 if side == "higher" else -1.0
        extreme = worst_of_parts(parts, mass, distance, sign)
        names, centres = _features(outline)
        tilt = FactorTilt(definition, found.values, extreme.factor, rows.total)
        weights, sums = measure_worst(tilt, names, centres, total, n_counted=rows.n_counted, n_rows=schema.n_rows)
    of_rows = RowSums(present.rows.sums, present.rows.squared, found.fourth, rows.n_counted)
    error, edge = float(np.sqrt(squares @ extreme.influence**2)), np.nan
    if definition.is_rate:
        edge = edge_value(parts, mass, distance, sign, extreme, 1 / float(squares.sum()), float(confidence))
    moved = extreme.factor > 0
    return WorstCase(
        metric=definition.in_words(),
        worse=side,
        over="rows",
        within=limits,
        reach=None,
        weights=None,
        _sample_weight=None,
        n_rows=schema.n_rows,
        features=(),
        stress=None,
        moved=(),
        before=before,
        estimate=estimate_from_sums(
            definition, extreme.value, error, of_rows, weights.rows.pareto_k, float(confidence), edge
        ),
        held_out=None,
        ess=weights.rows.ess,
        degrees_of_freedom=weights.degrees_of_freedom,
        kl=float(np.sum((mass * extreme.factor)[moved] * np.log(extreme.factor[moved]))),
        tv=weights.tv,
        pareto_k=weights.rows.pareto_k,
        carriers=weights.carriers,
        status="found",
        _options={
            "features": None,
            "worse": side,
            "held_out": held_out,
            "confidence": float(confidence),
            "random_state": seed_of(options.get("random_state", 0)),
        },
        confidence=float(confidence),
        model_name=self._model_name,
        means=_means(outline, names, balance_of(sums, centres)),
        source=self._as_source(),
    )


def _features(outline: Outline) -> tuple[tuple[str, ...], Floats]:
    names = tuple(feature.name for feature in default_features(outline._columns, None)[0])
    return names, outline.means(names)


def _means(outline: Outline, names: tuple[str, ...], balance: Floats) -> tuple[MovedMean, ...]:
    """Return what the weights do to every feature, the largest difference first."""
    features = [feature for feature in default_features(outline._columns, None)[0] if feature.name in names]
    shifts = [
        (mean, now, (now - mean) / deviation if deviation > 0 else float("nan"))
        for mean, deviation, now, _ in balance.tolist()
    ]
    return table_of(features, shifts)
