"""The contract between a lab and everything around it.

A lab is a module with a docstring (first line: "Title: summary."), a frozen dataclass ``Params``, event
dataclasses and ``run(params) -> Iterator[Event]``. The signature of ``run`` is the single source of truth:
validation, JSON Schema, sliders and TypeScript types are all made from it.

This module is a leaf: it imports the standard library, NumPy and annotated-types, nothing of ours, and runs
unchanged in CPython and in Pyodide. The ``__get_pydantic_*`` methods are hooks that pydantic calls where it is
installed (on the server); they need no import of it.
"""

from __future__ import annotations

import base64
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from decimal import Decimal
from string import Formatter
from typing import Annotated, Any

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

__all__ = [
    "Axes",
    "Event",
    "Float32",
    "ImpossibleError",
    "Int32",
    "Interval",
    "Iterator",
    "LabError",
    "Label",
    "Sentence",
    "Text",
    "Uint8",
    "joined",
    "pack",
    "say",
    "unpack",
]


NUMBERS = (int, float, Decimal, np.number)  # a union of them would be made anew for each number that is told


class LabError(Exception):
    """A failure that the reader can fix; its message becomes the reason of the run's end."""


class ImpossibleError(LabError):
    """What was measured cannot be, so the measurement is at fault: it is refused, and the server hears of it."""


class Sentence(str):
    """A sentence in English that keeps its template, which other languages translate, and the values in it.

    A template has ``{}`` for each value, and braces of its own doubled. A value is a number as Python writes it, or
    a sentence; a word or a name is one, too, which other languages translate where they know it.
    """

    template: str
    values: tuple[str | Sentence, ...]

    def __new__(cls, template: str, *values: str | Sentence) -> Sentence:
        sentence = super().__new__(cls, template.format(*values))
        sentence.template, sentence.values = template, values
        return sentence

    def __getnewargs__(self) -> Any:
        return self.template, *self.values

    @classmethod
    def plain(cls, text: str) -> Sentence:
        """Words in which nothing stands in the place of anything."""
        return cls(text.replace("{", "{{").replace("}", "}}"))

    @classmethod
    def unpacked(cls, packed: Any) -> Sentence:
        """The sentence of which ``packed`` is what travels."""
        if isinstance(packed, str):
            return cls.plain(packed)
        template, *values = packed
        return cls(template, *(one if isinstance(one, str) else cls.unpacked(one) for one in values))

    def packed(self) -> str | list[Any]:
        """What travels: the words as they are, or ``[template, *values]`` where values stand in them."""
        return [self.template, *map(_packed, self.values)] if self.values else str(self)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> dict[str, Any]:
        return {"type": "any"}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        listed = {
            "type": "array",
            "prefixItems": [{"type": "string"}],
            "items": {"type": ["string", "array"]},
            "minItems": 2,
        }
        return {"anyOf": [{"type": "string"}, listed], "tsType": "Sentence"}


def _packed(value: str) -> str | list[Any]:
    return value.packed() if isinstance(value, Sentence) else value


def say(template: str, *values: object) -> Sentence:
    """``say("{:,} weights have {} codes.", 1024, 8)``: what stands in the places, and how it is written.

    As in Python, except that a space stands before the sign of a share: 50 %.
    """
    plain, specs = _parsed(template)
    if len(specs) != len(values):
        raise ValueError(f"{template!r} has {len(specs)} places for {len(values)} values")
    return Sentence(plain, *map(_written, values, specs))


@functools.lru_cache  # a lab says the same for each of its events
def _parsed(template: str) -> tuple[str, tuple[str, ...]]:
    """The template without formats, and the format of each of its places."""
    plain, specs = "", list[str]()
    for words, place, spec, conversion in Formatter().parse(template):
        plain += words.replace("{", "{{").replace("}", "}}")
        if place is None or spec is None:
            continue
        if place or conversion or "{" in spec:
            raise ValueError(f"a place of {template!r} is neither {{}} nor {{:format}}")
        plain += "{} %" if spec.endswith("%") else "{}"
        specs.append(spec)
    return plain, tuple(specs)


def _written(value: object, spec: str) -> str | Sentence:
    """A number is plain; words are a sentence. The sign of a share belongs to the template."""
    if isinstance(value, NUMBERS) and not isinstance(value, bool):
        return format(value, spec).removesuffix("%")
    if not isinstance(value, Sentence):
        return Sentence.plain(format(value, spec))
    if spec:
        raise ValueError(f"{value!r} stands in a sentence as it is, not as {spec!r}")
    return value


def joined(separator: str, parts: Iterable[str]) -> Sentence:
    """Words or sentences one after the other; each keeps its template."""
    listed = list(parts)
    return say(Sentence.plain(separator).template.join(["{}"] * len(listed)), *listed)


