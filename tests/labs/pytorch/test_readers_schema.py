"""A schema of the reader's: torch's own three thousand, with kernels by rule, and what is refused."""

from __future__ import annotations

import random
import re

import pytest
import torch
from labs.contract import LabError
from native.pytorch.operator_schema import OWN, Params, Told, run
from native.pytorch.operator_schema.pictures import Kernel
from native.pytorch.operator_schema.promised import uncalled
from native.pytorch.operator_schema.schemas import slots
from native.pytorch.operator_schema.typed import read

EVERY = sorted(str(each) for each in torch._C._jit_get_all_schemas())
SHORT = [each for each in EVERY if len(each) <= 200]
VALUE = re.compile(r"-> \(?(bool|int|float|complex|str|Scalar)\b")


def told(own: str, kernel: Kernel = "new") -> list[Told]:
    return list(run(Params(own=own, kernel=kernel)))


def called(seed: int, many: int) -> list[str]:
    drawn = random.Random(seed).sample(SHORT, 20 * many)
    return [each for each in drawn if not uncalled(torch._C.parse_schema(each)) and not VALUE.search(each)][:many]


def test_every_schema_of_torch_is_read_or_refused_with_advice() -> None:
    refused = 0
    for each in EVERY:
        try:
            assert read(each) == torch._C.parse_schema(each)
        except LabError as problem:
            refused += 1
            assert re.fullmatch(
                r"(Two arguments|Python keeps|These \d+|PyTorch’s parser refuses).*\.", str(problem)
            ), problem
    assert refused < len(EVERY) / 50


@pytest.mark.parametrize("own", called(11, 6))
def test_a_kernel_that_keeps_the_promise(own: str) -> None:
    """Then no road fails, but for those to which results with a mark are not allowed."""
    *_, end = told(own)
    assert end.lies == 0
    marked = "Tensor(" in re.split(r"\) -> ", own)[-1]
    failing = {each.name for each in end.roads if each.state != "works"}
    assert failing == ({"compile", "test_aot_dispatch_dynamic"} if marked else set())


@pytest.mark.parametrize("own", called(12, 4))
@pytest.mark.parametrize("kernel", ["mutates", "aliases"])
def test_a_kernel_that_does_not(own: str, kernel: Kernel) -> None:
    *_, end = told(own, kernel)
    taken, _, given = own.partition("(")[2].rpartition(") -> ")
    plain = re.search(r"\bTensor[?\[\]]* \w", taken)
    fresh = re.search(r"\bTensor(?![(\w])", given)
    lies = bool(plain and (fresh or kernel == "mutates"))
    assert (end.lies > 0) == lies, own
    assert ("test_schema" in {each.name for each in end.roads if each.state == "fails"}) == lies


def test_a_call_that_is_removed() -> None:
    """The first of two calls has a result that nobody uses."""
    *_, end = told(OWN["no_result"], "mutates")
    assert [each.values for each in end.roads[:4:3]] == [[3, 4, 5, 6], [1, 2, 3, 4]]
    assert end.roads[0].name == "eager" and end.roads[3].name == "compile" and not end.roads[3].says
    *_, end = told("log_to(Tensor(a!) x, str name) -> ()")
    assert end.fails == 0 and end.roads[3].values == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("own", "why"),
    [
        ("f(Tensor x, int[] at=[0, 1]) -> Generator", "the lab has no Generator to give for result"),
        ("f(Dict(str, Tensor) x) -> ()", "the lab has no Dict[str, Tensor] to give for x"),
        ("f(int n) -> Tensor", "with no tensor given, no backend’s kernel is chosen"),
        ("f(Tensor x, ...) -> ()", "“...” leaves open how many values there are"),
    ],
)
def test_what_is_only_drawn(own: str, why: str) -> None:
    log = told(own)
    assert log[-1].text == f"The operator is drawn, but not called: {why}."
    assert not log[-1].roads and not log[-1].program and len(log) == len(log[0].slots) + 1


