"""Charts of what a rule's features leave open."""

import numpy as np
import pytest

from tauscope.errors import InputError
from wire.write_rules import found, found_value


def layers(result, **options):
    chart = result.chart("distribution", **options).to_dict()
    return [chart["datasets"][layer["data"]["name"]] if "name" in layer["data"] else layer["data"]["values"]
            for layer in chart["layer"]]  # fmt: skip


def test_steps_reach_one_and_the_span_is_what_counts_as_the_same():
    result = found_value(3)
    one = result.distributions[0]
    (span,), steps, (own,) = layers(result)
    assert [step["value"] for step in steps[1:-1]] == one.values.tolist()
    np.testing.assert_allclose([step["upto"] for step in steps], [0, *one.cumulative, 1])
    assert (span["from"], span["to"], own["at"]) == (one.low, one.high, one.decided)


def test_the_axis_is_the_range_of_the_forests_rows():
    result = found_value(3)
    one = result.distributions[0]
    scales = [layer["encoding"]["x"]["scale"] for layer in result.chart("distribution").to_dict()["layer"]]
    assert scales == [{"domain": [one.lowest, one.highest], "nice": False}] * 3


def test_a_span_beyond_the_rows_ends_with_them():
    one = found_value(3, t=1e6).distributions[0]
    (span,), *_ = layers(found_value(3, t=1e6))
    assert (span["from"], span["to"]) == (one.lowest, one.highest)


def test_classes_are_bars_and_the_rows_own_is_accented():
    result = found(3)
    others, same = layers(result, rule=1)
    assert [bar["class"] for bar in same] == ["no"]
    assert [bar["class"] for bar in others] == ["yes"]
    assert same[0]["share"] == pytest.approx(result[1].sdp)


def test_where_there_is_no_rule_the_nearest_is_drawn():
    chart = found(23).chart("distribution").to_dict()
    assert "alone" in chart["title"]["subtitle"][0]


@pytest.mark.parametrize(
    ("kind", "rule", "said"),
    [
        ("rule", 0, 'kind must be "rules" or "distribution"; got \'rule\''),
        ("distribution", 2, "rule must lie between 0 and 1; got 2"),
        ("distribution", -1, "got -1"),
    ],
)
def test_what_is_not_there_is_refused(kind, rule, said):
    with pytest.raises(InputError, match=said):
        found(3).chart(kind, rule=rule)
