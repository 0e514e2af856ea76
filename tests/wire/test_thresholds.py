"""The thresholds are still those of the golden file; TypeScript reads the same file."""

import json

from wire.write_thresholds import FILE, SOURCES, golden


def test_thresholds_are_the_golden_ones():
    assert json.loads(FILE.read_text("utf-8")) == golden()


def test_no_name_stands_for_two_thresholds():
    assert len(golden()) == 1 + sum(len(names) for _, names in SOURCES)
