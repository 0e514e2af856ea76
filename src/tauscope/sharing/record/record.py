"""The record of a result: what it is, of which data, made with what, and its fields, as one JSON document."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from typing import Any, TypedDict, cast

import pandas as pd

from tauscope.errors import InputError
from tauscope.results.base import Result, finite_records
from tauscope.results.versions import package_versions
from tauscope.sharing.record.values import Reader, Writer

SCHEMA, VERSION = "tauscope.result", 1


class DataDocument(TypedDict):
    """By which the data of a result are known again; None for what is not known, as of rows that came in chunks."""

    hash: str | None
    n_rows: int | None
    columns: list[str] | None
    seed: int | None


class RecordDocument(TypedDict):
    """A record: `summary` is for people and other programs, `result` and `shared` are what is read again.

    `digest` is the SHA-256 of all else, by which a file that was changed or damaged is told.
    """

    schema: str
    version: int
    kind: str
    title: str
    notes: list[str]
    made: str
    computed: str
    packages: dict[str, str]
    data: DataDocument
    seed: int | None
    summary: dict[str, Any]
    result: Any
    shared: list[Any]
    digest: str


def record_of(result: Result) -> RecordDocument:
    """Return the record of a result.

    Raises
    ------
    InputError
        For a field that has no form in JSON, such as labels of a class of the user's.
    """
    writer = Writer(result.source)
    try:
        fields = writer.write(result)
        Reader(writer.shared, None).read(fields)  # what could not be read again is refused while the result is there
    except InputError as error:
        raise InputError(
            f"This {type(result).__name__} cannot be saved as .json: {error}. Save it as .csv, or with joblib."
        ) from None
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "kind": type(result).__name__,
        "title": result.title,
        "notes": list(result.notes),
        "made": date.today().isoformat(),
        "computed": result.computed_on.isoformat(),
        "packages": package_versions(result.source),
        "data": data_of(result),
        "seed": _seed(result),
        "summary": plain(result._document() or {"records": finite_records(result.frame)}),
        "result": fields,
        "shared": writer.shared,
    }
    return cast(RecordDocument, document | {"digest": digest_of(document)})


def data_of(result: Result) -> DataDocument:
    """Return by which the data of a result are known again, as far as they are."""
    source = result.source
    if source is None:
        return {"hash": None, "n_rows": getattr(result, "n_rows", None), "columns": None, "seed": None}
    return {
        "hash": getattr(source, "data_hash", None),  # rows in chunks have none
        "n_rows": source.n_rows,
        "columns": list(source.feature_names),
        "seed": getattr(source, "_random_state", None),
    }


def text_of(document: Mapping[str, Any]) -> bytes:
    """Return a record as JSON in UTF-8, a line for each part; half of a surrogate pair as its escape."""
    lines = ",\n".join(f" {_dump(name)}: {_dump(part)}" for name, part in document.items())
    return f"{{\n{lines}\n}}\n".encode("utf-8", "backslashreplace")


def digest_of(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record without its digest, whatever its layout and the order of its keys."""
    bare = {name: part for name, part in document.items() if name != "digest"}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(text.encode("utf-8")).hexdigest()


def plain(value: Any) -> Any:
    """Return a value as JSON has it: null for a number that is not finite or no date, dates as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is pd.NaT:
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast(list[Any], value)]
    return value


def _dump(part: Any) -> str:
    return json.dumps(part, ensure_ascii=False, allow_nan=False)


def _seed(result: Any) -> int | None:
    """Return the seed of what was drawn, wherever the result keeps it."""
    for holder in (result, getattr(result, "_spec", None), getattr(result, "_options", None)):
        seed = getattr(holder, "random_state", None)
        if seed is not None:
            return int(seed)
    return None
