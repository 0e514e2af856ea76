"""What README.md shows is true: its lines of code run, its links and pictures are there."""

import re

from house.tree import ROOT

PAGE = (ROOT / "README.md").read_text()


def test_ten_lines_show_the_widget() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    lines = [line for line in code.splitlines() if line]
    assert len(lines) <= 10
    names: dict[str, object] = {}
    exec("\n".join(lines[:-1]), names)
    data, _ = eval(lines[-1], names)._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "text/html", "image/svg+xml"} <= set(data)


def test_links_and_pictures_are_in_the_repository() -> None:
    linked = re.findall(r'\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"', PAGE)
    inside = [first or second for first, second in linked if "://" not in first + second]
    assert "notebooks/01-tour.ipynb" in inside
    assert sum(path.endswith(".png") for path in inside) == 2
    assert [path for path in inside if not (ROOT / path).is_file()] == []


def test_pictures_come_from_nowhere_else() -> None:
    assert not re.search(r'!\[[^]]*\]\(https?:|(?:src|srcset)="https?:', PAGE)


def test_commands_are_make_targets() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)\b(?= +#|`)", PAGE))
    assert {"demo", "test", "wheel"} <= named <= targets
