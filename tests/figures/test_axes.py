"""Charts drawn with matplotlib: the marks where Vega puts them, in its colours; nothing else of a person's moves."""

import subprocess
import sys
import warnings
from io import BytesIO
from itertools import pairwise

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.dates import num2date
from matplotlib.figure import Figure

import tauscope as ts
from figures.vega import OTHER, chart_of, colors_in_vega, near, places_in_vega, scene_of
from results import every
from results.effects import samples
from results.samples import HOSTILE, UNICODE, binary_result, made_by_hand, metric, reasons
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.figures import scales, theme
from tauscope.figures.axes import draw_on_axes
from tauscope.figures.labels import in_plot


@pytest.fixture(autouse=True)
def _no_figure_is_left():
    before = dict(matplotlib.rcParams), [*warnings.filters]
    yield
    pyplot.close("all")
    assert (dict(matplotlib.rcParams), [*warnings.filters]) == before


def new_axes():
    return Figure(layout="constrained").subplots()


def title(ax):
    return ax.get_title(loc="left").replace("\n", " ")


def places_on(ax):
    """Every vertex of lines, areas, boxes and rules, and every point, in parts of the Axes."""
    inverse = ax.transAxes.inverted()
    for line in ax.lines:
        yield from inverse.transform(line.get_transform().transform(line.get_xydata()))
    for one in ax.collections:
        if isinstance(one, PathCollection):
            yield from inverse.transform(one.get_offset_transform().transform(one.get_offsets()))
        else:
            for path in one.get_paths():
                yield from inverse.transform(one.get_transform().transform(path.vertices))


def colors_on(ax):
    lines = [line.get_color() for line in ax.lines] + [text.get_color() for text in ax.texts]
    boxes = [color for one in ax.collections for color in (*one.get_facecolor(), *one.get_edgecolor())]
    return {to_hex(color) for color in [*lines, *boxes]}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*every.MADE, *OTHER])
def test_marks_stand_where_vega_puts_them_in_its_colours(name):
    chart = chart_of(name)
    if chart is None:
        assert not hasattr(every.result(name), "plot") or getattr(every.result(name), "weights", ()) is None
        return
    spec = chart.to_dict(validate=False)
    returned = np.atleast_1d(np.asarray(draw_on_axes(spec, None)))
    figure = returned[0].figure
    figure.savefig(BytesIO())
    drawn = [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]
    panels = scene_of(spec)
    assert len(panels) == len(drawn)
    for ax, (width, height, marks) in zip(drawn, panels, strict=True):
        there = np.array([*places_on(ax)])
        for place in places_in_vega(width, height, marks):
            assert np.nanmin(np.abs(there - place).max(axis=1)) < 0.006, (place, ax.get_title(loc="left"))
        assert [color for color in colors_in_vega(marks) if not any(near(color, one) for one in colors_on(ax))] == []
        texts = [item["text"] for mark in marks if mark["marktype"] == "text" for item in mark["items"]]
        assert sorted(text.get_text() for text in ax.texts) == sorted(texts)


def effect(feature="fare", **options):
    return samples.study().effect(feature, progress=False, **options)


def curve_of(ax):
    """The line drawn last, of an effect its curve."""
    return max(ax.lines, key=lambda line: line.get_zorder())


def band_of(ax):
    """Lower and upper ends of a band, each ascending in x."""
    (path,) = next(one for one in ax.collections if one.get_label() == "_band").get_paths()
    x, y = path.vertices.T
    return [np.array([side(y[x == at]) for at in np.unique(x)]) for side in (np.min, np.max)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_numbers_are_those_of_the_frame(kind):
    found = effect(kind=kind)
    ax = found.plot(new_axes())
    np.testing.assert_array_equal(curve_of(ax).get_xydata(), found.frame[["value", "effect"]])
    np.testing.assert_allclose(band_of(ax), found.frame[["lower", "upper"]].dropna().to_numpy().T)
    assert ax.get_xlabel() == "fare"
    assert title(ax).startswith(found.title)
    assert f"Band: {found.interval}." in title(ax)
    if kind == "ale":
        assert ax.get_ylabel() == "probability of yes, centred\npercentage points"
        assert ax.yaxis.get_major_formatter()(0.05) == "+5"
    else:
        assert ax.get_ylabel() == "probability of yes"
        assert ax.yaxis.get_major_formatter()(0.5) == "50 %"


@pytest.mark.slow
def test_levels_are_points_in_their_interval():
    found = effect("port")
    ax, frame = found.plot(new_axes()), found.frame
    rules, points = ax.collections
    np.testing.assert_array_equal(points.get_offsets()[:, 0], frame["effect"])
    np.testing.assert_array_equal([path.vertices[:, 0] for path in rules.get_paths()], frame[["lower", "upper"]])
    assert [label.get_text() for label in ax.yaxis.get_ticklabels()] == frame["value"].tolist()
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("port", "probability of yes")
    assert ax.get_ylim() == (len(frame) - 0.5, -0.5)


@pytest.mark.slow
def test_bounds_are_drawn_as_they_are():
    found = effect().bounds(0.1)
    ax, frame = found.plot(new_axes()), found.frame
    np.testing.assert_allclose(band_of(ax), frame[["certified_lower", "certified_upper"]].to_numpy().T)
    dashed = [line.get_ydata() for line in ax.lines if line.is_dashed()]
    np.testing.assert_array_equal(dashed, frame[["paper_lower", "paper_upper"]].to_numpy().T)
    np.testing.assert_array_equal(curve_of(ax).get_ydata(), frame["effect"])
    assert found.covers in title(ax)
    assert 0 <= ax.get_ylim()[0] < ax.get_ylim()[1] <= 1


def test_classes_have_colours_and_a_legend():
    model, X, y = samples.grades()
    found = ts.Study(model, X, y).effect("a", grid=8, progress=False)
    ax = found.plot(new_axes())
    assert [to_hex(line.get_color()) for line in ax.lines] == list(theme.PALETTE[:3])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y", "z"]
    np.testing.assert_array_equal(np.concatenate([line.get_ydata() for line in ax.lines]), found.frame["effect"])


@pytest.mark.slow
def test_dates_have_an_axis_of_time():
    X = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=40, freq="30D"), "b": np.arange(40.0)})
    study = ts.Study(lambda rows: rows["day"].dt.year + rows["b"], X, X["b"] / 3, progress=False)
    for found in (study.effect("day", grid=6), study.effect("day", grid=6).bounds(0.1)):
        for ax in (found.plot(new_axes()), found.plot()):
            ax.figure.savefig(BytesIO())
            assert num2date(curve_of(ax).get_xdata(orig=False)[0]).date() == X["day"][0].date()


