"""Altair charts with the package's look, that notebooks show without a network."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final, cast

import altair as alt

from tauscope.figures import theme
from tauscope.figures.specification import CONCATS, title_of
from tauscope.results.display import TEXT, only_text_is_shown
from tauscope.words import escape

THEME = "tauscope"
PLAIN = "default"
"""Name of Altair's theme and of its renderer where a person has chosen none."""
LARGE = 500_000
"""Characters of SVG from which a display is a PNG."""
PIXEL_RATIO = 2
OWN = ("color", "opacity", "shape", "size", "strokeDash")
NO_PICTURE = 'The picture needs vl-convert: pip install "tauscope[export]".'


@alt.theme.register(THEME, enable=False)
def look() -> alt.theme.ThemeConfig:
    """Return the theme that a person can enable for all charts, `alt.theme.enable("tauscope")`."""
    return alt.theme.ThemeConfig(config=cast(Any, theme.vega_config()))


class Styled:
    """What the charts of the package add to Altair's: their look, a display without a network, and `|` and `&`."""

    def to_dict(self, *args: Any, context: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        """Return the chart as Vega-Lite, with the look of the package, or of the theme that was enabled."""
        above: Any = super()
        if context is not None and not context.get("top_level", True):
            return above.to_dict(*args, context=context, **options)
        if alt.theme.active not in (PLAIN, THEME):
            return on_dark(above.to_dict(*args, context=context, **options))
        with alt.theme.enable(THEME):
            return above.to_dict(*args, context=context, **options)

    def __or__(self, other: Any) -> Any:
        if isinstance(self, HConcatChart) and not _has_title(self):
            return alt.HConcatChart.__or__(self, other)
        return HConcatChart(hconcat=[cast(Any, self), other], resolve=_apart())

    def __and__(self, other: Any) -> Any:
        if isinstance(self, VConcatChart) and not _has_title(self):
            return alt.VConcatChart.__and__(self, other)
        return VConcatChart(vconcat=[cast(Any, self), other], resolve=_apart())

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None, **options: Any
    ) -> Any:
        """Show a picture, which needs no network; a renderer that was enabled is left to do its own."""
        words = words_of(self.to_dict(validate=False))
        if only_text_is_shown(include):
            return {TEXT: "\n".join(words)}
        if alt.renderers.active != PLAIN:
            return cast(Any, super())._repr_mimebundle_(include, exclude, **options)
        return {TEXT: "\n".join(words), **(picture(self) or {"text/html": _spoken(words)})}


class LayerChart(Styled, alt.LayerChart):
    """Layers in one panel."""


class ConcatChart(Styled, alt.ConcatChart):
    """Panels in rows of some columns."""


class HConcatChart(Styled, alt.HConcatChart):
    """Panels side by side."""


class VConcatChart(Styled, alt.VConcatChart):
    """Panels one below the other."""


def charted(spec: Mapping[str, Any]) -> Any:
    """Make Altair's chart of plain Vega-Lite, its panels and layers charts in their own right."""
    kinds: dict[str, Any] = {"concat": ConcatChart, "layer": LayerChart}
    parts: dict[str, Any] = {key: [charted(one) for one in spec[key]] for key in kinds if key in spec}
    kind = next((kinds[key] for key in parts), alt.Chart)
    wrapped: dict[str, Any] = {"encoding": alt.FacetedEncoding, "data": alt.InlineData}
    return kind(**{**spec, **parts, **{key: make(**spec[key]) for key, make in wrapped.items() if key in spec}})


def picture(chart: Any) -> dict[str, str] | None:
    """Draw a chart, whatever a person has made of it, as a notebook shows it: no browser, no network.

    Parameters
    ----------
    chart : altair chart

    Returns
    -------
    dict or None
        `image/svg+xml`, or `image/png` in base64 where the SVG would be large; None without vl-convert.
    """
    if find_spec("vl_convert") is None:
        return None
    import vl_convert

    spec = chart.to_dict(validate=False)
    svg = vl_convert.vegalite_to_svg(spec)
    if len(svg) < LARGE:
        return {"image/svg+xml": svg}
    return {"image/png": b64encode(vl_convert.vegalite_to_png(spec, scale=PIXEL_RATIO)).decode("ascii")}


def words_of(spec: Mapping[str, Any]) -> list[str]:
    """Return the title of a chart and the lines below it; of several side by side, those of each."""
    parts: Sequence[Any] = next((spec[key] for key in (*CONCATS, "layer") if key in spec), ())
    return title_of(spec) or [line for part in parts for line in words_of(part)] or ["Chart"]


def _spoken(words: Sequence[str]) -> str:
    head, *lines = words
    return "".join(
        (f"<p><strong>{escape(head)}</strong></p>", *(f"<p>{escape(one)}</p>" for one in (*lines, NO_PICTURE)))
    )


def _has_title(chart: Any) -> bool:
    return chart["title"] is not alt.Undefined


def _apart() -> alt.Resolve:
    """Let each chart keep its own colours and marks: what they mean differs from one to the next."""
    return alt.Resolve(scale=alt.ScaleResolveMap(**cast(dict[str, Any], dict.fromkeys(OWN, "independent"))))


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
