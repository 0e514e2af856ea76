"""Write the golden messages of the table of rows, read by both languages: python tests/wire/write_table.py"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import tauscope as ts
from tauscope.results.workspace.table import RowTable
from tauscope.views.shared_stress import StressState
from tauscope.views.workspace.listing import Query, listing_of
from tauscope.views.workspace.sampled import SampledWire, sampled_wire
from tauscope.views.workspace.table import RowTableView
from tauscope.views.workspace.table_message import listed_wire, weighed

FILE = Path(__file__).with_name("table.json")
N_ROWS = 60
BUFFERS = ("entries", "row_weights")
STRESS: StressState = {"taus": {"age": 0.5}, "hold": "none"}
SELECTION = [2, 3, 5, 44]
QUERIES = (
    Query(),
    Query("HIGH"),
    Query("41"),
    Query("#7"),
    Query("2,020", sort="score"),
    Query("2020-02", sort="signed", descending=True),
    Query(filter="errors", sort="age", descending=True),
    Query(filter="near", sort="score"),
    Query(filter="selected", sort="<b>level</b>", descending=True),
    Query(sort="weight under the stress", descending=True),
    Query(sort="weight"),
    Query(sort="slope"),
    Query(descending=True),
    Query("nowhere"),
)
SAMPLED, MOST = (Query(), Query(filter="errors")), 40


def rows() -> pd.DataFrame:
    """Numbers with some missing, levels to escape, dates, numbers that float32 cannot hold; no random numbers."""
    i = np.arange(N_ROWS)
    level = np.array(["low", "middle", "high"], dtype=object)[i * i % 7 % 3]
    level[4] = None
    return pd.DataFrame(
        {
            "age": 20.0 + (7 * i) % 41,
            "<b>level</b>": level,
            "slope": np.where(i % 9 == 4, np.nan, np.sin(i) + i / 40),
            "signed": pd.Timestamp("2020-01-01") + pd.to_timedelta(3 * i, unit="D"),
            "account": 2**31 + 17 * i,
        }
    )


def table(*, weighted: bool) -> RowTable:
    """Return the golden result."""
    i = np.arange(N_ROWS)
    weight = 1.0 + i % 5 if weighted else None
    score = 0.5 + 0.49 * np.cos(1.7 * i)
    truth = np.resize(["no", "yes", "yes"], N_ROWS)
    study = ts.Study.from_predictions(rows(), truth, y_score=score, sample_weight=weight)
    return study.table()


def case(*, weighted: bool) -> dict[str, Any]:
    """Return the state of one view, and what Python answers to some queries."""
    result = table(weighted=weighted)
    view = RowTableView(result)
    listing = listing_of(result)
    message, after = weighed(result, STRESS)
    state: dict[str, Any] = {
        "json": {"message": view.message, "weighed": message},
        "buffers": {name: b64encode(getattr(view, name)).decode() for name in BUFFERS},
        "selection": SELECTION,
        "answers": [],
    }
    assert after is not None
    state["buffers"]["weighed_weights"] = b64encode(after.astype("<f4").tobytes()).decode()
    for query in QUERIES:
        listed, window = listed_wire(listing, query, 0, SELECTION, STRESS, after)
        rows_found = listing.find(query, SELECTION, after).tolist()
        state["answers"].append({"listed": listed, "window": b64encode(window).decode(), "rows": rows_found})
    state["samples"] = [_sample(sampled_wire(listing, query, SELECTION, STRESS, after, most=MOST)) for query in SAMPLED]
    view.close()
    return state


def _sample(wire: SampledWire) -> dict[str, Any]:
    """Return a sample as JSON."""
    buffers = {name: b64encode(getattr(wire, name)).decode() for name in ("sample", "sample_weights")}
    return {"sampled": wire.sampled, **buffers}


def golden() -> dict[str, Any]:
    """Rows that count alike, and rows with weights."""
    return {"plain": case(weighted=False), "weighted": case(weighted=True)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), ensure_ascii=False, indent=None, allow_nan=False) + "\n", "utf-8")