@pytest.mark.slow
def test_what_must_be_known_is_in_the_title():
    assert "Where age is missing: " in title(effect("age").plot(new_axes()))
    weighted = samples.study().under(ts.Mean("fare", tau=0.9)).effect("fare", progress=False)
    assert "effective sample" in title(weighted.plot(new_axes()))


@pytest.mark.parametrize("name", ["share_predicted_yes", "error_rate"])
def test_curves_are_those_of_the_frame(name):
    result = binary_result()
    name = name if name in result.metric_names else result.metric_names[0]
    ax = result.plot(new_axes(), metrics=name, features="age")
    rows = result.frame.query("feature == 'age' and metric == @name")
    dotted = next(line for line in ax.lines if line.is_dashed() and to_hex(line.get_color()) == theme.ACCENT)
    np.testing.assert_array_equal(dotted.get_xydata(), rows[["tau", "value"]])
    np.testing.assert_allclose(band_of(ax), rows[["lower", "upper"]].to_numpy().T)
    assert "Band: 95 % interval." in title(ax)


def test_lines_are_named_at_their_ends_and_reliability_is_drawn():
    codes = reasons(["", "", "", "few_events", "few_rows_beyond"])
    ax = made_by_hand({"a": [0.0, 1, 2]}, reason=codes).plot(new_axes())
    thin, dotted, solid = (line for line in ax.lines if to_hex(line.get_color()) == theme.ACCENT)
    assert [np.isfinite(line.get_ydata()).sum() for line in (dotted, thin, solid)] == [5, 4, 3]
    assert [line.is_dashed() for line in (dotted, thin, solid)] == [True, False, False]
    ax = made_by_hand().plot(new_axes(), features=["a", "b"], highlight="b")
    assert [text.get_text() for text in ax.texts] == ["b"]
    assert theme.IDLE in {to_hex(line.get_color()) for line in ax.lines}


def test_one_feature_has_its_own_unit_below_tau():
    for result, feature, about, words in (
        (made_by_hand(), "b", "mean of b", ["−1\n6", "−0.5\n6.5", "0\n7", "+0.5\n7.5", "+1\n8"]),
        (binary_result(), f"{UNICODE} = True", in_plot(f"share of {UNICODE} = True"), ["−1\n0 %"]),
    ):
        ax = result.plot(new_axes(), metrics=result.metric_names[0], features=feature)
        assert ax.get_xlabel() == f"τ, and the {about}"
        ax.figure.canvas.draw()
        assert [label.get_text() for label in ax.xaxis.get_ticklabels()][: len(words)] == words
    assert made_by_hand().plot(new_axes()).get_xlabel() == "τ"


def test_many_highlighted_features_have_a_legend():
    names = [f"x{i}" for i in range(12)]
    for ax in (None, new_axes()):
        ax = made_by_hand({name: [0.0, 1, 2] for name in names}).plot(ax, features=names)
        assert {text.get_text() for text in ax.get_legend().get_texts()} == set(names)
        assert not ax.texts


def test_names_at_the_ends_are_apart_however_low_the_axes_are():
    value = np.linspace(0.5, 0.52, 6)[:, None, None] * np.ones((6, 1, 5))
    names = {f"x{k}": [0.0, 1, 2] for k in range(6)}
    ax = Figure(figsize=(4, 2.5)).subplots()
    made_by_hand(names, value=value).plot(ax, features=[*names])
    ax.figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in ax.texts), key=lambda box: box.y0)
    assert all(one.y1 <= other.y0 + 1 for one, other in pairwise(boxes))


