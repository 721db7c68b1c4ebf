"""Why the sum of two types has the type that it has, in words."""

from __future__ import annotations

from labs.models.tensor.dtypes import promote
from labs.tensors.dtype_promotion.promotion import HOWS, LATE, Side, kind, own, pytorchs

KINDS = ("truth values", "whole numbers", "floats", "complex numbers")
HOW = {"array": "the array", "0-d": "the array without dimensions", "number": "the Python number"}


def pytorchs_reason(left: Side, right: Side) -> str:
    found = pytorchs(left, right)
    first, second = sorted((left, right), key=lambda each: HOWS.index(each.how))
    types = own(first), own(second)
    if found is None:
        return f"it promotes {', '.join(LATE)} beside floats only"
    if types[0] is types[1]:
        return "both have it already"
    if first.how == second.how:
        return same_rank(first, second, found.name)
    if kind(types[1]) <= kind(types[0]):
        return f"{HOW[first.how]} decides, since {HOW[second.how]} is of no higher kind"
    default = ", by default" if second.how == "number" else ""
    return f"{HOW[second.how]} is of a higher kind, {KINDS[second.kind]}{default}, and so has a say"


def same_rank(first: Side, second: Side, found: str) -> str:
    low, high = sorted((own(first), own(second)), key=kind)
    if kind(low) == kind(high):
        return "it is the smallest type that holds both" if found not in (low.name, high.name) else "it holds both"
    if found == high.name:
        return f"{KINDS[kind(high)]} win over {KINDS[kind(low)]}, however few bits they have"
    return f"{KINDS[kind(high)]} win over {KINDS[kind(low)]}, and their parts become as wide"


def numpys_reason(left: Side, right: Side) -> str:
    weak = [each for each in (left, right) if each.how == "number"]
    if len(weak) == 2:
        return "two Python numbers take the types that NumPy gives them by default"
    if weak:
        other = left if weak[0] is right else right
        if weak[0].kind <= other.kind:
            return "a Python number is weak, and takes the type of the other side"
        return f"a Python number is weak, but of a higher kind, {KINDS[weak[0].kind]}"
    if left.dtype is right.dtype:
        return "both have it already"
    found = promote(left.dtype, right.dtype)
    if found.holds(left.dtype) and found.holds(right.dtype):
        return "it is the smallest type that holds both"
    return "no type holds both exactly, so it takes a wide one, which rounds"
