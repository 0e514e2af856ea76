from tauscope.views.rules.rules import rules_table
from wire.write_rules import found


def test_a_line_for_each_rule():
    result = found(3)
    table = rules_table(result)
    assert table.count("<tr>") == 1 + len(result)
    assert "age from 40 to 57 and slope ≤ 0.7" in table
    assert "predicted no" in table
    assert "<b>" not in table


def test_no_rule():
    assert "reaches π = 90 %" in rules_table(found(23))
