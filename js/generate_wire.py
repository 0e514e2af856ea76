"""Write src/wire/messages.ts: the schema and the type of every message, from the TypedDicts that Python fills.

And the types of each view's traits, from its class. `make wire` runs it; `tests/wire/test_messages.py` fails where the
file is not what this writes. Markers of `tauscope.views.wire` say what Python's types have no word for, such as null
for NaN.
"""

# Decided in docs/decisions/0045-a-message-is-defined-once-in-python.md.

import ast
import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import traitlets

import tauscope.views
from tauscope.results.stress.scenario import StressState
from tauscope.views.base import ResultView
from tauscope.views.wire import Absent, Each, Exactly, NotEmpty, Null, Rising

FILE = Path(__file__).parent / "src" / "wire" / "messages.ts"
HEAD = """\
/** Written by js/generate_wire.py from the TypedDicts in src/tauscope: change those, then run `make wire`. */

"""
WIDTH = 110
READERS = {StressState: ("readStress", "./shared_stress")}
"""Messages whose schema is written by hand, since it does more than check: the function, and where it is."""
PLAIN = {str: "text", bool: "flag", int: "number", float: "number", dict: "record"}
LISTS = {"text": "texts", "number": "numbers", "nullable(number)": "numbersOrNull"}
"""Lists with a schema of their own, which names the list where an entry is refused."""


def main() -> str:
    """Return the whole file."""
    messages = [message for module in view_modules() for message in messages_of(module)]
    check_names(messages)
    written: dict[type, str] = {}
    for message in messages:
        write(message, written)
    body = "\n".join([*written.values(), *(traits_of(view) for module in view_modules() for view in views_of(module))])
    return HEAD + imports(body) + "\n" + body


def view_modules() -> Iterator[ModuleType]:
    """Import every module of views, in the order of their names."""
    for found in pkgutil.walk_packages(tauscope.views.__path__, "tauscope.views."):
        yield importlib.import_module(found.name)


def messages_of(module: ModuleType) -> list[type]:
    """Return the TypedDicts that a module defines."""
    return [one for one in vars(module).values() if is_typeddict(one) and one.__module__ == module.__name__]


def views_of(module: ModuleType) -> list[type[ResultView]]:
    """Return the views that a module defines and a page shows."""
    found = (one for one in vars(module).values() if inspect.isclass(one) and one.__module__ == module.__name__)
    return [one for one in found if issubclass(one, ResultView) and "_esm" in vars(one)]


def traits_of(view: type[ResultView]) -> str:
    """Return the type of what the model of a view holds, where the page reads or writes it."""
    lines = [
        f"  {name}: {trait_type(trait)};"
        for name, trait in view.class_traits(sync=True).items()
        if not name.startswith("_") and trait.this_class.__module__.startswith("tauscope.")
    ]
    return "\n".join(
        [
            f"/** What the model of `{view.__name__}` holds. */",
            f"export type {view.__name__}Traits = {{",
            *lines,
            "};",
            "",
        ]
    )


def trait_type(trait: Any) -> str:
    """Return the type of a trait's values; those of a message are not known before its schema has read them."""
    match trait:
        case traitlets.Bytes():
            return "Bytes"
        case traitlets.Bool():
            return "boolean"
        case traitlets.Int() | traitlets.Float():
            return "number"
        case traitlets.Unicode() | traitlets.Enum():
            return "string"
        case traitlets.List():
            return f"readonly {trait_type(trait._trait)}[]"
        case _:
            return "unknown"


def check_names(messages: list[type]) -> None:
    """Refuse two messages of one name: the page knows them by it."""
    by_name: dict[str, type] = {}
    for message in messages:
        other = by_name.setdefault(message.__name__, message)
        if other is not message:
            raise ValueError(
                f"A message's name is its own; {message.__name__} is in {other.__module__} and {message.__module__}. "
                "Name the view in it."
            )


