"""Dynamo's conditions in words: what has to hold for a compiled graph to be used again, and why one ends early."""

from __future__ import annotations

import re

from native.models.stages.marks import Operations
from native.models.stages.pictures import Row

LINE = re.compile(r"[|\s+-]*?\+- (\w+): (.*)")
PLACE = re.compile(r"programs\.py:(\d+) in ")
TENSOR = re.compile(
    r"check_tensor\((.+?), (?:Tensor|Parameter), .*?torch\.(\w+), .*?requires_grad=(\w+), "
    r"size=\[(.*?)\], stride=\[(.*?)\]"
)


def words(text: str, operations: Operations) -> list[Row]:
    """What is asked before each call, one sentence a line, those that say the same once."""
    rows: dict[str, Row] = {}
    for line in text.splitlines():
        found = LINE.match(line)
        sentence = _sentence(found[1], found[2]) if found else ""
        if sentence and sentence not in rows:
            place = PLACE.search(line)
            at = int(place[1]) - operations.first + 1 if place else 0
            rows[sentence] = Row(sentence, line=at)
    return list(rows.values())


def _name(source: str) -> str:
    source = re.sub(r"[LG]\['(\w+)'\]", r"\1", source)
    source = re.sub(r"__builtins_dict___\d+\['(\w+)'\]", r"\1", source)
    return source.replace(".size()[0]", "'s rows").replace(".size()[1]", "'s columns")


def _sentence(kind: str, what: str) -> str:
    bare = _name(what.partition("  #")[0].strip())
    match kind:
        case "TENSOR_MATCH" if found := TENSOR.search(what):
            name, dtype, gradient, size, stride = found.groups()
            any_size = size.replace("None", "any")
            asked = "its gradient is asked for" if gradient == "True" else "no gradient of it is asked for"
            return f"{_name(name)} is a tensor of {dtype}, [{any_size}], strides ({stride}), and {asked}"
        case "ID_MATCH" if found := re.search(r"___check_obj_id\((.+?), \d+\)", bare):
            return f"{found[1]} is the same object as before"
        case "GLOBAL_STATE":
            return "grad mode, autocast, threads and determinism are set as before"
        case "DIMENSION_DYNAMIC_MARKING_GUARD" if found := re.search(r"hasattr\((\w+),", bare):
            return f"nobody has marked a dimension of {found[1]} as dynamic or static"
        case "TORCH_FUNCTION_MODE_STACK":
            return "nobody overrides what functions of torch do"
        case "DEFAULT_DEVICE":
            return "no default device has been set"
        case "EQUALS_MATCH" | "LAMBDA_GUARD" | "CONSTANT_MATCH" if "hooks" not in bare:
            return f"{bare} holds"
        case "NO_TENSOR_ALIASING":
            return "no two of the tensors share memory"
    return ""


def broken(text: str, operations: Operations) -> list[Row]:
    """Where Dynamo lets Python go on, and why."""
    place = re.search(r"user code at \S+?:(\d+)", text)
    at = int(place[1]) - operations.first + 1 if place else 0
    told = re.search(r"Explanation: (.*)", text)
    hint = re.search(r"Hint: (.*)", text)
    reason = re.search(r"Graph Break Reason: (.*?)\n\s*(?:Explanation|\n)", text, re.DOTALL)
    said = [reason[1] if reason else "", told[1] if told else "", f"Hint: {hint[1]}" if hint else ""]
    if "attempting to trace" in said[0]:  # that is an instruction; what it does is said in the explanation
        del said[0]
    return [Row(" ".join(each.split()), line=at) for each in said if each]


REASON = re.compile(r"\d+/\d+: (.+?)\"?,?$", re.MULTILINE)


def failed(text: str) -> list[Row]:
    """Which conditions the call did not meet, that of the newest compilation first; several come as a list."""
    return [Row(each) for each in REASON.findall(text)]
