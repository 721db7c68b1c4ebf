"""Asks the PyTorch that is installed what its dispatcher does with the operators of a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import torch
from labs.models.one_line.call import Call, Called, Stop, calls
from labs.models.one_line.line import Line

from native.models import dispatcher, private


def asked(line: Line) -> list[Call]:
    """The calls of a line, each operator with the keys at which it stops here and now."""
    found = calls(line)
    rows = operators({each.operator for call in found for each in call.operators})
    return [replace(call, operators=[rows[each.operator] for each in call.operators]) for call in found]


def operators(names: Iterable[str]) -> dict[str, Called]:
    """What is registered for each of these at the keys of a tensor that wants a gradient."""
    tensor = torch.ones(2, requires_grad=True)
    keys = dispatcher.by_priority({*dispatcher.keys_of(tensor), *dispatcher.included()})
    excluded = dispatcher.excluded(keys)
    return {each: called(each, keys, excluded) for each in sorted(names)}


def called(operator: str, keys: list[str], excluded: set[str]) -> Called:
    table, stops = dispatcher.registrations(operator), list[Stop]()
    for key in keys:
        found = table.get(key)
        state = "excluded" if key in excluded else "falls through" if not found or found.fallthrough else "ran"
        stops.append(Stop(key, state, found.file if found and state == "ran" else ""))
        if state == "ran" and found and found.kind == "math kernel":
            break  # it is written with other operators, which are called from the top
    name, _, overload = operator.partition(".")
    schema = private.registered(name, overload)
    return Called(operator, str(schema), stops)
