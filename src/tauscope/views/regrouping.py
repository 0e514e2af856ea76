"""Views whose result the kernel computes anew in other groups, as they are picked, beside following the stress."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, cast

from tauscope.prediction.stopping import Stopped
from tauscope.views.following import FollowingView
from tauscope.views.grouped import GroupedView
from tauscope.views.shared_stress import StressState


class RegroupingView(GroupedView, FollowingView):
    """A view of a result by groups, which takes the place of its result by those picked.

    Groups that cannot be had are said in the page, which keeps those it has, and follows the stress with them.

    Parameters
    ----------
    result : object
        What is shown first, by its own groups.
    groupings : mapping of str to groups, optional
        What can be picked beside the columns of the study, by name, each as its verbs take `by`; before what the
        columns and the result's own groups are called.
    **state
        First values of the traits.
    """

    _population: ClassVar[str]
    """Trait that has the population shown, a `FollowedMessage`."""
    _own: Any
    """Answer of the result's own population."""

    def __init__(self, result: Any, *, groupings: Mapping[str, Any] = MappingProxyType({}), **state: Any) -> None:
        by = self._grouped = result.grouped_by
        self._given = {**_groups_of(result), **groupings}
        self._refused: dict[str, str] = {}
        super().__init__(result, by=by, **state)
        self.observe(self._follow_stress, "by")

    @abstractmethod
    def _regroup(self, by: Any) -> Any:
        """Compute the result anew by other groups; None for all rows together."""

    @abstractmethod
    def _own_answer(self, result: Any) -> Any:
        """Return the answer of a result's own population."""

    @abstractmethod
    def _renew(self) -> None:
        """Set the traits of another result, and those of choices that its groups have not."""

    def _rest(self) -> None:
        self._show(self._own)

    def _problem(self) -> str:
        return self._told.get("error", "")

    @property
    def _told(self) -> dict[str, Any]:
        return getattr(self, self._population)

    def _beside(self) -> dict[str, str]:
        """Return what the message says of groups that are picked and not shown."""
        if self.by == self._grouped:
            return {}
        what = f"by {self.by}" if self.by else "of all rows together"
        if self.by in self._refused:
            return {"aside": f". Numbers {what} cannot be shown. {self._refused[self.by]}"}
        return {"aside": f" (before; the kernel computes numbers {what}…)"}

    def _follow_stress(self, change: object = None) -> None:
        if self.by == self._grouped or self.by in self._refused:
            super()._follow_stress(change)
            return
        setattr(self, self._population, {**self._told, **self._beside()})
        self._begin(partial(self._follow_groups, self.by, cast(StressState, self.stress)))

    def _follow_groups(self, by: str, state: StressState, stopped: Callable[[], bool]) -> None:
        result, own = self.result, self._own
        try:
            result = self._regroup(self.groupings[by] if by else None)
            own = self._own_answer(result)
        except Stopped:
            raise
        except Exception as error:  # a metric of one's own may raise anything; the page says it
            self._refused[by] = str(error) or type(error).__name__
        answer = self._answer(result, state) if state["taus"] else own
        with self.hold_sync():
            if stopped():
                return
            if result is not self.result:
                self.result, self._own, self._grouped = result, own, by
                self._renew()
            self._show(answer)


def _groups_of(result: Any) -> dict[str, Any]:
    """Return a result's own groups by their name."""
    name = result.grouped_by
    return {name: name if result.source is None else result._options["by"]} if name else {}
