"""TypeScript's messages are those that Python fills, each under a name of its own."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Annotated, Literal, NotRequired, TypedDict

import pytest
import traitlets

import tauscope.views
from tauscope.views.wire import Absent, Ascending, Each, Exactly, NotEmpty, OrInfinity, OrNaN

SCRIPT = Path(__file__).parents[2] / "js" / "generate_wire.py"


@pytest.fixture(scope="module")
def generate_wire():
    spec = spec_from_file_location("generate_wire", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_file_is_what_the_script_writes(generate_wire):
    """After a change of a message run `make wire`."""
    assert generate_wire.FILE.read_text("utf-8") == generate_wire.main()


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (str, "text"),
        (bool, "flag"),
        (int, "number"),
        (float | None, "nullable(number)"),
        (OrNaN, "numberOrNaN"),
        (OrInfinity, "nullAs(Infinity, number)"),
        (list[str], "texts"),
        (list[int], "numbers"),
        (list[float | None], "numbersOrNull"),
        (list[OrNaN], "list(numberOrNaN)"),
        (list[list[bool]], "list(list(flag))"),
        (Ascending, "ascending"),
        (tuple[str, float | None], "tuple(text, nullable(number))"),
        (Annotated[list[str], Exactly(2)], "tuple(text, text)"),
        (Literal[1], "version(1)"),
        (Literal["a", "b"], 'oneOf("a", "b")'),
        (dict[str, float], "recordOf(number)"),
        (dict[Literal["low", "high"], float], "object(() => ({ low: number, high: number }))"),
        (dict[str, float | str], "recordOf(numberOrText)"),
        (Annotated[list[str], NotEmpty("name one")], 'notEmpty(texts, "name one")'),
        (Annotated[list[OrNaN], Each("metric")], 'each("metric", list(numberOrNaN))'),
    ],
    ids=str,
)
def test_schema_of_a_type(generate_wire, kind, schema):
    assert generate_wire.schema(kind) == schema


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (NotRequired[str], 'optional(text, "")'),
        (NotRequired[float], "optional(number, Number.NaN)"),
        (NotRequired[int], "optional(number, 0)"),
        (NotRequired[list[str]], "optional(texts, [])"),
        (NotRequired[float | None], "optional(nullable(number), Number.NaN)"),
        (NotRequired[OrInfinity], "optional(nullAs(Infinity, number), Number.NaN)"),
        (Annotated[str, Absent("none")], 'optional(text, "none")'),
        (NotRequired[Annotated[dict[str, float], Absent({"n": 0})]], "optional(recordOf(number), { n: 0 })"),
    ],
    ids=str,
)
def test_what_an_absent_field_reads_as(generate_wire, kind, schema):
    assert generate_wire.field_schema(kind, required=True) == schema


@pytest.mark.parametrize("kind", [set, complex, list[set], type(None), str | bytes])
def test_what_json_lacks_is_refused(generate_wire, kind):
    with pytest.raises(TypeError, match="what JSON has"):
        generate_wire.schema(kind)


@pytest.mark.parametrize(
    ("trait", "kind"),
    [
        (traitlets.Bytes(), "Bytes"),
        (traitlets.Bool(), "boolean"),
        (traitlets.Int(), "number"),
        (traitlets.Float(), "number"),
        (traitlets.Unicode(), "string"),
        (traitlets.Enum(["a", "b"]), "string"),
        (traitlets.List(traitlets.Int()), "readonly number[]"),
        (traitlets.Dict(), "unknown"),
    ],
)
def test_type_of_a_trait(generate_wire, trait, kind):
    assert generate_wire.trait_type(trait) == kind


def test_every_view_has_its_traits(generate_wire):
    views = [view for module in generate_wire.view_modules() for view in generate_wire.views_of(module)]
    bundles = Path(tauscope.views.__file__).parents[1] / "static"
    assert len(views) == len(list(bundles.glob("*/*.css")))
    assert all("message: unknown;" in generate_wire.traits_of(view) for view in views)


def test_two_messages_of_one_name_are_refused(generate_wire):
    one, other = (TypedDict("SomeMessage", {"x": int}) for _ in range(2))
    with pytest.raises(ValueError, match=r"SomeMessage is in .* and"):
        generate_wire.check_names([one, other])


def test_attributes_become_comments_of_fields(generate_wire):
    class Documented(TypedDict):
        """What it is.

        Attributes
        ----------
        width : float
            In metres,
            at its widest.
        name : str
            As people say it.
        """

        width: float
        name: str

    written: dict[type, str] = {}
    generate_wire.write(Documented, written)
    assert written[Documented].splitlines()[:6] == [
        "/** What it is. */",
        "export const documented = /* @__PURE__ */ object(() => ({",
        "  /** In metres, at its widest. */",
        "  width: number,",
        "  /** As people say it. */",
        "  name: text,",
    ]
