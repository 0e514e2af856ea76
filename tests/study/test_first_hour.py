"""A credit analyst's five questions, each a line of code, against arithmetic that knows nothing of the package."""

from functools import cache

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from analyst import answer, model, rows, study

pytestmark = pytest.mark.slow
EPSILON = 0.1
DISTANCE = 0.1


@cache
def predicted():
    return model().predict(rows("test")[0])


def wrong():
    return (predicted() != rows("test")[1].to_numpy()).astype(float)


def rich():
    return (predicted() == ">50K").astype(float)


def tilted(columns, shifts):
    """Weights exp(ξ·x) whose means are those of the rows plus the shifts: the least of a convex function of ξ."""
    moved = columns - columns.mean(axis=0)
    scale = moved.std(axis=0)
    moved, shifts = moved / scale, np.asarray(shifts) / scale
    found = minimize(lambda xi: np.log(np.exp((moved - shifts) @ xi).mean()), np.zeros(len(shifts)), tol=1e-12)
    weights = np.exp(moved @ found.x)
    return weights / weights.sum()


def numbers(*names):
    return rows("test")[0][list(names)].to_numpy(dtype=float)


def values(table):
    return table.set_index("metric")["value"]


def test_people_five_years_older():
    weights = tilted(numbers("age"), [5])
    found = values(answer("older"))
    assert found["error_rate"] == pytest.approx(weights @ wrong(), abs=1e-6)
    assert found["portion_>50K"] == pytest.approx(weights @ rich(), abs=1e-6)


@pytest.mark.parametrize("sex", ["Female", "Male"])
def test_people_five_years_older_by_sex(sex):
    inside = (rows("test")[0]["sex"] == sex).to_numpy()
    weights = tilted(numbers("age"), [5])[inside]
    found = answer("by sex").frame.query("group == @sex")
    assert values(found)["portion_>50K"] == pytest.approx(np.average(rich()[inside], weights=weights), abs=1e-6)
    assert values(found)["error_rate"] == pytest.approx(np.average(wrong()[inside], weights=weights), abs=1e-6)


def test_age_and_education_together():
    weights = tilted(numbers("age", "education-num"), [5, 1])
    found = values(answer("together"))
    assert found["error_rate"] == pytest.approx(weights @ wrong(), abs=1e-6)
    assert found["portion_>50K"] == pytest.approx(weights @ rich(), abs=1e-6)


def by_a_share(inside, direction):
    """Error rate where the share of a level has changed by the distance."""
    share = inside.mean() + direction * DISTANCE
    return share * wrong()[inside].mean() + (1 - share) * wrong()[~inside].mean()


def by_a_number(column, direction):
    """Error rate under the tilt of a column that changes the distance."""
    x = (column - column.mean()) / column.std()

    def weights(xi):
        w = np.exp(xi * x - (xi * x).max())
        return w / w.sum()

    n = len(x)
    xi = brentq(lambda xi: np.abs(weights(xi) - 1 / n).sum() / 2 - DISTANCE, 0, direction * 5, xtol=1e-12)
    return weights(xi) @ wrong()


def test_which_shift_harms_most():
    found = answer("harm").frame.dropna(subset="change")
    X, before = rows("test")[0], wrong().mean()
    for _, line in found.iterrows():
        direction = 1 if line["direction"] == "up" else -1
        column, _, level = line["feature"].partition(" = ")
        if level:
            expected = by_a_share((X[column] == level).to_numpy(), direction)
        else:
            expected = by_a_number(X[column].to_numpy(dtype=float), direction)
        assert line["change"] == pytest.approx(expected - before, abs=1e-5), line["feature"]
    first = found[found["reliability"] == "reliable"].iloc[0]
    assert (first["feature"], first["direction"]) == ("marital-status = Married-civ-spouse", "up")
    assert first["change"] == found["change"][found["reliability"] == "reliable"].max()


def answers_at(hours):
    """Each row's probability, had it these hours."""
    asked = rows("test")[0].assign(**{"hours-per-week": hours})
    return model().predict_proba(asked)[:, 1]


def lowest_mean(numbers, epsilon):
    """The lowest weighted mean within a total variation: the largest numbers' weight goes to the smallest one."""
    ordered = np.sort(numbers)
    left = np.full(len(ordered), 1 / len(ordered))
    taken = np.clip(np.cumsum(left[::-1]) - epsilon, 0, 1 / len(ordered))[::-1]
    return taken @ ordered + epsilon * ordered[0]


def test_how_far_to_trust_the_curve_of_hours():
    found = answer("trust")
    low, high = 35, 48
    assert f"between {low} and {high}" in repr(found)
    rise = answers_at(high) - answers_at(low)
    turns = brentq(lambda epsilon: lowest_mean(rise, epsilon), 0.01, 0.9, xtol=1e-9)
    assert f"survives any reweighting up to {np.floor(1000 * turns) / 10:.1f} %" in repr(found)
    band = study().effect("hours-per-week").bounds(EPSILON).frame.set_index("value")
    for hours in (low, high):
        asked = answers_at(hours)
        assert band["effect"][hours] == pytest.approx(asked.mean())
        assert band["certified_lower"][hours] == pytest.approx(lowest_mean(asked, EPSILON))
        assert band["certified_upper"][hours] == pytest.approx(-lowest_mean(-asked, EPSILON))
