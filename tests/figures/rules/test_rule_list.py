import numpy as np

import tauscope as ts


def test_the_bars_go_on_where_the_rule_before_ended():
    X = np.random.default_rng(0).uniform(size=(400, 2))
    study = ts.Study(lambda rows: (rows[:, 0] > 0.5).astype(int), X)
    found = study.rule_list(n_rows=40, n_estimators=5)
    chart = found.chart().to_dict()
    (records,) = chart["datasets"].values() if "datasets" in chart else (chart["layer"][1]["data"]["values"],)
    assert len(records) == len(found)
    assert records[-1]["after"] == found.covered[-1]
    assert records[0]["before"] == 0
    assert [one["after"] for one in records[:-1]] == [one["before"] for one in records[1:]]
    assert found.decisions[0] in records[0]["rule"]
    assert f"Else: {found.default_decision}." in chart["title"]["subtitle"]
