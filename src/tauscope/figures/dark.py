"""Colours of marks on a dark ground: lines and names that were chosen to read on white, made light."""

from collections.abc import Mapping
from typing import Any, Final, cast

from tauscope.figures import theme

LIGHT: Final[dict[str, str]] = dict(
    zip(
        (theme.INK, theme.MUTED, theme.PAPER, *theme.PALETTE),
        ("#e6e8eb", "#a9b0ba", "#333333",
         "#6cb6e8", "#ff9a52", "#4fc79f", "#b7a6f2", "#d9c27a", "#e79bd2", "#e6e8eb", "#7fc4bb"),
        strict=True,
    )
)  # fmt: skip
"""What each colour of the theme is on a dark ground."""
COLOURED: Final = ("color", "stroke", "fill", "range", "value")
"""Where a specification names colours; data and texts are elsewhere."""
MIDDLE: Final = 0.5
DARK_THEMES: Final = ("dark", "carbong90", "carbong100")
"""Themes that Vega draws on a dark ground; a specification has but their names."""


def on_dark(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a chart as Vega-Lite with its marks made light where its background is dark.

    Parameters
    ----------
    spec : dict
        It may have a `background`, as #rgb or #rrggbb, or name a theme of Vega; every other is taken as light.
    """
    named = spec.get("usermeta", {}).get("embedOptions", {}).get("theme")
    ground = spec.get("background", spec.get("config", {}).get("background"))
    dark = named in DARK_THEMES if ground is None else _lightness(ground) < MIDDLE
    return _lightened(spec) if dark else spec


def _lightness(color: object) -> float:
    text = color.removeprefix("#") if isinstance(color, str) and color.startswith("#") else "ffffff"
    text = "".join(2 * letter for letter in text) if len(text) == 3 else text
    return sum(int(text[k : k + 2], 16) for k in (0, 2, 4)) / (3 * 255)


def _lightened(value: Any, key: str = "") -> Any:
    if isinstance(value, Mapping):
        return {
            name: one if name in ("data", "datasets", "config") else _lightened(one, name)
            for name, one in cast(Mapping[str, Any], value).items()
        }
    if isinstance(value, list):
        return [_lightened(one, key) for one in cast(list[Any], value)]
    return LIGHT.get(value, value) if key in COLOURED and isinstance(value, str) else value