def counted(number: int, noun: str) -> Sentence:
    """``counted(1, "byte")`` and ``counted(1096, "byte")``: 1 byte, 1,096 bytes."""
    return say("{:,} {}{}", number, noun, "" if number == 1 else "s")


@dataclass(frozen=True, kw_only=True)
class Event:
    """One whole picture. Drawing event *i* needs event *i* alone, so a run can be scrubbed in any order."""

    text: Sentence
    """One sentence that says what this picture shows: spoken, captioned, printed."""

    def __post_init__(self) -> None:
        if type(self.text) is str:  # as a reader who edits a lab may write
            object.__setattr__(self, "text", Sentence.plain(self.text))


@dataclass(frozen=True)
class Label:
    """How a parameter is shown: its name, a sentence of help, its unit, and the group of controls it joins.

    A ``main`` parameter stands beside the picture and the others are folded away. If a lab marks none, the first
    two stand beside the picture.
    """

    text: str
    help: str = ""
    unit: str = ""
    group: str = ""
    main: bool = False

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        extra = {"description": self.help, "unit": self.unit, "group": self.group, "main": self.main}
        return handler(core) | {"title": self.text} | {key: value for key, value in extra.items() if value}


@dataclass(frozen=True)
class Text:
    """A parameter that the reader types: at most ``most`` characters, code where it has a ``language``.

    ``examples`` are texts to begin with, by name; ``@name`` stands for one of them in links and in prose. A program
    that the figure lists is ``listed``: its listing is the editor.
    """

    most: int
    language: str = ""
    examples: Mapping[str, str] = field(default_factory=dict)
    listed: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> dict[str, Any]:
        return {**handler(source), "max_length": self.most}

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        extra = {"language": self.language, "examples": dict(self.examples), "listed": self.listed}
        return handler(core) | {key: value for key, value in extra.items() if value}


@dataclass(frozen=True)
class Array:
    """Marks a NumPy array of one dtype; on the wire it is little-endian bytes with dtype and shape."""

    dtype: str

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> dict[str, Any]:
        return {"type": "any"}

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        return {"type": "object", "tsType": f"NdArray<{self.dtype.capitalize()}Array>"}


class Axes:
    """Names the axes of an array or a list, and the places along each, so that nobody counts them.

    ``Axes(order="orders", quartile=("low", "median", "high"))``: of each axis the names of its places, or
    the field of the event that lists them (``"ways.name"`` for a field of each), or ``None`` if they have numbers.
    """

    def __init__(self, **axes: str | Sequence[str] | None) -> None:
        self.axes = axes

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        made = handler(core)
        if "tsType" in made:
            named = ", ".join(f'"{name}"' for name in self.axes)
            made["tsType"] = made["tsType"].replace(">", f", [{named}]>")
        return made | {"axes": [{"name": name, **_places(places)} for name, places in self.axes.items()]}


def _places(places: str | Sequence[str] | None) -> dict[str, Any]:
    if places is None:
        return {}
    return {"of": places} if isinstance(places, str) else {"names": list(places)}


Float32 = Annotated[NDArray[np.float32], Array("float32")]
Int32 = Annotated[NDArray[np.int32], Array("int32")]
Uint8 = Annotated[NDArray[np.uint8], Array("uint8")]


def as_base64(array: NDArray[Any]) -> dict[str, Any]:
    """The JSON form of an array: ``{dtype, shape, data}`` with ``data`` in base64."""
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    data = base64.b64encode(little.tobytes()).decode("ascii")
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": data}


def pack(value: Any, array: Callable[[NDArray[Any]], Any] = as_base64) -> Any:
    """Turn an event into plain JSON values; ``array`` says what becomes of NumPy arrays.

    Raises ``ValueError`` on NaN and infinity outside arrays: JSON has neither, so a lab says ``None`` instead.
    """
    if is_dataclass(value):
        packed = {f.name: pack(getattr(value, f.name), array) for f in fields(value)}
        return packed | {"text": value.text.packed()} if isinstance(value, Event) else packed
    if isinstance(value, np.ndarray):
        return array(value)
    if isinstance(value, np.generic):
        return pack(value.item(), array)
    if isinstance(value, dict):
        return {str(key): pack(item, array) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [pack(item, array) for item in value]
    if isinstance(value, Sentence):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"an event holds {value}; use None for a number that does not exist")
    return value


def unpack(value: Any) -> Any:
    """The inverse of ``pack``: plain JSON values, with NumPy's arrays and an event's sentence as they were."""
    if isinstance(value, dict):
        if value.keys() == {"dtype", "shape", "data"}:
            flat = np.frombuffer(base64.b64decode(value["data"]), dtype=np.dtype(value["dtype"]).newbyteorder("<"))
            return flat.reshape(value["shape"])
        return {key: Sentence.unpacked(item) if key == "text" else unpack(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unpack(item) for item in value]
    return value
