"""What the article says of Python's road, asked of the lab and of the running interpreter."""

from __future__ import annotations

import dis
import sys

from article import recorded
from execution_article import says, stepped


def test_five_instructions_add_two_numbers() -> None:
    says("The compiler of Python 3.11 turns it into five instructions")
    scope: dict[str, object] = {}
    exec("def add(a, b):\n    return a + b\n", scope)
    function = scope["add"]
    assert callable(function)
    names = [each.opname for each in dis.get_instructions(function)]
    if sys.version_info[:2] == (3, 11):
        assert names == ["RESUME", "LOAD_FAST", "LOAD_FAST", "BINARY_OP", "RETURN_VALUE"]


def test_the_product_is_computed_first_while_the_sum_waits() -> None:
    says(
        "`price * rate` stands deeper in the tree, so it is computed first",
        "pile up three values and fold them into one",
    )
    inner = [step for step in stepped("a loop") if step.stage == "total"]
    signs = [step.arguments[step.at] for step in inner if step.instructions[step.at] == "BINARY_OP"]
    assert signs[:2] == ["*", "+"]
    product = next(step for step in inner if step.instructions[step.at] == "BINARY_OP")
    assert len(product.taken) == 2 and len(product.calls[-1].stack) == 3  # the iterator, the old cost, the product


def test_the_shown_step_is_in_the_middle_of_that_line() -> None:
    says("The instruction that has just been executed is marked in both listings")
    shown = recorded("bits/bytecode_vm")[30]
    assert shown["stage"] == "total" and shown["arguments"][shown["at"]] == "cost"


def test_a_loop_is_two_instructions() -> None:
    says("`for` is two instructions and a jump")
    says("`GET_ITER` makes an iterator once, `FOR_ITER` asks it again and again")
    done = [step.instructions[step.at] for step in stepped("a loop")]
    assert done.count("GET_ITER") == 1 and done.count("FOR_ITER") == 4
    assert sum(name.startswith("JUMP_BACKWARD") for name in done) == 3


def test_nothing_is_called_and() -> None:
    says("there is no instruction called *and*")
    made = stepped("short circuit")
    assert not any("AND" in name.split("_") or name == "BINARY_AND" for step in made for name in step.instructions)
    assert made[-1].outcome == "ended"  # 1 / 0 is jumped over


def test_a_call_is_a_frame_of_its_own() -> None:
    says("each call opens a frame with variables and a stack of its own")
    assert max(len(step.calls) for step in stepped("recursion")) == 6


def test_two_names_of_one_list() -> None:
    says("both `first` and `second` stand beside ①: they are one list")
    call = stepped("two names, one list")[-2].calls[0]
    number = {name: value.object for name, value in zip(call.names, call.values, strict=True)}
    assert number["first"] == number["second"] == 1


def test_try_costs_nothing() -> None:
    says("`try` costs almost nothing", "no instruction begins the `try`, apart from one that does nothing")
    step = next(step for step in stepped("an exception") if step.stage == "divide")
    assert step.instructions[:2] == ["RESUME", "NOP"]
    assert not any("SETUP" in name for name in step.instructions)


def test_a_little_is_optimised() -> None:
    says("`60 * 60 * 24` is one constant, and the lines under `if 0` are gone")
    made = stepped("folded away")
    seconds = next(step for step in made if step.stage == "seconds")
    assert "86400" in seconds.arguments and "BINARY_OP" not in seconds.instructions
    assert not any("nobody" in argument for step in made for argument in step.arguments)


def test_the_recording_is_of_3_11() -> None:
    says("The run above is that of Python 3.11.")
    assert all(event["python"].startswith("3.11") for event in recorded("bits/bytecode_vm"))
    assert any("PRECALL" in event["instructions"] for event in recorded("bits/bytecode_vm"))


def test_three_values_at_most() -> None:
    says("as `co_stacksize`", "Three: the first sum, c and d.")
    code = compile("lambda a, b, c, d: (a + b) * (c + d)", "x", "eval").co_consts[0]
    assert code.co_stacksize == 3


def test_what_is_replaced_in_place_is_hidden() -> None:
    says("The listing here hides that, as `dis` does unless it is asked.")
    names: dict[str, object] = {}
    exec("def f(n):\n    t = 0\n    for i in range(n):\n        t = t + i\n    return t\n", names)
    function = names["f"]
    assert callable(function)
    function(1000)
    plain = [each.opname for each in dis.get_instructions(function)]
    adapted = [each.opname for each in dis.get_instructions(function, adaptive=True)]
    assert "BINARY_OP" in plain and "BINARY_OP" not in adapted
