"""Write the golden message of calibration, read by both languages: python tests/wire/write_calibration.py"""

import json
from pathlib import Path
from typing import Any

from tauscope.results.base import finite_records
from tauscope.results.stress.calibration import Calibration
from tauscope.stress.joint.constraints import Mean
from tauscope.views.stress.calibration import CalibrationView
from wire.write_decisions import STRESS, golden_study

FILE = Path(__file__).with_name("stress_calibration.json")


def golden_state(result: Calibration, **traits: Any) -> dict[str, Any]:
    view = CalibrationView.offline(result, **traits)
    return {name: getattr(view, name) for name in ("group", "stress", "message", "shown")}


def golden() -> dict[str, Any]:
    """The rows as tested, groups of a population of its own, a stress that views share, and one that cannot be met."""
    study = golden_study()
    plain = study.calibration(n_bins=5)
    groups = study.calibration(Mean("slope", tau=0.3), n_bins=4, by="<b>level</b>")
    live = CalibrationView(plain, stress={"taus": {"missing": 0.2}, "hold": "none"})
    live.wait()
    return {
        "tested": golden_state(plain),
        "groups": golden_state(groups),
        "stressed": golden_state(plain, stress=STRESS),
        "refused": live.shown,
        "expected": {
            name: {"summary": finite_records(one.summary), "changes": finite_records(one.changes)}
            for name, one in {"tested": plain, "groups": groups}.items()
        },
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
