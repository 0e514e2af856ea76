"""Parts of JSON of the kind that is expected there."""

from __future__ import annotations

from typing import Any, cast

from tauscope.errors import InputError


def list_of(value: object, what: str) -> list[Any]:
    """Return a list, refusing anything else; `what` names it, as the beginning of a sentence."""
    if not isinstance(value, list):
        raise InputError(f"{what} a list; got {value!r:.60}")
    return cast(list[Any], value)


def mapping_of(value: object, what: str) -> dict[str, Any]:
    """Return an object, refusing anything else; `what` names it, as the beginning of a sentence."""
    if not isinstance(value, dict):
        raise InputError(f"{what} a mapping; got {value!r:.60}")
    return cast(dict[str, Any], value)
