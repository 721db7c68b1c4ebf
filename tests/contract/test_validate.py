"""Parameters: what is taken, what is refused, and in which words."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.contract import Interval, Label, Text
from labs.discover import Lab
from underhood.contract.schema import describe
from underhood.contract.validation import ParameterError, allowed, canonical, validate


@dataclass(frozen=True)
class Params:
    bits: Annotated[int, Interval(ge=2, le=8), Label("Bits per weight", help="Fewer is smaller.", unit="bit")]
    rate: Annotated[float, Interval(ge=0, le=0.5), Label("Rate", group="Training")] = 0.1
    scheme: Annotated[Literal["symmetric", "asymmetric"], Label("Scheme")] = "symmetric"
    group: Annotated[Literal[16, 32], Label("Group")] = 16
    wrong: Annotated[bool, Label("Wrong sign")] = False
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


LAB = Lab(
    id="demo/lab",
    module="demo.lab",
    title="Demo",
    summary="a lab that is not there.",
    runs_on=("cpu",),
    measures=False,
    shows_python=False,
    params=Params,
    events=(),
    run=lambda params: iter(()),
    version="0",
)

VALID = st.fixed_dictionaries(
    {"bits": st.integers(2, 8)},
    optional={
        "rate": st.floats(0, 0.5),
        "scheme": st.sampled_from(["symmetric", "asymmetric"]),
        "group": st.sampled_from([16, 32]),
        "wrong": st.booleans(),
        "seed": st.integers(0, 2**31 - 1),
    },
)
JSON = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.lists(st.integers())


def refusal(values: dict[str, Any]) -> str:
    with pytest.raises(ParameterError) as caught:
        validate(LAB, values)
    assert all(problem["message"] in str(caught.value) for problem in caught.value.problems)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@given(VALID)
def test_what_is_in_range_is_taken_as_it_is(values: dict[str, Any]) -> None:
    params = validate(LAB, values)
    assert type(params) is Params
    assert canonical(params) == canonical(Params(**values))


@given(VALID, st.sampled_from(["bits", "rate", "scheme", "group", "wrong", "seed"]), JSON)
def test_anything_is_either_taken_unchanged_or_refused_by_name(
    values: dict[str, Any], name: str, value: Any
) -> None:
    try:
        taken = getattr(validate(LAB, values | {name: value}), name)
    except ParameterError as error:
        assert [problem["param"] for problem in error.problems] == [name]
    else:
        assert taken == value
        assert isinstance(taken, bool) == isinstance(value, bool)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bits": 9}, "bits must be a whole number from 2 to 8, not 9"),
        ({"bits": 1}, "bits must be a whole number from 2 to 8, not 1"),
        ({"bits": "4"}, "bits must be a whole number from 2 to 8, not '4'"),
        ({"bits": 4.0}, "bits must be a whole number from 2 to 8, not 4.0"),
        ({"bits": True}, "bits must be a whole number from 2 to 8, not True"),
        ({"bits": None}, "bits must be a whole number from 2 to 8, not None"),
        ({}, "bits is missing: it must be a whole number from 2 to 8"),
        ({"bits": 4, "rate": float("nan")}, "rate must be a number from 0 to 0.5, not nan"),
        ({"bits": 4, "rate": float("inf")}, "rate must be a number from 0 to 0.5, not inf"),
        ({"bits": 4, "scheme": "Symmetric"}, "scheme must be one of 'symmetric', 'asymmetric', not 'Symmetric'"),
        ({"bits": 4, "group": 17}, "group must be one of 16, 32, not 17"),
        ({"bits": 4, "wrong": 1}, "wrong must be true or false, not 1"),
        ({"bits": 4, "seed": -1}, "seed must be a whole number from 0 to 2147483647, not -1"),
        ({"bits": 4, "sede": 1}, "demo/lab has no parameter sede; did you mean seed?"),
        (
            {"bits": 4, "colour": 1},
            "demo/lab has no parameter colour; it takes bits, rate, scheme, group, wrong, seed",
        ),
    ],
)
def test_a_refusal_names_the_parameter_and_its_range(values: dict[str, Any], message: str) -> None:
    assert refusal(values) == message


@pytest.mark.parametrize("huge", [10**400, -(10**400), "9" * 10_000, ["x"] * 10_000])
def test_a_huge_value_is_refused_in_few_words(huge: Any) -> None:
    message = refusal({"bits": huge})
    assert message.startswith("bits must be a whole number from 2 to 8, not ")
    assert len(message) < 100


def test_every_wrong_parameter_is_named() -> None:
    message = refusal({"bits": 99, "rate": 2, "colour": "red"})
    assert all(name in message for name in ("bits", "rate", "colour"))


@pytest.mark.parametrize("values", [[], "bits=4", None, 4])
def test_something_that_is_no_object_is_refused(values: Any) -> None:
    refusal(values)


def test_a_whole_number_is_a_number() -> None:
    assert validate(LAB, {"bits": 4, "rate": 0}).rate == 0.0


@dataclass(frozen=True)
class Typed:
    source: Annotated[str, Text(10, language="c", examples={"short": "f();"}), Label("Program")] = "f();"


def test_a_text_says_its_language_how_long_it_may_be_and_what_to_begin_with() -> None:
    lab = replace(LAB, id="demo/typed", params=Typed)
    assert validate(lab, {"source": "é" * 10}).source == "é" * 10
    with pytest.raises(ParameterError, match="source must be text of at most 10 characters"):
        validate(lab, {"source": "f(); g(); h();"})
    assert describe(lab)["params"]["properties"]["source"] == {
        "default": "f();",
        "examples": {"short": "f();"},
        "language": "c",
        "maxLength": 10,
        "title": "Program",
        "type": "string",
    }


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "minimum": 2, "maximum": 8}, "a whole number from 2 to 8"),
        ({"type": "number", "minimum": -0.5, "maximum": 1}, "a number from -0.5 to 1"),
        ({"type": "integer", "minimum": 0, "maximum": 2**31 - 1}, "a whole number from 0 to 2147483647"),
        ({"type": "boolean"}, "true or false"),
        ({"type": "string"}, "text"),
        ({"type": "string", "maxLength": 4000}, "text of at most 4,000 characters"),
        ({"type": "string", "enum": ["a", "b"]}, "one of 'a', 'b'"),
        ({"const": 3}, "3"),
        ({}, "a value of another type"),
    ],
)
def test_ranges_in_words(schema: dict[str, Any], words: str) -> None:
    assert allowed(schema) == words


def test_the_schema_carries_what_a_control_shows() -> None:
    described = describe(LAB)
    assert described["params"]["additionalProperties"] is False
    assert described["params"]["properties"]["bits"] == {
        "type": "integer",
        "minimum": 2,
        "maximum": 8,
        "title": "Bits per weight",
        "description": "Fewer is smaller.",
        "unit": "bit",
    }
    assert described["params"]["properties"]["rate"]["group"] == "Training"
    assert {*described} == {
        "id",
        "title",
        "summary",
        "runs_on",
        "measures",
        "shows_python",
        "version",
        "params",
        "events",
    }
