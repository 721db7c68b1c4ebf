"""Valid parameters of a lab, drawn from its schema alone."""

import random
from collections.abc import Iterator
from typing import Any

from labs.discover import Lab
from underhood.contract.schema import params_schema

KEYS = " \n\t()[]{}<>*&=+-/;,.:!'\"0123456789abcxyzé\0"  # what a reader's hand may hit


def drawn(lab: Lab, chance: random.Random) -> dict[str, Any]:
    """Each parameter evenly out of its range."""
    return {name: one(schema, chance) for name, schema in params_schema(lab)["properties"].items()}


def one(schema: dict[str, Any], chance: random.Random) -> Any:
    if "enum" in schema:
        return chance.choice(schema["enum"])
    if schema["type"] == "string":
        return typed(schema, chance)
    if schema["type"] == "boolean":
        return chance.random() < 0.5
    if schema["type"] == "integer":
        return chance.randint(schema["minimum"], schema["maximum"])
    return chance.uniform(schema["minimum"], schema["maximum"])


def texts(schema: dict[str, Any]) -> list[str]:
    """What a reader may begin with."""
    return list(dict.fromkeys([schema["default"], *schema.get("examples", {}).values()]))


def typed(schema: dict[str, Any], chance: random.Random) -> str:
    """One of the texts, half of the time with a few wrong keys."""
    text = str(chance.choice(texts(schema)))
    for _ in range(chance.choice([0, 0, 0, 1, 2, 3])):
        at = chance.randint(0, len(text))
        text = text[:at] + chance.choice(KEYS) + text[at + chance.randint(0, 2) :]
    return text[: schema["maxLength"]]


def edges(lab: Lab) -> Iterator[dict[str, Any]]:
    """Every parameter at each end of its range, or at each choice, the others at their defaults."""
    for name, schema in params_schema(lab)["properties"].items():
        if "enum" in schema:
            ends = schema["enum"]
        elif schema["type"] == "string":
            ends = ["", " ", "(" * schema["maxLength"], *texts(schema)]
        else:
            ends = [schema.get("minimum", False), schema.get("maximum", True)]
        yield from ({name: end} for end in ends if end != schema["default"])
