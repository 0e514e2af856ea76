import numpy as np
import pytest

from tauscope.results.rules.distribution import SetDistribution
from tauscope.results.rules.text import mean_sentence


def of_values(**change):
    fields = {
        "features": ("age", "job"),
        "values": np.array([1.0, 2, 4, 8]),
        "share": np.array([0.25, 0.25, 0.375, 0.125]),
        "classes": (),
        "decided": 3.0,
        "low": 2.0,
        "high": 4.0,
        "t": 1.0,
        "lowest": 0.0,
        "highest": 10.0,
        "ess": 33.4,
    }
    return SetDistribution(**(fields | change))


def test_what_counts_as_the_same_holds_its_ends():
    one = of_values()
    assert one.same.tolist() == [False, True, True, False]
    assert one.sdp == 0.625
    assert one.cumulative.tolist() == [0.25, 0.5, 0.875, 1.0]
    assert of_values(low=5.0, high=6.0).sdp == 0.0


def test_a_line_for_each_value():
    frame = of_values().frame
    assert frame.columns.tolist() == ["value", "share", "cumulative", "same"]
    assert frame["value"].tolist() == [1.0, 2.0, 4.0, 8.0]
    named = of_values(values=np.arange(4.0), classes=("a", "b", "c", "d"), decided=1.0, low=1.0, high=1.0).frame
    assert named["value"].tolist() == ["a", "b", "c", "d"]
    assert named.loc[named["same"], "value"].tolist() == ["b"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "By age and job alone: 62.5 % between 2 and 4, 25 % below and 12.5 % above."),
        ({"classes": ("a", "b", "c", "d")}, "By age and job alone: c 37.5 %, a 25 %, b 25 %, d 12.5 %."),
        (
            {"classes": tuple("abcdefg"), "share": np.array([0, 0.1, 0.2, 0.3, 0.15, 0.15, 0.1])},
            "By age and job alone: d 30 %, c 20 %, e 15 %, f 15 %, b 10 %.",
        ),
    ],
)
def test_said_in_a_sentence(change, said):
    assert str(of_values(**change)) == said


def test_mean_quantiles_and_the_function_between_values():
    one = of_values()
    assert one.mean == pytest.approx(0.25 * 1 + 0.25 * 2 + 0.375 * 4 + 0.125 * 8)
    assert one.cdf(np.array([0.9, 1.0, 3.9, 4.0, 99.0])).tolist() == [0.0, 0.25, 0.5, 0.875, 1.0]
    assert one.quantile(np.array([0.0, 0.25, 0.26, 0.5, 0.9, 1.0])).tolist() == [1.0, 1.0, 2.0, 2.0, 8.0, 8.0]
    assert np.isnan(of_values(classes=("a", "b", "c", "d")).mean)
    assert mean_sentence(one) == (
        "Mean 3.25, median 2, 90 % between 1 and 8; the rows weigh as much as 33 rows of equal weight (effective "
        "sample size)."
    )


def test_of_values_without_a_prediction_nothing_is_the_same():
    one = of_values(decided=np.nan, low=np.nan, high=np.nan)
    assert np.isnan(one.sdp)
    assert not one.same.any()
    assert str(one) == "By age and job alone: half between 1 and 4."


def test_rounding_never_passes_one():
    one = of_values(share=np.array([0.1] * 3 + [0.7000001]), low=0.0, high=9.0)
    assert (one.sdp, one.cumulative[-1]) == (1.0, 1.0)
