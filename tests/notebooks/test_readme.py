"""What README.md shows is true: its lines of code run, its links and pictures are there."""

import re

import pytest

from analyst import LINES, answer
from architecture.tree import ROOT

PAGE = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_ten_lines_show_the_widget() -> None:
    lines = [line for line in BLOCKS[0].splitlines() if line]
    assert len(lines) <= 10
    names: dict[str, object] = {}
    exec("\n".join(lines[:-1]), names)
    data, _ = eval(lines[-1], names)._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "text/html", "image/svg+xml"} <= set(data)


def test_questions_are_those_that_are_tested() -> None:
    assert [line.partition("  # ")[0] for line in BLOCKS[1].splitlines()] == list(LINES.values())
    assert len(BLOCKS) == 2


def percentages(*values: float) -> list[str]:
    return [f"{100 * value:.1f} %" for value in values]


@pytest.mark.slow
def test_questions_have_the_answers_quoted() -> None:
    quoted = dict(zip(LINES, (line.partition("  # ")[2] for line in BLOCKS[1].splitlines()), strict=True))
    older, together = (answer(name).set_index("metric")[["before", "value"]] for name in ("older", "together"))
    told = percentages(*older.loc["error_rate"], *older.loc["portion_>50K"])
    assert re.findall(r"[\d.]+ %", quoted["older"]) == told
    assert re.findall(r"[\d.]+ %", quoted["together"]) == percentages(together["value"]["error_rate"])
    by_sex = answer("by sex").frame.query("metric == 'portion_>50K'").set_index("group")[["before", "value"]]
    told = percentages(*by_sex.loc["Female"], *by_sex.loc["Male"])
    assert re.findall(r"[\d.]+ %", quoted["by sex"]) == told
    worst = answer("harm").frame.iloc[0]
    assert worst["feature"] == "marital-status = Married-civ-spouse"
    assert worst["direction"] == "up"
    assert f"{100 * worst['change']:+.1f} points" in quoted["harm"]
    (turning,) = re.findall(r"[\d.]+ %", quoted["trust"])
    assert f"between 35 and 48 survives any reweighting up to {turning}" in repr(answer("trust"))


def test_links_and_pictures_are_in_the_repository() -> None:
    linked = re.findall(r'\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"', PAGE)
    inside = [first or second for first, second in linked if "://" not in first + second]
    assert "notebooks/01-tour.ipynb" in inside
    assert sum(path.endswith(".png") for path in inside) == 18
    assert [path for path in inside if not (ROOT / path).exists()] == []


def test_pictures_come_from_nowhere_else() -> None:
    assert not re.search(r'!\[[^]]*\]\(https?:|(?:src|srcset)="https?:', PAGE)


def test_commands_are_make_targets() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)\b(?= +#|`)", PAGE))
    assert {"demo", "test", "wheel"} <= named <= targets
