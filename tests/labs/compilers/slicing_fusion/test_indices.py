"""Affine or not: against the index itself, evaluated at many places."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.compilers.slicing_fusion.grammar import read
from labs.compilers.slicing_fusion.indices import Index, Judge
from labs.compilers.slicing_fusion.program import ProgramError
from labs.compilers.slicing_fusion.spaces import build

HEAD = "n = 5\nsymbol m = 3\nfor i in 0..9: A[i] = X[i]\n"


def judged(index: str) -> Index:
    program = read(f"{HEAD}for i in 0..9, j in 0..9: B[i, j] = A[{index}]")
    nest = program.nests[-1]
    return Judge(program, nest).index(nest.reads[0].parts[0])


@pytest.mark.parametrize(
    ("index", "kind"),
    [
        ("i", "affine"),
        ("2*i + 3*j - 1", "affine"),
        ("i*n + j", "affine"),
        ("n*n", "affine"),
        ("-(i - j)*2", "affine"),
        ("i - i", "affine"),
        ("i + m", "affine"),
        ("(i + j)*(n - 3)", "affine"),
        ("i % 4", "quasi-affine"),
        ("i // 2 + j", "quasi-affine"),
        ("3*(i // n)", "quasi-affine"),
        ("(i % 4) // 2", "quasi-affine"),
        ("i*m", "semi-affine"),
        ("m*m", "semi-affine"),
        ("i // m", "semi-affine"),
        ("i*i", "not affine"),
        ("i*j", "not affine"),
        ("(i % 2)*j", "not affine"),
        ("n // i", "not affine"),
        ("i % 0", "not affine"),
        ("i / 2", "not affine"),
        ("i + 0.5", "not affine"),
        ("idx[i]", "not affine"),
        ("idx[i]*m", "not affine"),
        ("max(i, j)", "not affine"),
        ("abs(i)", "not affine"),
    ],
)
def test_kinds(index: str, kind: str) -> None:
    found = judged(index)
    assert found.kind == kind
    assert found.decidable == (kind in ("affine", "quasi-affine"))
    assert found.why and not found.why.endswith(".")


@pytest.mark.parametrize(
    ("index", "factors", "rest", "symbols"),
    [
        ("i + m", {"i": 1}, 0, {"m": 1}),
        ("2*(m - i) + 1", {"i": -2}, 1, {"m": 2}),
        ("i + m - m", {"i": 1}, 0, {}),
        ("(m + 3) - j - m - m", {"j": -1}, 3, {"m": -1}),
        ("i*(m - m + 2)", {"i": 2}, 0, {}),
    ],
)
def test_a_symbol_may_be_added_and_is_told(
    index: str, factors: dict[str, int], rest: int, symbols: dict[str, int]
) -> None:
    found = judged(index)
    assert (found.kind, found.factors, found.rest, found.symbols) == ("affine", factors, rest, symbols)
    assert ("the symbol m, which may be added" in found.why) == bool(symbols)


def expressions(depth: int = 3) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["i", "j", "n", "0", "1", "2", "7"])
    return st.recursive(
        leaf,
        lambda part: st.one_of(
            st.tuples(part, st.sampled_from("+-*"), part).map(lambda each: f"({each[0]} {each[1]} {each[2]})"),
            st.tuples(part, st.sampled_from(["//", "%"]), st.sampled_from("23")).map(" ".join).map("({})".format),
            part.map("(-{})".format),
        ),
        max_leaves=6,
    )


@given(expressions(), st.integers(0, 2**32))
def test_affine_is_what_never_bends(index: str, seed: int) -> None:
    """Affine: the factors and the rest say the value everywhere. With no quotient in it, not affine: it bends."""
    found, rng = judged(index), random.Random(seed)

    def at(i: int, j: int) -> int:
        return int(eval(index, {"i": i, "j": j, "n": 5}))

    if found.kind == "affine":
        for _ in range(20):
            i, j = rng.randrange(-50, 50), rng.randrange(-50, 50)
            assert at(i, j) == found.rest + i * found.factors.get("i", 0) + j * found.factors.get("j", 0)
    elif found.kind == "not affine" and "//" not in index and "%" not in index and "- " not in index:
        bends = [at(a + 40, b) - 2 * at(a + 20, b) + at(a, b) for a in range(5) for b in range(5)]
        bends += [at(a, b + 40) - 2 * at(a, b + 20) + at(a, b) for a in range(5) for b in range(5)]
        bends += [at(a + 9, b + 9) - at(a + 9, b) - at(a, b + 9) + at(a, b) for a in range(5) for b in range(5)]
        assert any(bends) or "0" in index or "(-" in index


GOOD = "for i in 0..8: A[i] = X[i]\nfor i in 0..8: B[i] = A[i]"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Write two nests"),
        ("for i in 0..8: A[i] = X[i]", "Write two nests"),
        ("A[i] = X[i]", "put a loop before it"),
        ("for i in 0..8 A[i] = X[i]", "Line 1, column 15: expected : after the loops, found A"),
        ("for i in 0..8: A = X[i]", "needs an index in brackets"),
        ("for i in 0..8: A[i] = X[j]", "column 25: j is no loop variable and no number; give it a loop, such as"),
        ("for i in 0..8: A[i] = X[j]", "for i in 0..16, j in 0..16, or write j = 16 on a line above"),
        ("for i in 0..8: A[i] = X", "column 23: X is no loop variable and no number; write X[i] if it is an array"),
        ("for i in 0..8: A[i] = X[i] + X", "write X[i] if it is an array, or X = 16 on a line above"),
        ("for i in 0..8: A[i] = f(X[i])", "f is no function here; these are: exp, tanh"),
        (
            "for i in 0..m: A[i] = X[i]",
            "column 13: m is no loop variable and no number; write m = 16 on a line above",
        ),
        ("for i in 0..8, j in 0..m: A[i] = X[i]", "write m = 16 on a line above"),
        (
            "for i in range(16): A[i] = X[i]",
            "column 10: loops say from where to where they run; write for i in 0..16",
        ),
        ("for i in 0..8: A[i] = min(X[i])", "min takes 2, not 1"),
        ("for i in 0..8: A[i] = X[i] $ 2", "'$' has no meaning here"),
        ("for i in 0..8: A[i] = (X[i]", "expected ) to close the bracket, found the end of the line"),
        ("for i in 0..8: A[i] = X[i] X[i]", "X cannot stand here"),
        ("for i of 0..8: A[i] = X[i]", "expected in after i"),
        ("for i in 0..8, i in 0..8: A[i] = X[i]", "i is taken"),
        ("for max in 0..8: A[max] = 1", "max has a meaning of its own"),
        ("n = 0", "whole number from 1"),
        ("n = 5\nn = 6", "n has its number already"),
        (GOOD + "\nkeep C", "no line writes C"),
        (GOOD + "\nfor i in 0..8: A[i] = B[i]", "A is written on line 1, too"),
        ("for i in 0..8: A[i] = " + "+".join(["X[i]"] * 40), "more than 20 terms"),
        ("for i in 0..8: A[i] = " + "(" * 40 + "1" + ")" * 40, "nested too deeply"),
        ("for i in 0..8: A[i] = " + "-" * 40 + "1", "nested too deeply"),
        ("for i in 0..8: A[i, i, i, i] = 1", "3 are the most"),
    ],
)
def test_what_cannot_be_read(text: str, says: str) -> None:
    with pytest.raises(ProgramError) as error:
        read(text)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("for i in 0..8: A[i] = X[i-1]\nfor i in 0..8: B[i] = A[i]", "X[i-1] lies before the array when i = 0"),
        ("for i in 8..8: A[i] = X[i]\nfor i in 0..8: B[i] = A[i]", "Line 1: this never runs"),
        ("for i in 0..X[0]: A[i] = 1\nfor i in 0..8: B[i] = A[i]", "may use numbers and outer loops alone"),
        ("for i in 0..8 // 2: A[i] = 1\nfor i in 0..8: B[i] = A[i]", "may not divide"),
        ("for i in 0..99, j in 0..99: A[i] = 1\nfor i in 0..8: B[i] = A[i]", "runs more than 4,096 times"),
        ("for i in 0..64, j in 0..32: A[i, j] = 1\nfor i in 0..8: B[i] = A[i, 0]", "1,024 are the most"),
        ("for i in 0..8: A[i] = 1\nfor i in 0..8: B[i] = A[i, 0]", "A has 1 index elsewhere"),
        ("for i in 0..8: A[i] = 1\nfor i in 0..8: B[i] = X[A[i]]", "A is used as an index"),
        ("for i in 0..8: A[i] = X[idx[jdx[i]]]\nfor i in 0..8: B[i] = A[i]", "is too much"),
        ("for i in 0..8: A[i] = X[X[i]]\nfor i in 0..8: B[i] = A[i]", "cannot be its own index"),
    ],
)
def test_what_cannot_be_run(text: str, says: str) -> None:
    with pytest.raises(ProgramError) as error:
        build(read(text))
    assert says in str(error.value)


def test_triangles() -> None:
    world = build(read("for i in 0..5, j in 0..i+1: A[i, j] = X[j]\nfor i in 0..5: B[i] = A[i, i]"))
    assert world.spaces[0].at.tolist() == [[i, j] for i in range(5) for j in range(i + 1)]
