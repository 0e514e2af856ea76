"""The look shared by every chart and picture; `js/src/theme` says the same in TypeScript."""

from typing import Any, Final

ACCENT: Final = "#0072b2"
INK: Final = "#1f2328"
MUTED: Final = "#5f6670"
IDLE: Final = "#868c96"
"""Lines that are not chosen, as in the widget."""
GRID: Final = "#e8eaed"
PAPER: Final = "#ffffff"
MAP: Final = ("#0072b2", "#f1f2f4", "#c44e00")
"""Of a map around a middle: below, none, above."""

# After Okabe and Ito, darkened until a label in each colour reads on white (contrast 4.5 or more), then chosen
# apart for protanopes and deuteranopes too.
PALETTE: Final = ("#0072b2", "#c44e00", "#00805f", "#332288", "#3d2b00", "#a14d85", "#1f1f1f", "#004d40")

# One set of widths under three names, so that text takes the room it was measured for wherever a picture is read.
FONT: Final = 'Arial, Helvetica, "Liberation Sans", sans-serif'
FONT_SIZE: Final = 12
EDGE: Final = 5
SLACK: Final = 20
"""A reader without any font of the theme's shows names this much wider than they were measured."""
PANEL_WIDTH: Final = 300
PANEL_HEIGHT: Final = 200
LINE: Final = 2.25
LINE_WIDE: Final = 1.0
LINE_REST: Final = 1.0
LINE_IDLE: Final = 1.4
FADED: Final = 0.35
FADED_LINE: Final = 0.6
BAND: Final = 0.16
BAND_AMONG: Final = 0.06

# d3-format; Vega expressions over `datum.value`
AXIS_SHARE: Final = "format(datum.value * 100, '.3~r') + ' %'"
AXIS_POINTS: Final = "(datum.value > 0 ? '+' : '') + format(datum.value * 100, '.3~r')"
AXIS_WIDTH: Final = "format(datum.value * 100, '.3~r')"
POINTS: Final = "percentage points"
AXIS_VALUE: Final = "format(datum.value, ',.4~g')"
AXIS_TAU: Final = "(datum.value > 0 ? '+' : '') + format(datum.value, '~g')"


def vega_config() -> dict[str, Any]:
    """Return a fresh Vega-Lite `config` with the theme's type, colours and lines."""
    label = {"labelFont": FONT, "labelFontSize": FONT_SIZE - 1, "labelColor": MUTED}
    title = {"titleFont": FONT, "titleFontSize": FONT_SIZE, "titleColor": MUTED, "titleFontWeight": "normal"}
    return {
        "background": PAPER,
        "font": FONT,
        "axis": {**label, **title, "gridColor": GRID, "domainColor": GRID, "tickColor": GRID, "ticks": False},
        "legend": {**label, **title, "symbolType": "stroke", "symbolStrokeWidth": 3, "labelLimit": 200},
        "title": {
            "font": FONT,
            "fontSize": FONT_SIZE + 1,
            "color": INK,
            "anchor": "start",
            "frame": "group",
            "subtitleFont": FONT,
            "subtitleFontSize": FONT_SIZE - 1,
            "subtitleColor": MUTED,
        },
        "view": {"stroke": None},
        "padding": {**dict.fromkeys(("left", "top", "bottom"), EDGE), "right": EDGE + SLACK},
    }
