"""The words of every reason, and the stretch of τ over which a change is counted."""

import inspect
from functools import cached_property

import numpy as np
import pandas as pd
import pytest

from results import every
from results.samples import metric
from tauscope.errors import TauscopeError
from tauscope.results.reliability import (
    SENTENCES,
    caveats,
    judge_size,
    judge_weights,
    level_names,
    sentence,
    sentences,
    usable,
    usable_ends,
)
from tauscope.stress.reliability import CODES, REASONS
from tauscope.weights.carriers import Carriers
from tauscope.weights.concentration import pareto_khat

RATES = ("false positives", "true negatives")


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.name)
@pytest.mark.parametrize("amount", [0.0, 1.4, 7.9, 1234.0, np.inf])
def test_every_reason_has_a_sentence(reason, amount):
    words = sentence(CODES[reason.name], amount, RATES)
    assert bool(words) == (reason.name != "none")
    assert "{" not in words
    assert words.endswith("read the interval, not the number") == (
        reason.level == "wide" and reason.name != "some_carriers"
    )


def test_no_sentence_without_a_reason():
    assert set(SENTENCES) >= {reason.name for reason in REASONS}


@pytest.mark.parametrize(
    ("name", "amount", "words"),
    [
        ("few_events", 9.97, "wide: 9 effective false positives: read the interval, not the number"),
        ("few_events", 7 - 1e-14, "wide: 7 effective false positives: read the interval, not the number"),
        ("few_non_events", 1.2, "wide: fewer than 2 effective true negatives: read the interval, not the number"),
        ("some_rows_beyond", 12, "wide: only 12 rows lie at or beyond the target: read the interval, not the number"),
        ("few_rows_beyond", 0, "unreliable: at most one row lies at or beyond the target"),
        ("heavy_tail", 0.62, "unreliable: a few false positives decide it (tail index 0.62)"),
        ("heavy_weights", np.inf, "unreliable: a few large weights decide it (Pareto k̂ ∞)"),
    ],
)
def test_caveat(name, amount, words):
    assert caveats(CODES[name], amount, RATES) == (words,)


def test_a_reliable_number_has_none():
    assert caveats(CODES["none"], 0.0) == ()


def test_each_cell_says_its_own_metrics_events():
    metrics = (metric("error_rate"), metric("portion_1"))
    reason = np.array([[0, CODES["few_events"]], [CODES["few_rows_beyond"], 0]], np.int8)
    found = sentences(reason, np.full((2, 2), 4.0), metrics, axis=0)
    assert found.tolist() == [
        ["", "wide: 4 effective events: read the interval, not the number"],
        ["unreliable: only 4 rows lie at or beyond the target", ""],
    ]
    assert level_names(reason).tolist() == [["reliable", "wide"], ["unreliable", "reliable"]]


@pytest.mark.parametrize(
    ("df", "k", "name"),
    [
        (10, 0.7, "none"),
        (10 - 1e-12, 0.7, "none"),
        (9.9, 0.1, "some_rows_carry_all"),
        (3 - 1e-12, 0.1, "some_rows_carry_all"),
        (2.9, 0.1, "few_rows_carry_all"),
        (99, 0.71, "heavy_weights"),
        (99, np.nan, "heavy_weights"),
        (100, 0.71, "none"),
        (np.nan, 0.1, "few_rows_carry_all"),
    ],
)
def test_weights_alone(df, k, name):
    assert judge_size(df, k)[0] == CODES[name]


def test_degrees_of_freedom_are_those_of_the_weights():
    assert judge_weights(np.ones(50)) == (0, 0.0, 0.0)
    assert judge_weights(np.full(4, 3.0)) == (CODES["some_rows_carry_all"], pytest.approx(4.0), 0.0)
    weights = np.r_[np.full(2, 1e3), np.ones(100)]
    reason, df, _ = judge_weights(weights)
    assert reason == CODES["few_rows_carry_all"]
    assert df == pytest.approx((weights**2).sum() ** 2 / (weights**4).sum())


