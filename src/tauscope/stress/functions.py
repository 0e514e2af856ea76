"""The user's functions, as metrics and moments are: results name them, and the study that was given them keeps them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class NamedFunction:
    """A function of the user's, by the name under which its study keeps it; data, where the function is none.

    Attributes
    ----------
    key : str
        Tells functions of one name apart.
    name : str
        The function's own, "<lambda>" among them.
    """

    key: str
    name: str

    @property
    def __name__(self) -> str:
        return self.name
