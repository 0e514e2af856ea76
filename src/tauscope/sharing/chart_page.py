"""One HTML file that shows an Altair chart with its tooltips, without a kernel, a server or a network."""

import json
from html import escape
from typing import Any

from tauscope.sharing.html import by_hash, html_page, kept_in_script
from tauscope.sharing.picture import ask_for_vl_convert

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

    Raises
    ------
    ImportError
        Where vl-convert, which has the library, is not installed.
    """
    ask_for_vl_convert(".html")
    import vl_convert

    spec = json.dumps(chart.to_dict(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    bundle: Any = vl_convert.javascript_bundle  # its stub asks for a snippet, which may be left out
    library = str(bundle()).replace("</script", "<\\/script")
    return html_page(
        title=title,
        main=f'<main id="chart" aria-label="{escape(title, quote=True)}"></main>',
        note=note,
        scripts=(
            f'<script type="application/json" id="spec">{kept_in_script(spec)}</script>',
            f"<script>{library}</script>",
            f"<script>{DRAW}</script>",
        ),
        admitted=(by_hash(library), by_hash(DRAW)),
    )
