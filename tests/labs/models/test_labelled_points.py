"""Points as a reader types them: read, or refused with the line that is meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.models.labelled_points import EXAMPLES, MOST, PointsError, read

COORDINATES = st.floats(-10, 10).map(lambda value: round(value, 3))
ROWS = st.lists(st.tuples(COORDINATES, COORDINATES, st.integers(0, 1)), min_size=2, max_size=MOST)


@given(ROWS, st.sampled_from([" ", ", ", "\t", " ; ", " → "]), st.sampled_from(["", "  # why", " "]))
def test_what_is_written_is_read(rows: list[tuple[float, float, int]], between: str, after: str) -> None:
    text = "\n".join(between.join(map(str, row)) + after for row in rows)
    points = read(f"# a remark\n\n{text}\n")
    assert points.x.tolist() == [[x, y] for x, y, _ in rows]
    assert points.y.ravel().tolist() == [label for *_, label in rows]
    assert points.lines == list(range(2, 2 + len(rows)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There are 0 points"),
        ("0 0 1", "There are 1 points"),
        ("0 0 0\n" * 41, "There are 41 points"),
        ("0 0 0\n0 1", "Line 2 has 2 parts"),
        ("0 0 0 0\n0 1 1", "Line 1 has 4 parts"),
        ("0 zero 0\n0 1 1", "Line 1: “zero” is not a number"),
        ("0 nan 0\n0 1 1", "Line 1: “nan” is not a number"),
        ("0 inf 0\n0 1 1", "Line 1: “inf” is not a number"),
        ("0 11 0\n0 1 1", "Line 1: a coordinate lies between −10 and 10"),
        ("0 0 0\n\n0 1 2", "Line 3: the label, its last number, is 0 or 1"),
        ("0 0 0.5\n0 1 1", "Line 1: the label"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(PointsError, match=says):
        read(text)


def test_a_typographic_minus_is_a_minus() -> None:
    assert read("−1 0 0\n1 0 1").x[0, 0] == -1


def test_the_examples_are_what_they_are_called() -> None:
    gates = {"XOR": lambda a, b: a ^ b, "AND": lambda a, b: a & b, "OR": lambda a, b: a | b}
    for name, gate in gates.items():
        points = read(EXAMPLES[name])
        assert [gate(int(a), int(b)) for a, b in points.x] == points.y.ravel().tolist()
    assert (read(EXAMPLES["XNOR"]).y == 1 - read(EXAMPLES["XOR"]).y).all()
    assert {name: len(read(text).x) for name, text in EXAMPLES.items()}["ring"] == 16
