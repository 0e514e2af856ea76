"""Matplotlib is there when something is plotted, and not before."""

import subprocess
import sys

import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from results.samples import made_by_hand
from tauscope.errors import InputTypeError
from tauscope.figures import theme
from tauscope.figures.axes import axes_to_draw_on, colors_of, widen, write_points, write_shares, write_title


def drawn(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_nothing_but_plot_loads_matplotlib():
    code = (
        "import sys, tauscope as ts; ts.Study; ts.StressCurves; import tauscope.figures.stress.curves; "
        "import tauscope.figures.effects.effect; sys.stdout.write(str('matplotlib' in sys.modules))"
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


def test_axes_are_those_given_or_of_a_new_figure():
    ax = Figure().subplots()
    before = pyplot.get_fignums()
    assert axes_to_draw_on(ax) is ax
    assert pyplot.get_fignums() == before
    new = axes_to_draw_on(None)
    assert [*before, new.figure.number] == pyplot.get_fignums()
    pyplot.close(new.figure)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"plot needs matplotlib.*tauscope\[plot\]"):
        made_by_hand().plot()


def test_another_kind_of_axes_is_refused():
    with pytest.raises(InputTypeError, match="ax must be a matplotlib Axes; got 'left'"):
        made_by_hand().plot("left")  # pyright: ignore[reportArgumentType]


def test_colours_are_the_themes_while_there_are_enough():
    assert colors_of(3) == list(theme.PALETTE[:3])
    assert len(colors_of(25)) == 25
    assert len(set(colors_of(20))) == 20


def test_ticks_are_in_the_units_of_the_chart():
    ax = Figure().subplots()
    ax.set_ylim(0, 1)
    write_shares(ax.yaxis)
    assert ax.yaxis.get_major_formatter()(0.25) == "25 %"
    write_points(ax.yaxis)
    assert [ax.yaxis.get_major_formatter()(value) for value in (0.025, -0.1, 0.0)] == ["+2.5", "−10", "0"]


def test_titles_are_broken_to_the_width():
    wide, narrow = Figure(figsize=(8, 3)).subplots(), Figure(figsize=(3, 3)).subplots()
    lines = []
    for ax in (wide, narrow):
        write_title(ax, "A title", ["some words", "", "of what is drawn, and how it is read by people"])
        lines.append(len(ax.get_title(loc="left").splitlines()))
    assert lines[0] < lines[1]


@pytest.mark.parametrize("horizontal", [False, True])
def test_what_was_drawn_before_stays_in_sight(horizontal):
    ax = Figure().subplots()
    range_of = ax.get_xlim if horizontal else ax.get_ylim
    widen(ax, 2.0, 3.0, False, horizontal=horizontal)
    assert range_of() == (2.0, 3.0)
    widen(ax, 2.5, 4.0, True, horizontal=horizontal)
    assert range_of() == (2.0, 4.0)
