import pytest

from tauscope.views.rules.traits import rules_message
from wire.write_rules import found, found_value


def test_whether_a_kernel_can_be_asked():
    result = found(3)
    live, saved = (rules_message(result, kernel=kernel) for kernel in (True, False))
    assert (live["live"], live["offline"], live["n_rows"]) == (True, "", 160)
    assert (saved["live"], saved["offline"]) == (False, "This page has no kernel: another row and another π need one.")
    assert live["model"].endswith(", 160 rows")


@pytest.mark.slow
def test_of_values_another_span_needs_one_too():
    said = rules_message(found_value(3), kernel=False)["offline"]
    assert said == "This page has no kernel: another row, π and span of values need one."
    given = rules_message(found_value(3, t=(30.0, 70.0)), kernel=False)["offline"]
    assert given == "This page has no kernel: another row and another π need one."
