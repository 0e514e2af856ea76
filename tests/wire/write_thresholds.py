"""Write the thresholds that stand in both languages: python tests/wire/write_thresholds.py"""

import json
from pathlib import Path

from tauscope.stress import intervals, reliability
from tauscope.stress.joint import estimates, feasibility, solver
from tauscope.views.effects import traits
from tauscope.weights import pareto

FILE = Path(__file__).with_name("thresholds.json")
SOURCES = (
    (reliability, ("MIN_DF", "MIN_DF_WIDE", "MAX_PARETO_K")),
    (pareto, ("HANDFUL", "STANDS_OUT", "TIED", "SMALLEST")),
    (intervals, ("FEWEST", "EDGE")),
    (estimates, ("FLAT",)),
    (feasibility, ("DEPENDENT",)),
    (solver, ("THIN",)),
    (traits, ("EPSILON",)),
)


def golden() -> dict[str, float]:
    """Each threshold by its name, which TypeScript uses too."""
    return {name: getattr(module, name) for module, names in SOURCES for name in names}


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), indent=1) + "\n", "utf-8")
