import pickle

from tauscope.errors import UnknownName


def words(what, name, known):
    return str(UnknownName.among(what, name, known))


def test_nearest_names_come_first():
    assert words("feature", "agee", ["income", "age", "sex"]) == "There is no feature 'agee'. Nearest: 'age'."


def test_all_names_where_none_is_near():
    assert words("metric", "zzz", ["age", "sex"]) == "There is no metric 'zzz'. There are: 'age', 'sex'."


def test_many_names_are_counted():
    assert words("feature", "zzz", [f"x{i}" for i in range(40)]).endswith("'x11' and 28 more.")


def test_what_is_not_a_name_is_shown_as_it_is():
    assert "There is no feature 3." in words("feature", 3, ["age"])


def test_an_error_reads_the_same_after_pickling():
    error = UnknownName.among("feature", "agee", ["age"])
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
