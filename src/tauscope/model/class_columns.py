"""Which class each column of scores is of, where a frame's names say it."""

from collections.abc import Callable, Hashable, Sequence

from tauscope.data.labels import plain
from tauscope.errors import InputError

Classes = tuple[Hashable, ...]
TRUTH_VALUES = {"true": 1.0, "false": 0.0}


def find_columns(names: Sequence[Hashable], classes: Classes) -> list[int] | None:
    """Return the position of each class's column among the names.

    Parameters
    ----------
    names : sequence
        Of a frame's columns.
    classes : tuple

    Returns
    -------
    list of int or None
        None where columns are to be taken in the order of the classes: another number of names, or names that say
        nothing, such as 0, 1, … or "a", "b" for the classes "no" and "yes".

    Raises
    ------
    InputError
        Where some names are classes and others not.

    Notes
    -----
    A name is a class when it equals it; else when both read alike: "1", "1.0", 1, 1.0, True and "true". All names may
    have the same words around the class, as in "proba_no", "proba_yes".
    """
    if len(names) != len(classes):
        return None
    spellings: tuple[Callable[[Hashable], Hashable], ...] = (plain, _read)
    for spelling in spellings:
        place = {spelling(name): k for k, name in enumerate(names)}
        spelled = [spelling(label) for label in classes]
        if len(place) == len(names) and {*place} == {*spelled}:
            return [place[label] for label in spelled]
    if (places := _within_words([str(name) for name in names], [str(plain(label)) for label in classes])) is not None:
        return places
    numbered = [_read(name) for name in names] == list(range(len(names)))
    known = {_read(label) for label in classes}
    if numbered or not any(_read(name) in known for name in names):
        return None
    raise InputError(
        f"Columns of scores must be named by all classes, {list(classes)!r}, or by none; got {list(names)!r}. Rename "
        "them, or give an array in the order of the classes."
    )


def check_lone_score(name: Hashable, classes: Classes, other_side: bool) -> None:
    """Refuse one column of scores of two classes that is named by the class it is not of."""
    if len(classes) != 2 or _read(name) == 0:  # 0 is how pandas names a column that nobody named
        return
    wrong = classes[1] if other_side else classes[0]
    if _read(name) == _read(wrong):
        raise InputError(
            f"One column of scores must be of the class {classes[0 if other_side else 1]!r}; got one named {name!r}. "
            "Give a column for each class."
        )


def _read(label: Hashable) -> Hashable:
    """Return a number for what reads as one, a truth value for its 0 or 1, else the text."""
    text = str(plain(label))
    try:
        number = float(text)
    except ValueError:
        return TRUTH_VALUES.get(text.casefold(), text)
    return number if abs(number) < float("inf") else text


def _within_words(names: list[str], labels: list[str]) -> list[int] | None:
    """Find the labels between the same words in all names."""
    place = {name: k for k, name in enumerate(names)}
    for label in labels:
        before, found, after = names[0].rpartition(label)
        spelled = [f"{before}{each}{after}" for each in labels]
        if found and len(place) == len(names) and {*spelled} == {*place}:
            return [place[name] for name in spelled]
    return None