def test_numbers_are_written_as_in_the_chart():
    written = {
        theme.AXIS_SHARE: "25 %", theme.AXIS_POINTS: "+25", theme.AXIS_WIDTH: "25", theme.AXIS_VALUE: "0.25",
        theme.AXIS_TAU: "+0.25",
    }  # fmt: skip
    assert {expression: write(0.25) for expression, write in scales.NUMBERS.items()} == written
    assert [scales.NUMBERS[theme.AXIS_POINTS](value) for value in (-0.1, 0.0)] == ["−10", "0"]
    assert scales.NUMBERS[theme.AXIS_VALUE](12345) == "12,340"


def test_what_was_drawn_before_stays_in_sight():
    ax = new_axes()
    words = ax.text(0, 0, "mine")
    ax.plot([-5, 5], [-2, 3])
    made_by_hand().plot(ax)
    assert (ax.get_xlim()[0] <= -5, ax.get_xlim()[1] >= 5) == (ax.get_ylim()[0] <= -2, ax.get_ylim()[1] >= 3) == (1, 1)
    assert words.get_position() == (0, 0)


def test_axes_are_those_given_or_of_a_new_figure():
    ax, before = new_axes(), pyplot.get_fignums()
    assert made_by_hand().plot(ax) is ax
    assert (pyplot.get_fignums(), ax.figure.axes) == (before, [ax])
    new = made_by_hand().plot()
    assert [*before, new.figure.number] == pyplot.get_fignums()


def test_several_panels_are_an_array_and_take_no_axes():
    result = made_by_hand(metrics=(metric("one", "value"), metric("two", "value")), value=np.zeros((2, 2, 5)),
                          lower=np.zeros((2, 2, 5)), upper=np.ones((2, 2, 5)))  # fmt: skip
    panels = result.plot()
    assert [ax.get_title(loc="left").lower() for ax in panels] == ["one", "two"]
    with pytest.raises(InputError, match=r"ax takes one panel; this chart has 2\. Leave ax out"):
        result.plot(new_axes())
    assert result.plot(new_axes(), metrics="two").get_title(loc="left").endswith("\nTwo")


def test_results_without_a_chart_have_no_plot():
    kinds = {type(every.result(name)) for name in ("joint", "rows", "breakdown", "curves")}
    assert [hasattr(kind, "plot") for kind in kinds] == [hasattr(kind, "chart") for kind in kinds]


@pytest.mark.slow
def test_names_are_no_formulas():
    names = {"$\\frac{$": [0.0, 1, 2], "$x$": [0.0, 2, 4], HOSTILE: [0.0, 1]}
    for features in (None, "$\\frac{$"):
        ax = made_by_hand(names).plot(features=features)
        ax.figure.savefig(BytesIO())
        assert "$\\frac{$" in [text.get_text() for text in ax.texts]
    X = pd.DataFrame({"$\\frac{$": np.arange(30.0), "$\\l$": np.resize(["$\\frac{$", "$x_$", "a"], 30)})
    study = ts.Study(lambda rows: rows["$\\frac{$"] / 30, X, X["$\\frac{$"] > 12, progress=False)
    stress = ts.Mean("$\\frac{$", tau=0.3)
    for result in (
        study.effect("$\\frac{$", grid=4), study.effect("$\\l$"), study.effect(["$\\frac{$", "$\\l$"], grid=4),
        study.reweight(stress), study.reweight(stress).by("$\\l$"), study.calibration(n_bins=2, by="$\\l$"),
    ):  # fmt: skip
        np.atleast_1d(np.asarray(result.plot()))[0].figure.savefig(BytesIO())


def test_gaps_and_nothing_are_drawn():
    nothing = made_by_hand(value=np.full((2, 1, 5), np.nan)).plot(new_axes())
    nothing.figure.savefig(BytesIO())
    assert not nothing.texts


def test_unknown_names_are_said():
    for options in ({"metrics": "error"}, {"features": "c"}, {"highlight": "c"}):
        with pytest.raises(UnknownName):
            made_by_hand().plot(new_axes(), **options)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"plot needs matplotlib.*tauscope\[plot\]"):
        made_by_hand().plot()


def test_another_kind_of_axes_is_refused():
    with pytest.raises(InputTypeError, match="ax must be a matplotlib Axes; got 'left'"):
        made_by_hand().plot("left")  # pyright: ignore[reportArgumentType]


def drawn(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_nothing_but_plot_loads_matplotlib():
    code = (
        "import sys, tauscope as ts; ts.Study; ts.StressCurves; import tauscope.figures.stress.curves; "
        "import tauscope.figures.axes; sys.stdout.write(str('matplotlib' in sys.modules))"
    )
    assert drawn(code) == ["False"]


@pytest.mark.slow
def test_axes_that_are_given_leave_pyplot_alone():
    code = (
        "import sys; sys.path.insert(0, 'tests'); from matplotlib.figure import Figure; "
        "from results.samples import made_by_hand; made_by_hand().plot(Figure().subplots()); "
        "sys.stdout.write(str('matplotlib.pyplot' in sys.modules))"
    )
    assert drawn(code) == ["False"]
