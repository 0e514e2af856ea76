"""Write the thresholds that stand in both languages: python tests/wire/write_thresholds.py"""

import json
from pathlib import Path
from typing import Any

from tauscope.stress import estimates as precision, intervals, reliability
from tauscope.stress.joint import estimates, feasibility, solver
from tauscope.views.effects import traits
from tauscope.weights import carriers, measures, pareto, student

FILE = Path(__file__).with_name("thresholds.json")
SOURCES = (
    (
        reliability,
        (
            "MIN_BEYOND",
            "MIN_BEYOND_WIDE",
            "MIN_BEYOND_SPREAD",
            "COUNTED_BEYOND",
            "MIN_DF",
            "MIN_DF_WIDE",
            "MIN_EVENTS",
            "MIN_ERRORS",
            "MIN_ERRORS_WIDE",
            "MIN_ERRORS_DF",
            "ROUNDING",
            "MIN_SPREAD_ROWS",
            "MAX_PARETO_K",
            "MAX_DIVERGENCE_RATIO",
            "MIN_LONG_TAIL_K",
            "MANY_DF",
            "MAX_TAIL",
            "MAX_TAIL_WIDE",
        ),
    ),
    (carriers, ("MIN_CARRIERS", "MIN_CARRIERS_WIDE", "GROWN")),
    (measures, ("LEAST_TV", "TV_ROUNDING")),
    (pareto, ("HANDFUL", "STANDS_OUT", "TIED", "SMALLEST")),
    (student, ("MIN_SIZE",)),
    (precision, ("STEEPEST",)),
    (intervals, ("FEWEST", "EDGE", "ROWS_PER_DF", "SCALED_DF", "LEAST_SHARE", "LEAST_SIZE")),
    (estimates, ("FLAT",)),
    (feasibility, ("DEPENDENT",)),
    (solver, ("THIN",)),
    (traits, ("EPSILON",)),
)


def golden() -> dict[str, Any]:
    """Each threshold by its name, which TypeScript uses too, and the reasons by their codes."""
    thresholds = {name: getattr(module, name) for module, names in SOURCES for name in names}
    return thresholds | {"REASONS": [reason.name for reason in reliability.REASONS]}


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), indent=1) + "\n", "utf-8")
