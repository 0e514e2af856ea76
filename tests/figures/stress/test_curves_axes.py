from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from results.samples import HOSTILE, UNICODE, binary_result, made_by_hand, metric, reasons, regression_study
from tauscope.data.dates import to_dates
from tauscope.errors import UnknownName
from tauscope.figures import theme
from tauscope.study.stress.curves import stress_curves
from tauscope.study.study import Study


def axes():
    return Figure(layout="constrained").subplots()


def lines(ax, color):
    return [line for line in ax.lines if to_hex(line.get_color()) == color]


def words(ax):
    return [label.get_text() for label in ax.xaxis.get_ticklabels()]


@pytest.mark.parametrize("name", ["portion_yes", "error_rate"])
def test_numbers_are_those_of_the_frame(name):
    result = binary_result()
    ax = result.plot(axes(), metric=name, features="age")
    rows = result.frame.query("feature == 'age' and metric == @name")
    dotted, _, solid = lines(ax, theme.ACCENT)
    np.testing.assert_array_equal(dotted.get_xdata(), rows["tau"])
    np.testing.assert_array_equal(dotted.get_ydata(), rows["value"])
    np.testing.assert_array_equal(solid.get_ydata(), rows["value"].where(rows["reliability"] == "reliable"))
    (edges,) = [path.vertices for path in ax.collections[0].get_paths()]
    np.testing.assert_allclose(np.unique(edges[:, 1]), np.unique(rows[["lower", "upper"]]))
    assert ax.get_ylabel() == result._curves.metrics[result._metric_place(name)].label


def test_leading_metric_and_five_features_by_default():
    result = binary_result()
    ax = result.plot(axes())
    assert ax.get_ylabel() == result._leading_metric.label
    chosen = [line.get_label() for line in ax.lines if not line.get_label().startswith("_")]
    assert len(chosen) == 5
    assert len(lines(ax, theme.IDLE)) == 3 * (len(result.features) - 5)
    assert "Band: 95 % interval." in ax.get_title(loc="left").replace("\n", " ")
    assert {text.get_text() for text in ax.texts} == set(chosen)


def test_what_is_not_reliable_is_dotted_or_thin():
    codes = reasons(["", "", "", "few_events", "few_rows_beyond"])
    ax = made_by_hand({"a": [0.0, 1, 2]}, reason=codes).plot(axes())
    dotted, thin, solid = lines(ax, theme.ACCENT)
    assert [np.isfinite(line.get_ydata()).sum() for line in (dotted, thin, solid)] == [5, 4, 3]
    assert [line.get_alpha() for line in (dotted, thin, solid)] == [theme.FADED_LINE, theme.FADED_LINE, None]
    assert [line.is_dashed() for line in (dotted, thin, solid)] == [True, False, False]
    pale, band = ax.collections
    assert pale.get_alpha() < band.get_alpha()
    assert band.get_paths()[0].vertices[:, 0].max() == 0.5


def test_one_feature_has_its_own_unit_below_tau():
    ax = made_by_hand().plot(axes(), features="b")
    assert ax.get_xlabel() == "τ, and the mean of b"
    assert words(ax) == ["−1\n6", "−0.5\n6.5", "0\n7", "+0.5\n7.5", "+1\n8"]
    share = binary_result().plot(axes(), features=f"{UNICODE} = True")
    assert words(share)[0] == "−1\n0 %"
    assert made_by_hand().plot(axes()).get_xlabel() == "τ"


def test_values_have_plain_ticks_and_shares_per_cent():
    share = made_by_hand().plot(axes())
    assert share.yaxis.get_major_formatter()(0.5).endswith(" %")
    ax = made_by_hand(metrics=(metric("mean", "value"),)).plot(axes())
    assert "%" not in ax.yaxis.get_major_formatter()(0.5)


def test_highlighted_features_are_coloured_and_the_others_grey():
    ax = made_by_hand().plot(axes(), features=["a", "b"], highlight="b")
    assert [text.get_text() for text in ax.texts] == ["b"]
    assert len(lines(ax, theme.IDLE)) == 3


def test_many_highlighted_features_have_a_legend():
    names = [f"x{i}" for i in range(12)]
    ax = made_by_hand({name: [0.0, 1, 2] for name in names}).plot(axes(), features=names)
    assert {text.get_text() for text in ax.get_legend().get_texts()} == set(names)
    assert not ax.texts


def test_two_results_share_their_axes():
    ax = axes()
    low = made_by_hand(value=np.full((2, 1, 5), 0.2), lower=np.full((2, 1, 5), 0.1), upper=np.full((2, 1, 5), 0.3))
    low.plot(ax)
    made_by_hand(value=np.full((2, 1, 5), 0.8), lower=np.full((2, 1, 5), 0.7), upper=np.full((2, 1, 5), 0.9)).plot(ax)
    assert ax.get_ylim() == pytest.approx((0.1, 0.9))


@pytest.mark.slow
def test_names_are_no_formulas():
    names = {"$\\frac{$": [0.0, 1, 2], "$x$": [0.0, 2, 4], HOSTILE: [0.0, 1]}
    for features in (None, "$\\frac{$"):
        ax = made_by_hand(names).plot(axes(), features=features)
        ax.figure.savefig(BytesIO())
        assert "$\\frac{$" in [text.get_text() for text in ax.texts]


@pytest.mark.slow
def test_values_and_gaps_are_drawn():
    value = np.array([[[0.1, 0.2, np.nan, 0.4, np.nan]]])
    ax = made_by_hand({"a": [0.0, 1, 2]}, value=value).plot(axes())
    assert not ax.texts
    nothing = made_by_hand(value=np.full((2, 1, 5), np.nan)).plot(axes())
    nothing.figure.savefig(BytesIO())
    assert not nothing.texts
    ax = stress_curves(regression_study(), taus=3).plot(axes(), metric="rmse")
    assert ax.get_ylabel() == "RMSE"


def test_unknown_names_are_said():
    for options in ({"metric": "error"}, {"features": "c"}, {"highlight": "c"}):
        with pytest.raises(UnknownName):
            made_by_hand().plot(axes(), **options)


@pytest.mark.slow
def test_means_of_dates_are_dates():
    X = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=90, freq="4D"), "b": np.arange(90.0)})
    decided = np.arange(90) % 4 == 0
    result = stress_curves(Study.from_predictions(X, decided, decided), taus=3)
    first, *_ = words(result.plot(axes(), features="day"))
    ends = result.frame.query("feature == 'day'")["target"]
    assert first == f"−1\n{to_dates(ends.to_numpy())[0].astype('datetime64[D]')}"
