"""One HTML file that shows an Altair chart with its tooltips, without a kernel, a server or a network."""

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

DRAW = (
    'vegaEmbed("#chart", JSON.parse(document.getElementById("spec").textContent), '
    '{ actions: false, renderer: "svg", ast: true });'
)


def chart_page(chart: Any, *, title: str, note: str) -> str:
    """Write a chart, and what draws it, into one page.

    Parameters
    ----------
    chart : altair chart
        Data inline.
    title : str
        Of the browser's tab.
    note : str
        The line below the chart.

    Returns
    -------
    str
        Its content security policy admits the two scripts in it, by hash, no evaluation of text (Vega's own
        interpreter reads the chart's expressions) and no connection. Text from the data cannot end an element.
    """
    import vl_convert

    spec = json.dumps(chart.to_dict(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    bundle: Any = vl_convert.javascript_bundle  # its stub asks for a snippet, which may be left out
    library = str(bundle()).replace("</script", "<\\/script")
    policy = (
        f"default-src 'none'; script-src {_hash(library)} {_hash(DRAW)}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    style = files("tauscope.sharing").joinpath("page.css").read_text("utf-8")
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            f'<main id="chart" aria-label="{escape(title, quote=True)}"></main>',
            f"<footer>{escape(note)}</footer>",
            f'<script type="application/json" id="spec">{_inert(spec)}</script>',
            f"<script>{library}</script>",
            f"<script>{DRAW}</script>",
            "</html>",
            "",
        )
    )


def _hash(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def _inert(text: str) -> str:
    """JSON that cannot end its script element or open a comment in it."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
