"""What is said of a widget's trait that was given wrongly, with the caller's lines and none of the machinery's."""

from collections.abc import Mapping
from typing import Any

import traitlets

from tauscope.errors import TauscopeError

WORDS: Mapping[type[Any], str] = {
    traitlets.Bool: "True or False",
    traitlets.Dict: "a dict",
    traitlets.Float: "a number",
    traitlets.Int: "a whole number",
    traitlets.List: "a list",
    traitlets.Unicode: "text",
}


class WrongTrait(TauscopeError, traitlets.TraitError):
    """A value that a widget's trait cannot take."""


class Choice(traitlets.Enum[Any]):
    """One of several words; anything but text is refused before it is compared, which not every value can be."""

    def validate(self, obj: Any, value: Any) -> Any:
        """See `traitlets.Enum`."""
        if not isinstance(value, str):
            self.error(obj, value)
        return super().validate(obj, value)


def check_kind(owner: traitlets.HasTraits, name: str, value: object) -> None:
    """Refuse a value of another kind than a trait's; names of none are let pass.

    Raises
    ------
    WrongTrait
    """
    trait = owner.traits().get(name)
    words = WORDS.get(type(trait))
    if trait is None or words is None or (value is None and trait.allow_none):
        return
    try:
        trait.validate(owner, value)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    except (traitlets.TraitError, OverflowError):  # of a whole number beyond any float
        raise WrongTrait(
            f"{name} must be {words}{' or None' if trait.allow_none else ''}; got {value!r:.80}."
        ) from None
