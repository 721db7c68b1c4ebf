"""Command-line options of a lab, made from its parameters' JSON Schema.

Options only turn text into a value of the right type; whether the value is in range is for ``validation.validate``
to say, so that the command, the API and the page refuse the same things in the same words.
"""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from labs.discover import Lab

from underhood.contract.schema import params_schema
from underhood.contract.validation import allowed, validate


class UsageError(ValueError):
    """The command line asks for something that is not there; the message is one line."""


class Parser(argparse.ArgumentParser):
    """Complains in one line, without repeating the usage, and takes no abbreviations."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def parameters(lab: Lab, arguments: list[str]) -> Any:
    """Checked ``Params`` from the command line. Raises ``UsageError``, or ``ParameterError`` naming the range."""
    parser = Parser(prog=f"underhood run {lab.id}", description=f"{lab.title}: {lab.summary}")
    properties: dict[str, dict[str, Any]] = params_schema(lab)["properties"]
    for name, schema in properties.items():
        _add(parser, name, schema)
    known, unknown = parser.parse_known_args(arguments)
    values = {name: _value(properties[name], given) for name, given in vars(known).items() if given is not None}
    for word in unknown:
        if not word.startswith("--"):
            raise UsageError(f"{lab.id} does not know what to do with {word!r}; parameters are --name value")
        values[word.removeprefix("--").partition("=")[0].replace("-", "_")] = ""
        break  # what follows an unknown option is its value
    return validate(lab, values)


def _add(parser: Parser, name: str, schema: dict[str, Any]) -> None:
    title, help_text = schema.get("title", name), schema.get("description", "")
    default = f" (default {schema['default']})" if "default" in schema else ""
    words = f"{title}: {allowed(schema)}{default}. {help_text}".strip().replace("%", "%%")
    flags = list(dict.fromkeys([f"--{name}", f"--{name.replace('_', '-')}"]))
    if schema.get("type") == "boolean":
        parser.add_argument(*flags, dest=name, action=argparse.BooleanOptionalAction, help=words)
    else:
        shown = "{" + ",".join(map(str, schema["enum"])) + "}" if "enum" in schema else name.upper()
        parser.add_argument(*flags, dest=name, metavar=shown, help=words)


def _value(schema: dict[str, Any], given: Any) -> Any:
    """``given`` in the schema's type where it can be read so, else as it is: validation then says what is wrong."""
    if "enum" in schema:
        return next((choice for choice in schema["enum"] if str(choice) == given), given)
    read = {"integer": int, "number": float}.get(schema.get("type", ""))
    try:
        return read(given) if read else given
    except ValueError:
        return given
