from datetime import date

from results.samples import HOSTILE
from tauscope.sharing.html import TAKE_AWAY, by_hash, copy_note, escape_script, html_page


def test_a_page_admits_what_is_named_and_loads_nothing():
    html = html_page(
        title=HOSTILE,
        main="<main>in</main>",
        note=HOSTILE,
        scripts=("<script>1</script>",),
        admitted=(by_hash("1"), "blob:"),
        styles=("p::after { content: '</style>'; }",),
    )
    assert f"script-src {by_hash(TAKE_AWAY)} {by_hash('1')} blob:; style-src" in html
    assert html.count("</script>") == 2
    assert html.count("</style>") == 2
    assert "<main>in</main>" in html


def test_a_hash_is_of_the_bytes():
    # printf é | openssl dgst -sha256 -binary | base64
    assert by_hash("é") == "'sha256-SplVfkAzw1Od4utlRyAXytX5VX96BiWgnxw/biumnEw='"


def test_json_stays_in_its_element():
    assert escape_script('"</script><!--\u2028\u2029"') == '"\\u003c/script>\\u003c!--\\u2028\\u2029"'


def test_a_copy_says_of_when_it_is():
    assert copy_note("Curves", date(2026, 2, 3)) == "Static copy, computed 2026-02-03: Curves. No kernel, no network."
