"""The engine still gives the numbers of groups on which the page's are tested."""

import json

import pytest

from wire.compare import assert_same
from wire.write_groups import FILE, golden


@pytest.mark.slow
def test_groups():
    assert_same(golden(), json.loads(FILE.read_text("utf-8")), "groups")
