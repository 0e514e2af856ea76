"""Views of rows told apart by groups, which are picked by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import traitlets

from tauscope.data.groups import group_columns
from tauscope.errors import InputError
from tauscope.views.base import check_name
from tauscope.views.study_columns import in_memory
from tauscope.views.working import WorkingView

if TYPE_CHECKING:
    from tauscope.results.base import Study

MOST_GROUPS = 12
"""Groups that have a line each."""


class GroupedView(WorkingView):
    """A view with the trait `by`: "" for all rows together, a column of the study, or groups given under a name."""

    _given: Mapping[str, Any] = MappingProxyType({})

    by = traitlets.Unicode(help="what rows are told apart by; empty for all together").tag(sync=True)

    @traitlets.validate("by")
    def _check_by(self, proposal: dict[str, Any]) -> str:
        by = proposal["value"]
        return by if by in ("", *self._given) else check_name("grouping", by, ["", *self.groupings])

    @cached_property
    def groupings(self) -> Mapping[str, Any]:
        """What can be picked as `by`, each as a verb of the study takes it: a column's name, several, labels."""
        return {**{name: name for name in self._offered()}, **self._given}

    @property
    def grouping(self) -> Any:
        """What is picked, as a verb of the study takes it; "" for all rows together."""
        return self.groupings[self.by] if self.by else ""

    def _offered(self) -> list[str]:
        """Return the columns that can be picked; none where no kernel follows them."""
        source: Study | None = self.result.source
        if self._offline or source is None or not in_memory(source):
            return []
        return group_columns(source._columns)


def check_few(name: str, labels: Sequence[str], every: str) -> None:
    """Refuse groups of which not each can have a line; `every` is how all of them are had as a table.

    Raises
    ------
    InputError
        For fewer than two or more than 12.
    """
    if not 2 <= len(labels) <= MOST_GROUPS:
        raise InputError(
            f"Curves are drawn of 2 to {MOST_GROUPS} groups; {name!r} makes {len(labels)}. Put rare ones together "
            f"first and give the labels: widget(by=labels). All of them are in {every}.by(…).frame."
        )
