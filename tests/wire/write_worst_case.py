"""Write the golden message of a worst case, read by both languages: python tests/wire/write_worst_case.py"""

import json
from pathlib import Path
from typing import Any

from tauscope.results.stress.worst_case import WorstCase
from tauscope.views.stress.worst_case import WorstCaseView
from wire.write_decisions import golden_study

FILE = Path(__file__).with_name("stress_worst_case.json")


def golden_state(result: WorstCase) -> dict[str, Any]:
    view = WorstCaseView.offline(result)
    return {name: getattr(view, name) for name in ("amount", "stress", "message", "path")}


def golden() -> dict[str, Any]:
    """Means within a distance, any rows, and the way to a value."""
    study = golden_study()
    return {
        "means": golden_state(study.worst_case("error_rate", within={"kl": 0.02}, features="slope")),
        "rows": golden_state(study.worst_case("error_rate", within={"tv": 0.1})),
        "reach": golden_state(study.worst_case("error_rate", reach=0.4, features="slope", held_out=0)),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
