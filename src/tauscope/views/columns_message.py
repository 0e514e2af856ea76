"""The rows that a page can reweight by itself: standardised columns as float32, with what τ means for each."""

from typing import Annotated, Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import Feature
from tauscope.results.stress.columns import StressColumns
from tauscope.stress.column.far_values import find_far_values
from tauscope.stress.column.sketch import NEAR_END
from tauscope.views.wire import Absent

BUDGET = 4_000_000


FINEST = 1e-4
"""Standard deviations that rows about an end of τ spread over, below which float32 does not tell them apart."""

MOST_VALUES = 256
"""Different values of a column that is sent as their places: levels, ages, counts."""


class ColumnMessage(TypedDict):
    """One feature: how it reads, its scale, and the means that τ = -1 and τ = 1 stand for, in its unit.

    `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones,
    else "". `missing` names the feature that is the
    share of its rows without a value; None where there is none, and for shares. `n_values` is how many different
    values the column is sent by, 0 where each row's own is sent. `held` tells whether its mean stays
    where others' means shall. `note_low` and `note_high` say what is unusual about τ < 0 and τ > 0, "" when nothing.
    """

    name: str
    column: str
    level: str | None
    kind: Literal["numeric", "share"]
    integer: bool
    unit: Annotated[str, Absent("")]
    mean: float
    sd: float
    low: float
    high: float
    n_missing: int
    missing: str | None
    n_values: Annotated[int, Absent(0)]
    held: bool
    note_low: str
    note_high: str


class ColumnsMessage(TypedDict):
    """What goes beside the columns. `shipped` is False where they are past the budget, and the kernel answers."""

    version: Literal[1]
    n_rows: int
    features: list[ColumnMessage]
    weighted: bool
    shipped: bool


class ColumnsWire(NamedTuple):
    """JSON and two buffers, float32 little-endian; the fields' names are those of the traits.

    Attributes
    ----------
    columns_message : ColumnsMessage
    columns : bytes
        A feature after the other, mean 0 and standard deviation 1 over the rows with a value, NaN elsewhere: each
        row's value, or its different values and then each row's place among them, a bit where there are two of them
        at most, else a byte; nothing where not shipped.
    row_weights : bytes
        [row], the study's weights, mean 1; nothing where all rows count alike.
    """

    columns_message: ColumnsMessage
    columns: bytes
    row_weights: bytes


def columns_size(columns: StressColumns) -> int:
    """Return the bytes of memory that what is shipped takes in the page."""
    return 4 * columns.n_rows * (len(columns.features) + (columns.sample_weight is not None))


def columns_wire(columns: StressColumns, *, budget: int = BUDGET, extra_bytes: int = 0) -> ColumnsWire:
    """Encode the columns of a study.

    Parameters
    ----------
    columns : StressColumns
    budget : int
        Bytes of memory that the page may have for them.
    extra_bytes : int
        Bytes that the view sends beside them, counted against the same budget.

    Returns
    -------
    ColumnsWire
    """
    shipped = columns_size(columns) + extra_bytes <= budget and not _are_dwarfed(columns)
    sent = [_encode(columns.standardised(k)) if shipped else (0, b"") for k in range(len(columns.features))]
    message: ColumnsMessage = {
        "version": 1,
        "n_rows": columns.n_rows,
        "features": [_column(columns, k, n_values) for k, (n_values, _) in enumerate(sent)],
        "weighted": columns.sample_weight is not None,
        "shipped": shipped,
    }
    if not shipped:
        return ColumnsWire(message, b"", b"")
    weights = b"" if columns.sample_weight is None else columns.sample_weight.astype("<f4").tobytes()
    return ColumnsWire(message, b"".join(data for _, data in sent), weights)


def _encode(column: NDArray[np.float64]) -> tuple[int, bytes]:
    """Return a column by its different values where that is shorter, with their number, else by each row's own."""
    rows = column.astype("<f4")
    values, places = np.unique(rows, return_inverse=True)  # NaN is one value
    by_value = 4 * len(values) + (len(rows) if len(values) > 2 else -(-len(rows) // 8))
    if len(values) > MOST_VALUES or by_value >= rows.nbytes:
        return 0, rows.tobytes()
    codes = places.astype(np.uint8)
    packed = codes if len(values) > 2 else np.packbits(codes, bitorder="little")
    return len(values), values.tobytes() + packed.tobytes()


def _are_dwarfed(columns: StressColumns) -> bool:
    """Tell whether a few values dwarf some column, so that in float32 the others would all but lie at one point."""
    steep = (
        0 < NEAR_END * end.slope < FINEST * sd
        for ends, sd in zip(columns.ends, columns.sd, strict=True)
        for end in ends
    )
    # the ends of a column of few whole numbers have no slope
    return any(steep) or any(find_far_values(columns.standardised(k)) for k in range(len(columns.features)))


def _missing_share(columns: StressColumns, feature: Feature) -> str | None:
    if feature.kind == "share":
        return None
    shares = (share for share in columns.features if share.column == feature.column and share.kind == "share")
    return next((share.name for share in shares if share.code == -1), None)


def _column(columns: StressColumns, which: int, n_values: int) -> ColumnMessage:
    feature, notes = columns.features[which], columns.notes[which]
    return {
        "name": feature.name,
        "column": feature.column,
        "level": feature.level,
        "kind": feature.kind,
        "integer": feature.integer,
        "unit": feature.source.reading if feature.kind == "numeric" else "",
        "mean": float(columns.mean[which]),
        "sd": float(columns.sd[which]),
        "low": float(columns.low[which]),
        "high": float(columns.high[which]),
        "n_missing": int(columns.n_missing[which]),
        "missing": _missing_share(columns, feature),
        "n_values": n_values,
        "held": feature.name in columns.held,
        "note_low": notes.low,
        "note_high": notes.high,
    }
