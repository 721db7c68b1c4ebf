"""What a reader declares: calls with literals, in Python's syntax. It is read, and never executed."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from labs.contract import LabError

MOST_CALLS, MOST_ARGUMENTS, MOST_ITEMS, MOST_LETTERS = 24, 9, 12, 80
TYPES = {"str": str, "int": int, "float": float, "bool": bool}
ACTIONS = ("store", "store_const", "store_true", "store_false", "append", "append_const", "count", "extend", "help")
OPTION = {
    "action", "nargs", "const", "default", "type", "choices", "required", "help", "metavar", "dest", "version",
}  # fmt: skip
TAKEN = {
    "ArgumentParser": {"prog", "description", "epilog", "allow_abbrev", "add_help"},
    "add_argument": OPTION,
    "add_mutually_exclusive_group": {"required"},
    "add_subparsers": {"dest", "required", "title", "metavar", "help"},
    "add_parser": {"help", "description", "allow_abbrev"},
}
FLAG = re.compile(r"--?\w[\w-]*|\w[\w-]*")
PLACES = re.compile(r"%(?:%|\((?:prog|default|type|choices|dest|metavar|nargs|const)\)s)")


class Name(str):
    """A name that stands for something of Python: a type, or an action."""


@dataclass(frozen=True)
class Call:
    line: int
    result: str
    """The name that it is assigned to, or nothing."""
    owner: str
    """The name before the dot."""
    method: str
    positional: list[Any]
    named: dict[str, Any]


def declared(text: str) -> list[Call]:
    """The calls of a text, in order. Raises ``LabError`` with the line that is not taken, and what to write."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        raise trouble(
            line, f"this is not Python ({getattr(error, 'msg', 'it nests too deeply')}); correct it"
        ) from None
    calls = [call(each) for each in tree.body if not isinstance(each, ast.Import | ast.ImportFrom)]
    if len(calls) > MOST_CALLS:
        raise trouble(calls[MOST_CALLS].line, f"leave calls out until there are {MOST_CALLS} at most")
    return calls


def trouble(line: int, what: str) -> LabError:
    return LabError(f"Line {line}: {what}.")


def call(statement: ast.stmt) -> Call:
    line, result = statement.lineno, ""
    value: ast.expr | None = None
    if isinstance(statement, ast.Expr):
        value = statement.value
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Name):
            result, value = target.id, statement.value
    if not isinstance(value, ast.Call):
        raise trouble(line, 'write a call such as parser.add_argument("name"), or name = call')
    owner, method = called(value.func, line)
    if any(one.arg is None for one in value.keywords):
        raise trouble(line, "name each argument; ** is not taken")
    named = {one.arg: literal(one.value, line) for one in value.keywords if one.arg}
    if unknown := sorted(named.keys() - TAKEN[method]):
        raise trouble(line, f"{method} does not take {unknown[0]} here; leave it out")
    made = Call(line, result, owner, method, [literal(each, line) for each in value.args], named)
    check(made)
    return made


def called(function: ast.expr, line: int) -> tuple[str, str]:
    if isinstance(function, ast.Name) and function.id == "ArgumentParser":
        return "", "ArgumentParser"
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.attr in TAKEN:
        return ("" if function.attr == "ArgumentParser" else function.value.id), function.attr
    raise trouble(line, f"only {', '.join(TAKEN)} may be called here")


def literal(node: ast.expr, line: int) -> Any:
    """A number, a text, a name of Python's that is known here, or a list of these."""
    if isinstance(node, ast.List | ast.Tuple):
        if len(node.elts) > MOST_ITEMS or any(isinstance(each, ast.List | ast.Tuple) for each in node.elts):
            raise trouble(line, f"a list holds at most {MOST_ITEMS} numbers or texts")
        return [literal(each, line) for each in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = literal(node.operand, line)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return -value
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool | None):
        if isinstance(node.value, int) and abs(node.value) >= 10**18:
            raise trouble(line, "take a number below 10**18")
        if isinstance(node.value, str) and (len(node.value) > MOST_LETTERS or not node.value.isprintable()):
            raise trouble(line, f"a text has at most {MOST_LETTERS} letters, all in one line")
        return node.value
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    if name in TYPES or name == "BooleanOptionalAction":
        return Name(name)
    raise trouble(line, "write a number, a text, True, False, None, a list of these, or one of " + ", ".join(TYPES))


def check(one: Call) -> None:
    """What argparse itself would take, and what a figure, or memory, would not."""
    line, named = one.line, one.named
    for key in ("help", "version", "description", "epilog"):
        text = named.get(key)
        if text is not None and (not isinstance(text, str) or "%" in PLACES.sub("", text)):
            raise trouble(line, f"{key} is a text that argparse formats: write %% for a percent sign")
    for key in ("prog", "metavar", "dest", "title"):
        if (text := named.get(key)) is not None and not (isinstance(text, str) and FLAG.fullmatch(text)):
            raise trouble(line, f"{key} is a word of letters, digits and dashes")
    for key in ("required", "allow_abbrev", "add_help"):
        if not isinstance(named.get(key, True), bool):
            raise trouble(line, f"{key} is True or False")
    nargs = named.get("nargs")
    number = isinstance(nargs, int) and not isinstance(nargs, bool) and 0 <= nargs <= MOST_ARGUMENTS
    if not (nargs in (None, "?", "*", "+", "...") or number):
        raise trouble(line, f'nargs is a number up to {MOST_ARGUMENTS}, or one of "?", "*", "+", "..."')
    if not (named.get("type") is None or (isinstance(named["type"], Name) and named["type"] in TYPES)):
        raise trouble(line, f"type is one of {', '.join(TYPES)}, without quotes")
    action = named.get("action", "store")
    if not (action == "version" or action in ACTIONS or action == Name("BooleanOptionalAction")):
        raise trouble(line, f"action is one of {', '.join(ACTIONS)}, version, or BooleanOptionalAction")
    choices = named.get("choices")
    if choices is not None and not (isinstance(choices, list) and choices):
        raise trouble(line, "choices is a list of numbers or texts")
    if any(isinstance(each, Name) for key in ("default", "const", "choices") for each in listed(named.get(key))):
        raise trouble(line, "default, const and choices hold numbers and texts, not types")
    if one.method in ("add_argument", "add_parser"):
        if not one.positional or len(one.positional) > (4 if one.method == "add_argument" else 1):
            raise trouble(line, f"{one.method} takes a name first")
        if not all(isinstance(each, str) and FLAG.fullmatch(each) for each in one.positional):
            raise trouble(line, 'a name is a word such as "files", "-n" or "--number"')
    elif one.positional:
        raise trouble(line, f"name each argument of {one.method}")


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
