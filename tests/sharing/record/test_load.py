import ast
import inspect
import json

import numpy as np
import pytest

import tauscope as ts
from results import every
from results.samples import HOSTILE, binary_study
from tauscope.errors import InputError
from tauscope.sharing.record import load as module
from tauscope.sharing.record.load import read_record
from tauscope.sharing.record.record import digest_of, record_of, text_of


def document():
    return dict(record_of(binary_study().stress_curves("age", taus=3)))


def sealed(changed):
    """A record with a digest that is right, whatever stands in it."""
    return json.dumps(changed | {"digest": digest_of(changed)}).encode()


def test_a_result_is_read_with_its_study_and_without(tmp_path):
    study = binary_study()
    curves = study.stress_curves(["age", HOSTILE], taus=3)
    curves.save(tmp_path / "c.json")
    read = ts.load(str(tmp_path / "c.json"), study)
    np.testing.assert_array_equal(read.at(5)._curves.value, curves.at(5)._curves.value)
    alone = ts.load(tmp_path / "c.json")
    np.testing.assert_array_equal(alone._curves.value, curves._curves.value)
    with pytest.raises(InputError, match=r"refers to no study.*with_source\(study\)"):
        alone.at(5)
    np.testing.assert_array_equal(alone.with_source(study).at(5)._curves.value, curves.at(5)._curves.value)


def test_its_type_is_any_public_result():
    tree = ast.walk(ast.parse(inspect.getsource(module)))
    union = next(node for node in tree if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "AnyResult")
    kinds = {name for name in ts.__all__ if isinstance(kind := getattr(ts, name), type) and issubclass(kind, ts.Result)}
    assert {node.id for node in ast.walk(union.value) if isinstance(node, ast.Name)} == kinds - {"Result"}


def test_results_within_ask_the_same_study(tmp_path):
    study = every.study()
    result = study.effect("a", grid=5).compare(lambda X: np.column_stack([X["a"] > 0, X["a"] <= 0]) / 1.0)
    result.save(tmp_path / "c.json")
    read = ts.load(tmp_path / "c.json", study)
    assert read.source is read.effect.source is study
    assert read.other.source is None  # of another model, which is not in the file


def test_other_data_are_refused(tmp_path):
    curves = binary_study().stress_curves("age", taus=3)
    curves.save(tmp_path / "c.json")
    other = binary_study(weighted=True)
    words = (
        rf"'c\.json' is of other data \(hash {binary_study().data_hash[:16]}, 300 rows\) than this study "
        rf"\(hash {other.data_hash[:16]}, 300 rows\)"
    )
    with pytest.raises(InputError, match=words):
        ts.load(tmp_path / "c.json", other)


def test_what_cannot_be_checked_is_not_taken_for_the_same(tmp_path):
    every.result("curves of chunks").save(tmp_path / "c.json")
    with pytest.raises(InputError, match=r"hash of the data of 'c\.json' is unknown.*without a study"):
        ts.load(tmp_path / "c.json", every.study())
    every.study().stress_curves("a", taus=3).save(tmp_path / "d.json")
    with pytest.raises(InputError, match="of this study, whose rows come in chunks, is unknown"):
        ts.load(tmp_path / "d.json", every.chunked())


def test_arguments_and_files_that_are_not_there(tmp_path):
    with pytest.raises(ts.InputTypeError, match="path must be a str or a Path that can name a file; got 3"):
        ts.load(3)
    with pytest.raises(ts.InputTypeError, match="study must be a Study; got 'curves'"):
        ts.load(tmp_path / "c.json", "curves")
    with pytest.raises(FileNotFoundError):
        ts.load(tmp_path / "none.json")


