"""What a view of the workspace shows first: which result that is, how it is computed, and how far that has come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tauscope.results.stress.harm import StressHarm, moved_together
from tauscope.results.stress.worst_case import WorstCase
from tauscope.views.boundary.pooled_message import MOST_ROWS
from tauscope.views.boundary.pooled_rows import pooling_words, rows_to_pool
from tauscope.views.columns_message import ColumnsWire
from tauscope.views.workspace.host import mirrored
from tauscope.views.workspace.message import Opened, OpenedMessage

if TYPE_CHECKING:
    from tauscope.results.base import Study


class Asked(NamedTuple):
    """What is computed when a view is first shown."""

    name: str
    column: str
    row: int
    selection: Sequence[int] = ()
    by: str = ""
    grouping: Any = ""
    curves: Any = None

    def words(self, study: Study) -> str:
        """Say what is being computed.

        Raises
        ------
        NoRows
            Where nothing is to be pooled.
        """
        model = study._model_name
        match self.name:
            case "effect":
                return f"Asking {model} about {self.column}"
            case "boundary":
                return f"Asking {model} about row {self.row:,}"
            case "pooled":
                return pooling_words(model, len(rows_to_pool(study, self.selection)))
            case "rules":
                return f"Searching the rules of row {self.row:,}"
            case "thresholds":
                return "Counting decisions at every threshold"
            case "calibration":
                return "Comparing probabilities with what was true"
            case "worst_case":
                return "Searching the shift that harms most, features moved together"
            case "models":
                return "Comparing both models"
            case "towards":
                return "Going the way to the other population"
            case _:
                return "Listing the rows"

    def same(self, other: Asked) -> bool:
        """Whether both ask for the same result; column, row and groups matter to those alone that are of them.

        Other rows to be pooled do not make it another: a person asks for these.
        """
        return self._subject == other._subject

    @property
    def _subject(self) -> tuple[str, object]:
        of: dict[str, object] = {"effect": self.column, "boundary": self.row, "rules": self.row}
        return self.name, (of | dict.fromkeys(BY_GROUP, self.by)).get(self.name)

    @property
    def _groups(self) -> Any:
        return self.grouping if self.by else None

    @property
    def unit(self) -> str:
        """What is counted as done."""
        return "rules" if self.name == "rules" else "model rows"

    def compute(self, study: Study, callback: Callable[[int, int], bool]) -> Any:
        """Compute the result; `callback` is told how far it is, in `unit`, and stops it with something true."""
        match self.name:
            case "effect":
                return study.effect(self.column, callback=callback)
            case "boundary":
                return study.boundary(self.row, random_state=0, callback=_counted(callback))
            case "pooled":
                rows = rows_to_pool(study, self.selection)
                return study.pooled_boundary(rows, max_rows=MOST_ROWS, random_state=0, callback=_counted(callback))
            case "rules":
                return study.rules(self.row, callback=callback)
            case "thresholds":
                return study.threshold_curves(by=self._groups)
            case "calibration":
                return study.calibration(by=self._groups)
            case "worst_case":
                return worst_together(study, self.curves.harm())
            case _:
                return study.table()


def worst_together(study: Study, harm: StressHarm) -> WorstCase:
    """Search the worst shift of the few features that harm most by themselves, of the size these were compared at."""
    together = moved_together(harm) or None
    return study.worst_case(
        harm.metric.name, within={"tv": harm._asked}, features=together, random_state=0, progress=False
    )


def _counted(callback: Callable[[int, int], bool]) -> Callable[[int, int], bool]:
    """Leave out the total: a search for a boundary ends before it, when the flip is found."""
    return lambda done, total: callback(done, 0)


def said(
    state: Opened,
    words: str = "",
    *,
    done: int = 0,
    total: int = 0,
    unit: str = "model rows",
    again: bool = False,
) -> OpenedMessage:
    """Fill the message."""
    return {"state": state, "words": words, "done": done, "total": total, "unit": unit, "again": again}


def first_row(study: Study) -> int:
    """Return the first row that is misclassified; the first of all where none is, or none can be."""
    if study._task == "regression" or study._true_values is None:
        return 0
    wrong = study.errors
    return int(wrong[0]) if len(wrong) else 0


def second_metric(curves: Any) -> str:
    """Return what the second curve shows: how wrong the model is, or else the first metric but one."""
    names = [metric["name"] for metric in curves.message["metrics"]]
    others = [name for name in names if name != curves.metric]
    wanted = [name for name in ("error_rate", "rmse") if name in others]
    return (*wanted, *others, curves.metric)[0]


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
