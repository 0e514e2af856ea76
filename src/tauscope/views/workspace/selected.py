"""What the rows selected weigh, as tested and under the stress, where the page has not the rows to weigh them."""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import TYPE_CHECKING, TypedDict, cast

from tauscope.views.shared_stress import StressState
from tauscope.views.wire import OrNaN

if TYPE_CHECKING:
    from tauscope.views.stress.joint import JointStressView
    from tauscope.views.workspace.workspace import Workspace
    from tauscope.weights.arrays import Floats


class SelectedMessage(TypedDict):
    """Share of all weight that the rows selected have, as tested and under a stress: None where it has no weights.

    `n` rows whose positions add up to `total` tell which rows were weighed.
    """

    stress: StressState
    n: int
    total: int
    share: float
    share_after: OrNaN


def selected_message(
    selection: Sequence[int], n_rows: int, base: Floats | None, after: Floats | None, stress: StressState
) -> SelectedMessage:
    """Weigh some rows of a study; `base` None where all count alike."""
    rows = list(selection)
    share = len(rows) / n_rows if base is None else float(base[rows].sum() / base.sum())
    share_after = None if after is None else float(after[rows].sum() / after.sum())
    return {"stress": stress, "n": len(rows), "total": sum(rows), "share": share, "share_after": share_after}


class SelectedFollower:
    """Weighs the rows that a workspace has selected whenever they, or the kernel's answer to its stress, are others."""

    def __init__(self, workspace: Workspace, joint: JointStressView) -> None:
        self._workspace, self._joint = workspace, joint
        self._weighing = RLock()  # answers come beside the kernel's own work, and the page may select meanwhile
        workspace.observe(self._weigh, ["selection", "stress"])
        joint.observe(self._weigh, "answer")
        self._weigh()

    def _weigh(self, change: object = None) -> None:
        with self._weighing:
            selection, stress = self._workspace.selection, cast(StressState, self._workspace.stress)
            if not selection:
                self._workspace.selected = {}
                return
            columns, after = self._joint.result._columns, None
            if stress["taus"]:
                solved = self._joint.solved
                if solved is None or solved[0] != stress:
                    return  # the answer comes, and is heard
                after = solved[1]
            message = selected_message(selection, columns.n_rows, columns.sample_weight, after, stress)
            self._workspace.selected = dict(message)
