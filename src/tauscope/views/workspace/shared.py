"""Traits of the views inside a workspace that are its own, so that all of them have one value of each."""

from tauscope.views.columns_message import ColumnsWire
from tauscope.views.workspace.host import mirrored

SHARED = {
    "joint": {"stress": "stress"},
    "curves": {"stress": "stress", "feature": "feature", "by": "by"},
    "effect": {"stress": "stress", "by": "by"},
    "boundary": {"row": "row"},
    "pooled": {"row": "row", "selection": "selection", "stress": "stress"},
    "rules": {"row": "row", "selection": "selection", "stress": "stress"},
    "table": {"row": "row", "selection": "selection", "stress": "stress"},
    "thresholds": {"stress": "stress", "by": "by"},
    "calibration": {"stress": "stress", "by": "by"},
    "worst_case": {"stress": "stress"},
    "models": {"stress": "stress"},
    "towards": {"stress": "stress"},
}
"""Traits of each view inside that are the workspace's own."""
OF_JOINT = {name: mirrored("joint", name) for name in ColumnsWire._fields}
"""Traits of the pooled boundary that the page has from the sliders: the study's columns, megabytes of them."""
OF_GROUPS = tuple(name for name, shared in SHARED.items() if "by" in shared and name != "curves")
"""Views that follow the groups picked for the curves."""
BY_GROUP = tuple(name for name in OF_GROUPS if name != "effect")
"""Those of them whose result is by group itself; an effect has groups laid over it."""