@pytest.mark.parametrize(
    ("n", "df", "words"),
    [
        (13, 13, "wide: 13 rows carry 25 % of the weight"),
        (9, 12, "unreliable: 9 rows carry 25 % of the weight"),
        (9, 9, "unreliable: 9 rows carry 25 % of the weight"),
        (13, 9, "wide: about 9 effective rows decide the width of the interval: read the interval, not the number"),
        (13, 2, "unreliable: a handful of rows carries the weight"),
    ],
)
def test_a_population_that_few_rows_carry_says_so(n, df, words):
    assert judge_size(df, -3.16, Carriers(n, 0.25)).caveats == (words,)


def test_nearly_even_weights_in_lumps_have_no_few_that_decide():
    weights = np.repeat([1.0, 1.01, 1.3, 2.6], [383, 40, 17, 6])
    assert pareto_khat(weights) > 1
    assert judge_weights(weights).caveats == ()


def test_thirteen_of_many_rows_are_named():
    weights = np.r_[np.full(13, 16268 * 0.25 / 0.75 / 13), np.ones(16268)]
    assert judge_weights(weights).caveats == ("wide: 13 rows carry 25 % of the weight",)
    assert judge_weights(weights, weights).caveats == ()


def test_a_change_is_counted_where_it_is_reliable_else_where_it_can_be_read():
    def ends(levels):
        good, level = usable(np.array(levels, np.int8), 2)
        return level, list(zip(*(end.tolist() for end in usable_ends(good, 2)), strict=True))

    assert ends([[0, 0, 0, 1, 0], [2, 1, 1, 0, 0]]) == ("reliable", [(0, 2), (2, 4)])
    assert ends([[1, 1, 0, 1, 2], [2, 1, 1, 1, 1]]) == ("wide", [(0, 3), (1, 4)])
    assert ends([[2, 2, 1, 2, 0]]) == ("unreliable", [(0, 4)])


NUMBERS = ("value", "effect", "gap", "difference")


def tables_of(made):
    """Every frame that a result derives, and those that its methods return when nothing is asked of them."""
    for name in dir(type(made)):
        kind = inspect.getattr_static(type(made), name)
        if name.startswith("_") or not (isinstance(kind, property | cached_property) or name in ("path",)):
            continue
        try:
            table = getattr(made, name)
            table = table() if callable(table) else table
        except TauscopeError:  # what these rows do not have
            continue
        if isinstance(table, pd.DataFrame):
            yield name, table.droplevel(0, axis=1) if table.columns.nlevels > 1 else table


def documented(part):
    """Every record of a document, however deep."""
    if isinstance(part, dict):
        yield part
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from documented(each)


def assert_doubts_are_explained(records, where):
    for record in records:
        for key in [key for key in record if str(key).endswith("reliability")]:
            level, place = record[key], key.removesuffix("reliability")
            names = (f"{place}{name}" for name in ("note", "reason", "reasons", "message"))
            assert level == "reliable" or any(record.get(name) for name in names), (where, record)
            own = [record[name] for name in ((place.removesuffix("_"),) if place else NUMBERS) if name in record]
            assert level != "reliable" or not own or not pd.isna(own[0]), (where, record)


@pytest.mark.slow
@pytest.mark.parametrize("name", every.MADE)
def test_every_level_but_reliable_has_its_reason_beside_it(name):
    """In every table and every record of a document; a number that is not there is never called reliable."""
    made = every.result(name)
    for attribute, table in tables_of(made):
        columns = table.columns.tolist()
        width = columns.index("note") + 1 if columns.count("note") > 1 else len(columns)
        for start in range(0, len(columns), max(width, 1)):  # a table by scenario has the same columns for each
            part = table.iloc[:, start : start + width]
            assert_doubts_are_explained(part.to_dict("records"), attribute)
    assert_doubts_are_explained(documented(made._document()), "document")
