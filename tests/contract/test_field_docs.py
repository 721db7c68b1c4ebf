"""What stands below a field of an event reaches the schema, the types and the tables of the page."""

import json
from dataclasses import dataclass
from typing import Literal

from labs.contract import Event
from labs.discover import find
from underhood.author import generate
from underhood.contract.field_docs import field_docs
from underhood.contract.schema import event_schemas


@dataclass(frozen=True, kw_only=True)
class Ball(Event):
    """A ball."""

    kind: Literal["ball"] = "ball"
    height: float
    """metres above the ground,
    at its lowest point"""
    colour: str
    mass: float  # a comment is not for readers


@dataclass(frozen=True, kw_only=True)
class Bouncing(Ball):
    colour: str
    """while it bounces"""


def test_the_string_below_a_field_is_its_meaning() -> None:
    said = field_docs(Bouncing)
    assert said["height"] == "metres above the ground,\nat its lowest point"
    assert said["colour"] == "while it bounces"
    assert "mass" not in said
    assert "text" in said, "what every event has is explained, too"


def test_schemas_and_the_page_say_the_same() -> None:
    for lab in find().values():
        said = json.loads((generate.OUT / lab.id / "fields.json").read_text("utf-8"))["meanings"]
        for schema in event_schemas(lab).values():
            for field, property_ in schema["properties"].items():
                assert said.get(field) == property_.get("description")
