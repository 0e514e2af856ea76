import gzip
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser

import anywidget
import pytest
import traitlets

from results.samples import HOSTILE, UNICODE, binary_result
from tauscope.sharing.html import TAKE_AWAY, by_hash
from tauscope.sharing.page import page


class Reader(HTMLParser):
    """Elements with their attributes and what is between their tags, as a browser sees it."""

    def __init__(self, html):
        super().__init__()
        self.found, self.open = [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.open = [tag, dict(attrs), ""]
        self.found.append(self.open)

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open is not None:
            self.open[2] += data

    def all(self, tag):
        return [one for one in self.found if one[0] == tag]

    def by_id(self, name):
        (one,) = (one for one in self.found if one[1].get("id") == name)
        return one[2]


def unpack(text):
    return gzip.decompress(b64decode(text))


class Odd(anywidget.AnyWidget):
    """A widget whose state holds what could break a page."""

    _esm = "export default { render({ el }) { el.textContent = '</script>'; } };\n// é"
    _css = "p::after { content: '</style><script>alert(1)</script>'; }\n"
    words = traitlets.Unicode("<!--<script>\u2028</script>").tag(sync=True)
    data = traitlets.Bytes(bytes(range(256))).tag(sync=True)
    unsynced = traitlets.Unicode("private")


def made(**options):
    view = Odd()
    try:
        return page(view, **{"title": "T", "note": "N"} | options)
    finally:
        view.close()


def test_state_script_and_style_arrive_as_they_were():
    read = Reader(made())
    state = json.loads(read.by_id("state"))
    assert state["traits"] == {"words": "<!--<script>\u2028</script>"}
    assert unpack(state["buffers"]["data"]) == bytes(range(256))
    assert unpack(read.by_id("script")).decode() == Odd._esm
    assert len(read.all("script")) == 4
    assert len(read.all("style")) == 2


def test_text_cannot_leave_its_element():
    html = made(title=f"T {HOSTILE}", note=f"N {UNICODE} <img src=x>")
    read = Reader(html)
    assert read.all("title")[0][2].strip() == f"T {HOSTILE}"
    assert f"N {UNICODE} <img src=x>" in read.all("footer")[0][2]
    assert not read.all("img")
    assert len(read.all("script")) == 4
    assert "\u2028" not in html.split('id="state"')[1]


def test_policy_admits_the_pages_script_and_nothing_from_elsewhere():
    read = Reader(made())
    (policy,) = (one[1]["content"] for one in read.all("meta") if "http-equiv" in one[1])
    (script,) = (one[2] for one in read.all("script") if one[1].get("type") == "module")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src {by_hash(TAKE_AWAY)} 'sha256-{digest}' blob:;" in policy
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert re.search(r"script-src[^;]*unsafe-inline", policy) is None


def test_page_fetches_nothing():
    html = made()
    assert not re.search(r"https?://", html)
    assert not re.search(r"(?:src|href)=", html)


def test_same_state_same_page():
    assert made() == made()


def test_still_copy_waits_in_the_place_of_the_view():
    html = made(still="<p>seen without scripts</p>")
    assert '<main id="view"><p>seen without scripts</p></main>' in html


def test_state_that_is_no_json_is_refused():
    class Wrong(anywidget.AnyWidget):
        _esm = "export default {};"
        value = traitlets.Float(float("nan")).tag(sync=True)

    with pytest.raises(ValueError, match="not JSON compliant"):
        page(Wrong(), title="T", note="N")


def test_a_view_of_curves_fits_in_a_page():
    view = binary_result().widget(n_taus=5)
    read = Reader(page(view, title="T", note="N"))
    state = json.loads(read.by_id("state"))
    shown = {"tau", "feature", "metric", "rank_by", "stress", "by", "within", "groups", "message"}
    assert set(state["traits"]) == shown
    assert state["traits"]["message"] == view.message
    assert unpack(state["buffers"]["curves"]) == view.curves
