"""What results of several indices have in common: names, places, and the index that is spoken of first."""

from collections.abc import Sequence

from tauscope.results.names import place_of
from tauscope.stress.metrics import Index


class Indexed:
    """A result with a value for each of several indices."""

    @property
    def _indices(self) -> tuple[Index, ...]:
        raise NotImplementedError

    @property
    def index_names(self) -> tuple[str, ...]:
        """Names of the indices, in order."""
        return tuple(index.name for index in self._indices)

    @property
    def leading_index(self) -> Index:
        """The index that is shown first: the first portion of a class, else the first of all."""
        return self._indices[self.index_names.index(leading_name(self.index_names))]

    def index_place(self, name: str) -> int:
        """Place of an index among `index_names`; UnknownName, with the nearest, when it is not there."""
        return place_of("index", name, self.index_names)


def leading_name(names: Sequence[str]) -> str:
    """Return the first portion of a class among the names of indices, else the first of all."""
    return next((name for name in names if name.startswith("portion_")), names[0])