@cache
def names_for_types() -> Mapping[str, Any]:
    """Return what modules of views import for their types alone, `if TYPE_CHECKING`: annotations name it."""
    names: dict[str, Any] = {}
    for module in view_modules():
        for block in ast.parse(inspect.getsource(module)).body:
            if not (isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"):
                continue
            for line in block.body:
                if isinstance(line, ast.ImportFrom) and line.module:
                    source = importlib.import_module(line.module)
                    names |= {one.asname or one.name: getattr(source, one.name, Any) for one in line.names}
    return names


def write(message: type, written: dict[type, str]) -> None:
    """Add a message to those written, after those that are inside it."""
    if message in written or message in READERS:
        return
    fields = get_type_hints(message, localns=dict(names_for_types()), include_extras=True)
    for kind in fields.values():
        for inner in types_in(kind):
            if is_typeddict(inner):
                write(inner, written)
    text, of_fields = documented(message)
    name = schema_name(message)
    lines = [f"export const {name} = /* @__PURE__ */ object(() => ({{"]
    for field, kind in fields.items():
        if field in of_fields:
            lines.append(f"  /** {of_fields[field]} */")
        required = field in getattr(message, "__required_keys__")  # noqa: B009 (type checkers do not know it)
        lines.append(fitted(f"  {field}: ", field_schema(kind, required=required), ","))
    lines += ["}));", f"export type {message.__name__} = Infer<typeof {name}>;", ""]
    written[message] = comment(text) + "\n".join(lines)


def types_in(kind: Any) -> Iterator[Any]:
    """Return a type and those it is made of."""
    yield kind
    for inner in get_args(kind):
        yield from types_in(inner)


def schema_name(message: type) -> str:
    """Return what the schema of a message is called: its name, beginning small."""
    return message.__name__[0].lower() + message.__name__[1:]


def field_schema(kind: Any, *, required: bool) -> str:
    """Return the schema of a field, which may be absent where it is not `required` or is marked by `Absent`."""
    if get_origin(kind) in (Required, NotRequired):
        required, kind = get_origin(kind) is Required, get_args(kind)[0]
    absent = [mark for mark in marks(kind) if isinstance(mark, Absent)]
    if absent:
        return f"optional({schema(kind)}, {code(absent[0].value)})"
    if required:
        return schema(kind)
    if is_typeddict(kind):
        return f"optional(nullable({schema(kind)}), null)"
    return f"optional({schema(kind)}, {nothing(kind)})"


def marks(kind: Any) -> tuple[Any, ...]:
    """Return the markers of a type."""
    return get_args(kind)[1:] if get_origin(kind) is Annotated else ()


def schema(kind: Any) -> str:
    """Return the schema of a type."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return marked(args[0], args[1:])
    if origin in (Union, UnionType):
        others = [one for one in args if one is not NoneType]
        inner = schema(others[0]) if len(others) == 1 else either(others, kind)
        return inner if len(others) == len(args) else f"nullable({inner})"
    if origin is Literal:
        return f"version({args[0]})" if isinstance(args[0], int) else f"oneOf({', '.join(map(code, args))})"
    if origin is list:
        entry = schema(args[0])
        return LISTS.get(entry, f"list({entry})")
    if origin is tuple:
        return f"tuple({', '.join(map(schema, args))})"
    if origin is dict:
        if get_origin(args[0]) is Literal:
            return "object(() => ({ " + ", ".join(f"{name}: {schema(args[1])}" for name in get_args(args[0])) + " }))"
        return "record" if args[1] in (Any, object) else f"recordOf({schema(args[1])})"
    if kind in READERS:
        return READERS[kind][0]
    if is_typeddict(kind):
        return schema_name(kind)
    if kind in PLAIN:
        return PLAIN[kind]
    raise refused(kind)


def either(kinds: list[Any], kind: Any) -> str:
    """Return the schema of a value that is of one kind or another."""
    if set(kinds) != {float, str}:
        raise refused(kind)
    return "numberOrText"


def refused(kind: Any) -> TypeError:
    """Return the error for a type that has no schema."""
    return TypeError(f"A message is made of what JSON has; {kind!r} is not. See `schema` in {Path(__file__).name}.")


def marked(kind: Any, markers: tuple[Any, ...]) -> str:
    """Return the schema of a type with markers."""
    found = schema(kind)
    for marker in markers:
        match marker:
            case Null(meaning):
                inner = found.removeprefix("nullable(").removesuffix(")")
                found = "numberOrNaN" if meaning == "Number.NaN" else f"nullAs({meaning}, {inner})"
            case Rising():
                found = "ascending"
            case NotEmpty(rule):
                found = f"notEmpty({found}, {code(rule)})"
            case Exactly(n):
                found = f"tuple({', '.join([schema(get_args(kind)[0])] * n)})"
            case Each(thing):
                found = f"each({code(thing)}, {found})"
            case Absent():
                pass  # of the field, not of its values
            case _:
                raise TypeError(f"Markers are those of tauscope.views.wire; got {marker!r}.")
    return found


def nothing(kind: Any) -> str:
    """Return what an absent field of a type reads as."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return nothing(args[0])
    if origin in (Union, UnionType):
        return "Number.NaN" if float in args else "null"
    if origin is Literal:
        return code(args[0])
    return {str: '""', int: "0", float: "Number.NaN", bool: "false", list: "[]"}[origin or kind]


def code(value: object) -> str:
    """Return a plain value in TypeScript."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(r'"(\w+)": ', r"\1: ", re.sub(r"^\{(.+)\}$", r"{ \1 }", text))


def documented(message: type) -> tuple[str, dict[str, str]]:
    """Return the docstring of a message and, from its numpydoc section "Attributes", what is said of each field."""
    text, _, section = (inspect.getdoc(message) or "").partition("Attributes\n----------\n")
    found = re.findall(r"^(\w+)(?: : [^\n]*)?\n((?:    [^\n]*\n?|\n)+)", section, flags=re.MULTILINE)
    return text.strip(), {name: " ".join(words.split()) for name, words in found}


def comment(text: str) -> str:
    """Return a docstring as a comment."""
    if "\n" not in text:
        return f"/** {text} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in text.splitlines()) + " */\n"


def fitted(before: str, expression: str, after: str) -> str:
    """Return a line, of which a call's arguments go on lines of their own where Biome puts them there.

    That is where the line is too long, and where a function is followed by another argument.
    """
    line = f"{before}{expression}{after}"
    if len(line) <= WIDTH and not re.match(r"optional\(object\(\(\) =>", expression):
        return line
    indent = " " * (len(before) - len(before.lstrip()))
    start, end = "object(() => ({", "}))"
    if expression.startswith(start):
        fields = split(expression.removeprefix(start).removesuffix(end))
        return "\n".join([f"{before}{start}", *(f"{indent}  {one}," for one in fields), f"{indent}{end}{after}"])
    call, _, rest = expression.partition("(")
    arguments = [fitted(f"{indent}  ", one, ",") for one in split(rest.removesuffix(")"))]
    return "\n".join([f"{before}{call}(", *arguments, f"{indent}){after}"])


def split(arguments: str) -> list[str]:
    """Split the arguments of a call at the commas between them."""
    parts, depth, quoted = [""], 0, False
    for letter in arguments:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def in_order(name: str) -> list[tuple[str, bool]]:
    """Order imported names as Biome does: by letters, capital ones first."""
    return [(letter.lower(), letter.islower()) for letter in name.removeprefix("type ")]


def imports(body: str) -> str:
    """Return the lines that import what the file uses."""
    used = set(re.findall(r"\b\w+\b", re.sub(r'/\*\*.*?\*/|"[^"]*"', "", body, flags=re.DOTALL)))
    exported = re.findall(
        r"^export (?:const|function) (\w+)", (FILE.parent / "schema.ts").read_text("utf-8"), re.MULTILINE
    )
    names = sorted((used & set(exported)) | {"type Bytes", "type Infer"}, key=in_order)
    modules: dict[str, list[str]] = {"./schema": names}
    for name, module in READERS.values():
        modules.setdefault(module, []).append(name)
    lines: list[str] = []
    for module, found in sorted(modules.items()):
        line = f'import {{ {", ".join(found)} }} from "{module}";'
        if len(line) > WIDTH:
            line = "import {\n" + "".join(f"  {name},\n" for name in found) + f'}} from "{module}";'
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(main(), "utf-8")