BROKEN = {
    "no JSON": (lambda _: b"PK\x03\x04", "is JSON; 'r.json' cannot be read as such"),
    "half of it": (lambda d: json.dumps(d).encode()[:-40], "is JSON; 'r.json' cannot be read as such"),
    "another encoding": (lambda d: json.dumps(d).encode("utf-16"), "is JSON; 'r.json' cannot be read as such"),
    "NaN": (lambda d: json.dumps(d | {"seed": float("nan")}).encode(), "NaN is no number of JSON"),
    "a long number": (lambda _: b'{"schema": ' + b"1" * 5000 + b"}", "is JSON; 'r.json' cannot be read as such"),
    "deep": (lambda _: b"[" * 100_000, "is JSON; 'r.json' cannot be read as such"),
    "a list": (lambda _: b"[]", "has the schema 'tauscope.result'; got None"),
    "scenarios": (lambda d: sealed(d | {"schema": "tauscope.scenarios"}), "got 'tauscope.scenarios'.*load_scenarios"),
    "a newer version": (
        lambda d: sealed(d | {"version": 2, "packages": {"tauscope": "9.0"}}),
        r"reads version 1 .* got 2 in 'r\.json'.* the Tauscope that wrote it, 9\.0",
    ),
    "a version that is true": (lambda d: sealed(d | {"version": True}), "reads version 1 .* got True"),
    "no kind": (lambda d: sealed({name: part for name, part in d.items() if name != "kind"}), "A record has kind;"),
    "no digest": (
        lambda d: json.dumps({name: part for name, part in d.items() if name != "digest"}).encode(),
        "A record has digest;",
    ),
    "a number changed": (
        lambda d: json.dumps(d | {"result": d["result"] | {"n_rows": 299}}).encode(), "changed after it was written",
    ),
    "another hash": (lambda d: json.dumps(d | {"data": {"hash": "0" * 64}}).encode(), "changed after it was written"),
    "a field missing": (
        lambda d: sealed(d | {"result": {name: part for name, part in d["result"].items() if name != "_curves"}}),
        r"'r\.json' cannot be read: a StressCurves has _curves, which is missing\. Save the result anew",
    ),
    "a field too many": (lambda d: sealed(d | {"result": d["result"] | {"more": 1}}), "a StressCurves has no 'more'"),
    "a field of another kind": (
        lambda d: sealed(d | {"result": d["result"] | {"_curves": 3}}), r"StressCurves\._curves cannot be 3",
    ),
    "another kind": (lambda d: sealed(d | {"kind": "Boundary"}), "says it is of a 'Boundary', and has a StressCurves"),
    "no result": (lambda d: sealed(d | {"result": d["shared"][0] if d["shared"] else 3}), "and has a|cannot be read"),
    "a class that runs": (
        lambda d: sealed(d | {"result": {"$class": "subprocess.Popen", "args": "id"}}),
        "no class that a record can hold",
    ),
    "shared values that are none": (lambda d: sealed(d | {"shared": 3, "result": {"$shared": 0}}), "no shared value 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_record_is_refused(name):
    make, words = BROKEN[name]
    with pytest.raises(InputError, match=words):
        read_record(make(document()), "r.json", None)


def test_what_is_nested_deeper_than_it_can_be_read_is_refused():
    nested: object = 3
    for _ in range(400):
        nested = {"$list": [nested]}
    with pytest.raises(InputError, match=r"nested too deeply|and has a list"):
        read_record(sealed(document() | {"result": nested}), "r.json", None)


def test_no_name_in_a_file_is_imported(monkeypatch):
    import tauscope.sharing.record.classes as classes

    made, asked = document(), []
    monkeypatch.setattr(classes, "import_module", asked.append)
    for name in ("antigravity", "os.system", "../x", "Study", "tauscope.study.study.Study", ""):
        changed = made | {"result": {"$class": name}}
        with pytest.raises(InputError, match="no class that a record can hold"):
            read_record(sealed(changed), "r.json", None)
    assert asked == []


def test_text_is_read_as_it_was_written():
    whole = record_of(binary_study().stress_curves("age", taus=3))
    assert json.loads(text_of(whole)) == json.loads(json.dumps(whole))


ODD = (
    None,
    True,
    -1,
    0,
    7,
    2**40,
    1e300,
    0.5,
    "",
    "x",
    [],
    [[]],
    {},
    {"$float": "nan"},
    {"$list": []},
    {"$mapping": []},
)
"""What a field is replaced by; it is left out too."""
FORGERIES = 6
"""Of each result, drawn from all that can be made of its fields."""


def places(value, found=None):
    """Return every field and entry of a record, as (what it is in, its key)."""
    found = [] if found is None else found
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if key != "$class":
            found.append((value, key))
        if isinstance(part, dict | list):
            places(part, found)
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", every.MADE)
def test_forged_records_are_refused_when_they_are_read_or_answer(name):
    random = np.random.default_rng(len(name))
    whole = record_of(every.result(name))
    for _ in range(FORGERIES):
        forged = json.loads(json.dumps(whole))
        several = places(forged["result"]) + places(forged["shared"])
        within, key = several[random.integers(len(several))]
        odd = random.integers(len(ODD) + 1)
        if odd < len(ODD):
            within[key] = ODD[odd]
        else:
            del within[key]
        try:
            read = read_record(sealed(forged), "r.json", None)
            told = (read.title, read.notes, repr(read), read.frame, read._document())
        except ts.TauscopeError:  # refused; or what it would ask its study
            continue
        assert all(part is not None for part in told[:4])
