"""What torch's own parser makes of a schema, as the slots of a picture."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from native.pytorch.operator_schema.pictures import Slot

_LISTS = re.compile(r"Tensor\??\(([^()]*)\)\[\d*\]")
_TEXTS = re.compile(r'"(?:\\.|[^"\\])*"')


def slots(schema: Any) -> list[Slot]:
    """Its arguments, then its results."""
    # The parser keeps the set of a list's elements where Python cannot ask for it: the text still says it.
    lists = iter(_LISTS.findall(without_texts(schema)))
    found = [_slot(each, f"in {each.name}", each.name, lists) for each in schema.arguments]
    for n, each in enumerate(schema.returns):
        name = each.name or ("result" if len(schema.returns) == 1 else f"result {n}")
        found.append(_slot(each, f"out {n}", name, lists))
    return found


def without_texts(schema: Any) -> str:
    """As it is written, but for defaults that are texts and may hold anything."""
    return _TEXTS.sub("", str(schema))


def sets(mark: str) -> set[str]:
    """The alias sets that it names, before and after; * is any."""
    return {*re.findall(r"\w+|\*", mark)}


def _slot(argument: Any, key: str, name: str, lists: Iterator[str]) -> Slot:
    kind, result = _type(str(argument.real_type)), key.startswith("out")
    return Slot(
        key=key,
        name=name,
        type=kind,
        mark=_mark(argument.alias_info, lists if kind.startswith("Tensor") else iter(())),
        default=_default(argument) if not result and argument.has_default_value() else "",
        keyword=not result and argument.kwarg_only,
        tensor=kind.startswith("Tensor"),
        result=result,
    )


def _default(argument: Any) -> str:
    value = argument.default_value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _mark(alias: Any, lists: Iterator[str]) -> str:
    if alias is None:
        return ""
    if not alias.before_set:
        return next(lists, "")
    before, after = ("|".join(sorted(each)) for each in (alias.before_set, alias.after_set))
    return before + ("!" if alias.is_write else "") + (f" -> {after}" if after != before else "")


def _type(name: str) -> str:
    """As schemas write it: Tensor[] for List[Tensor], Tensor? for Optional[Tensor]."""
    while match := re.fullmatch(r"(List|Optional)\[(.*)\]", name):
        name = _type(match[2]) + ("[]" if match[1] == "List" else "?")
    return {"number": "Scalar"}.get(name, name)
