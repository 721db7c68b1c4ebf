"""Every parameter can be shown as a control: it has a label, a default, and a range that ends on both sides."""

import typing
from typing import Any

import pytest
from labs.contract import Label
from labs.discover import Lab, find
from underhood.contract.schema import params_schema
from underhood.contract.validation import canonical, validate

LONGEST = 4000  # a link carries it
LABS = list(find().values())
PARAMETERS = [
    pytest.param(lab, name, id=f"{lab.id}-{name}") for lab in LABS for name in typing.get_type_hints(lab.params)
]


@pytest.mark.parametrize(("lab", "name"), PARAMETERS)
def test_a_parameter_has_a_label_a_default_and_bounds(lab: Lab, name: str) -> None:
    hint = typing.get_type_hints(lab.params, include_extras=True)[name]
    schema: dict[str, Any] = params_schema(lab)["properties"][name]
    assert any(isinstance(note, Label) for note in getattr(hint, "__metadata__", ())), "it needs a Label"
    assert "default" in schema, "it needs a default: a figure is drawn before anybody has chosen"
    if schema.get("type") == "string" and "enum" not in schema and "const" not in schema:
        assert schema.get("maxLength", 1 << 30) <= LONGEST, f"it needs Text(most=…), {LONGEST:,} at most"
    elif "enum" not in schema and "const" not in schema and schema["type"] != "boolean":
        assert {"minimum", "maximum"} <= schema.keys(), "it needs Interval(ge=…, le=…)"


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_the_defaults_are_valid(lab: Lab) -> None:
    assert validate(lab, canonical(lab.params())) == lab.params()