def marks(own: str) -> list[str]:
    return [each.mark for each in slots(read(own))]


def test_marks_that_torch_itself_never_writes() -> None:
    assert marks('f(Tensor(b)[] x, Tensor(c)[]? y, str s="Tensor(q)[]") -> Tensor(b)[]') == ["b", "c", "", "b"]
    assert marks("f(Tensor(a)?[] x, Tensor(*) y) -> Tensor(a)[]") == ["a", "*", "a"]
    log = told("f(Tensor(alpha) x, Tensor(a) y) -> (Tensor(a) one, Tensor(b), Tensor(*))")
    assert [each.text for each in log[2:5]] == [
        "result one is in alias set a: it may share the memory of y.",
        "result 1 is in alias set b, and no argument is: it shares no memory with any of them.",
        "result 2 is in alias set *, which stands for any: it may share memory with all arguments.",
    ]


PARSER = {
    "f(Tensor x -> Tensor": " at character 12, “->”",
    "f(Tensor x, Tensor(a!|b) y) -> ()": " at character 22, “|”",
    "  ours::f(Foo x) -> ()": " at character 11, “Foo”",
    "f(Tensor x=1) -> Tensor": " at character 12, “1”",
    "f(Tensor x": " at its end",
    "f": "",
    "f.default(Tensor x) -> ()": "",
    "f(int x=99999999999999999999) -> ()": "",
    "f(str s='a', Tensor x) -> ()": "",
    "(" * 200: " at character 1, “(”",
    "f(" + "(" * 198: " at its end",
    "f(Tensor x) -> Tensor()" + "[" * 170: " at character 23, “)”",
}


@pytest.mark.parametrize("own", PARSER)
def test_all_that_the_parser_says(own: str) -> None:
    with pytest.raises((RuntimeError, IndexError)) as heard:
        torch._C.parse_schema(own)
    message = re.sub(r"(?: here)?:?\n[^\n]*(\n[^\n]*HERE\n?)?$", "", str(heard.value).strip())
    with pytest.raises(LabError) as raised:
        told(own)
    said = str(raised.value)
    assert said.startswith(f"PyTorch’s parser refuses the schema{PARSER[own]}: ") and said.endswith(".")
    message = message.rpartition("report a bug to PyTorch. ")[2]
    assert re.sub(r"[.;]", "", message).strip().lower() in re.sub(r"[.;]", "", said).lower()


@pytest.mark.parametrize(
    ("own", "advice"),
    [
        (
            "f(Tensor x)\x00 -> Tensor",
            "Character 12 of the schema is '\\x00': delete it, and write in plain ASCII.",
        ),
        ("f(Tensor é) -> Tensor", "Character 10 of the schema is '\\xe9': delete it, and write in plain ASCII."),
        (
            "f(Tensor x, int x) -> ()",
            "Two arguments are named x: PyTorch takes that, but no call could; rename one.",
        ),
        (
            "f(int lambda) -> ()",
            "Python keeps the word lambda for itself, so no program could write it; rename it.",
        ),
        ("name(Tensor x) -> ()", "torch.ops keeps the name “name” for itself; rename the operator."),
        ("f.op(Tensor x) -> ()", "torch.ops keeps the name “op” for itself; rename the overload."),
        (
            f"f({','.join(f'int a{n}' for n in range(25))}) -> ()",
            "These 25 arguments and results are too many to draw; leave 24 at most.",
        ),
    ],
)
def test_advice(own: str, advice: str) -> None:
    before = torch._C._dispatch_get_all_op_names()
    with pytest.raises(LabError) as raised:
        told(own)
    assert str(raised.value) == advice
    assert torch._C._dispatch_get_all_op_names() == before


def test_nothing_of_it_stays() -> None:
    told(OWN["counter"])
    assert not [each for each in torch._C._dispatch_get_all_op_names() if each.startswith("ours")]
