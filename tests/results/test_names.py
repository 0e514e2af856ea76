from tauscope.results.names import unknown


def test_nearest_names_come_first():
    words = unknown("feature", "agee", ["income", "age", "sex"])
    assert words == "There is no feature 'agee'. Nearest: 'age'."


def test_all_names_where_none_is_near():
    assert unknown("metric", "zzz", ["age", "sex"]) == "There is no metric 'zzz'. There are: 'age', 'sex'."


def test_many_names_are_counted():
    assert unknown("feature", "zzz", [f"x{i}" for i in range(40)]).endswith("'x11' and 28 more.")


def test_what_is_not_a_name_is_shown_as_it_is():
    assert "There is no feature 3." in unknown("feature", 3, ["age"])
