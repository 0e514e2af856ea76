import re
from html import unescape

from sharing.report.pages import HOSTILE
from tauscope.sharing.report.section import Section, code_html, contents_html, section_html


def test_the_answer_stands_before_all_else_and_text_stays_text():
    section = Section(
        f"Why {HOSTILE}?", f"Because {HOSTILE}.", "<p>body</p>", f"f({HOSTILE!r})", {HOSTILE: f"ts.Mean({HOSTILE!r})"},
        (f"Note {HOSTILE}",),
    )  # fmt: skip
    html = section_html(3, section)
    assert HOSTILE not in html
    assert unescape(html).replace("\u2060", "").count(HOSTILE) == 6
    places = [
        html.index(words) for words in ("<h2>", '<p class="answer">', "<p>body</p>", "What was moved", "<pre>", "Note")
    ]
    assert places == sorted(places)
    assert html.startswith('<section id="q3">')


def test_what_is_not_there_leaves_no_mark():
    html = section_html(1, Section("Why?", "So."))
    assert html == '<section id="q1"><h2>Why?</h2><p class="answer">So.</p></section>'
    assert code_html("") == ""


def test_code_can_be_copied():
    assert "\u2060" not in section_html(1, Section("?", ".", code="a < b", stresses={"x": "ts.Mean('<', tau=1)"}))


def test_contents_lead_to_the_sections():
    html = contents_html([Section("A <b>?", "."), Section("B?", ".")])
    assert re.findall(r'href="(#q\d)"', html) == ["#q1", "#q2"]
    assert "<b>" not in html


def test_no_sentence_of_an_answer_or_a_note_is_cut():
    long = " ".join(f"Sentence {place} of it." for place in range(40))
    html = section_html(1, Section("Why?", long, caveats=(long,)))
    assert html.count(long) == 2
