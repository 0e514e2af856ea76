from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.dates import num2date
from matplotlib.figure import Figure

import tauscope as ts
from results.effects import samples
from tauscope.errors import InputError
from tauscope.figures import theme


def axes():
    return Figure(layout="constrained").subplots()


def effect(feature="fare", **options):
    return samples.study().effect(feature, progress=False, **options)


def title(ax):
    return ax.get_title(loc="left").replace("\n", " ")


def band_of(ax, k=0):
    """Lower and upper ends of a band, each ascending in x."""
    (path,) = ax.collections[k].get_paths()
    x, y = path.vertices.T
    return [np.array([side(y[x == at]) for at in np.unique(x)]) for side in (np.min, np.max)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_numbers_are_those_of_the_frame(kind):
    found = effect(kind=kind)
    ax = found.plot(axes())
    (line,) = ax.lines
    np.testing.assert_array_equal(line.get_xydata(), found.frame[["value", "effect"]])
    np.testing.assert_allclose(band_of(ax), found.frame[["lower", "upper"]].dropna().to_numpy().T)
    assert ax.get_xlabel() == "fare"
    assert title(ax) == f"{found.title} Band: {found.interval}."
    if kind == "ale":
        assert ax.get_ylabel() == "probability of yes, centred, percentage points"
        assert ax.yaxis.get_major_formatter()(0.05) == "+5"
    else:
        assert ax.get_ylabel() == "probability of yes"
        assert ax.yaxis.get_major_formatter()(0.5).endswith(" %")


@pytest.mark.slow
def test_levels_are_points_in_their_interval():
    found = effect("port")
    ax = found.plot(axes())
    (points,) = ax.lines
    frame = found.frame
    np.testing.assert_array_equal(points.get_xdata(), frame["effect"])
    assert [label.get_text() for label in ax.yaxis.get_ticklabels()] == frame["value"].tolist()
    spans = np.array([path.vertices[:, 0] for path in ax.collections[0].get_paths()])
    np.testing.assert_array_equal(spans, frame[["lower", "upper"]])
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("port", "probability of yes")
    assert ax.get_ylim() == (len(frame) - 0.5, -0.5)


@pytest.mark.slow
@pytest.mark.parametrize("feature", ["fare", "port"])
def test_bounds_are_drawn_as_they_are(feature):
    found = effect(feature).bounds(0.1)
    ax, frame = found.plot(axes()), found.frame
    if feature == "fare":
        np.testing.assert_allclose(band_of(ax), frame[["certified_lower", "certified_upper"]].to_numpy().T)
        lower, upper, curve = ax.lines
        np.testing.assert_array_equal(lower.get_ydata(), frame["paper_lower"])
        np.testing.assert_array_equal(upper.get_ydata(), frame["paper_upper"])
        assert (lower.is_dashed(), upper.is_dashed(), curve.is_dashed()) == (True, True, False)
        np.testing.assert_array_equal(curve.get_ydata(), frame["effect"])
    else:
        band, outline = (np.array([p.vertices[:, 0] for p in one.get_paths()]) for one in ax.collections)
        np.testing.assert_array_equal(band, frame[["certified_lower", "certified_upper"]])
        np.testing.assert_array_equal(outline, frame[["paper_lower", "paper_upper"]])
    assert found.covers in title(ax)
    low, high = ax.get_xlim() if feature == "port" else ax.get_ylim()
    assert 0 <= low < high <= 1


def test_bounds_without_the_papers_have_no_outline():
    model, X, y = samples.line()
    found = ts.Study(model, X, y).effect("a", kind="ale", progress=False).bounds(0.1)
    n_lines = 1 if found.bounds.paper is None else 3
    assert len(found.plot(axes()).lines) == n_lines
    assert ("Dashed" in title(found.plot(axes()))) == (n_lines == 3)


def test_classes_have_colours_and_a_legend():
    model, X, y = samples.grades()
    found = ts.Study(model, X, y).effect("a", grid=8, progress=False)
    ax = found.plot(axes())
    assert [to_hex(line.get_color()) for line in ax.lines] == list(theme.PALETTE[:3])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y", "z"]
    drawn = np.concatenate([line.get_ydata() for line in ax.lines])
    np.testing.assert_array_equal(drawn, found.frame["effect"])


def test_values_have_their_own_numbers():
    model, X, y = samples.line()
    ax = ts.Study(model, X, y).effect("a", grid=5, progress=False).plot(axes())
    assert ax.get_ylabel() == "prediction"
    assert "%" not in ax.yaxis.get_major_formatter()(1.0)


@pytest.mark.slow
def test_dates_have_an_axis_of_time():
    X = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=40, freq="30D"), "b": np.arange(40.0)})
    study = ts.Study(lambda rows: rows["day"].dt.year + rows["b"], X, X["b"] / 3, progress=False)
    for found in (study.effect("day", grid=6), study.effect("day", grid=6).bounds(0.1)):
        ax = found.plot(axes())
        ax.figure.savefig(BytesIO())
        assert num2date(ax.lines[-1].get_xdata(orig=False)[0]).date() == X["day"][0].date()


@pytest.mark.slow
def test_what_must_be_known_is_in_the_title():
    found = effect("age")
    assert "Where age is missing: " in title(found.plot(axes()))
    assert np.isfinite(found.plot(axes()).lines[0].get_xydata()).all()
    weighted = samples.study().under(ts.Mean("fare", tau=0.9)).effect("fare", progress=False)
    assert "effective sample" in title(weighted.plot(axes()))


@pytest.mark.slow
def test_two_effects_share_their_axes():
    ax = axes()
    samples.study().effect("fare", progress=False).plot(ax)
    before = ax.get_ylim()
    effect("age").plot(ax)
    assert len(ax.lines) == 2
    assert ax.get_ylim()[0] <= before[0] < before[1] <= ax.get_ylim()[1]


@pytest.mark.slow
def test_two_features_are_for_the_chart():
    found = effect(("fare", "sex"), grid=4)
    for one in (found, found.bounds(0.1)):
        with pytest.raises(InputError, match=r"of one feature; this is of 2\. Use \.chart"):
            one.plot(axes())


@pytest.mark.slow
def test_names_are_no_formulas():
    X = pd.DataFrame({"$\\frac{$": np.arange(30.0), "b": np.arange(30.0)})
    found = ts.Study(lambda rows: rows["b"] + rows["$\\frac{$"], X, X["b"], progress=False).effect("$\\frac{$", grid=4)
    ax = found.plot(axes())
    ax.figure.savefig(BytesIO())
    assert ax.get_xlabel() == "$\\frac{$"
