"""The events of the lab: whole pictures that fit together, bytes counted once, programs that are refused."""

from __future__ import annotations

import json
import random
import time
from itertools import pairwise

import numpy as np
import pytest
from labs.contract import LabError, pack
from labs.models.programs.accept import parse
from labs.models.tensor.tape import Leaf
from labs.tensors.autograd_tape import Grid, Params, Picture, run
from labs.tensors.autograd_tape.examples import EXAMPLES
from labs.tensors.autograd_tape.machine import Machine
from labs.tensors.autograd_tape.memory import held, reached


def pictures(source: str) -> list[Picture]:
    return list(run(Params(source=source)))


def numbers(grid: Grid | None) -> np.ndarray:
    assert grid is not None and not grid.more
    return np.array([float(each) for row in grid.rows for each in row]).reshape(grid.shape)


ENDING = {"changed-too-early": "stopped", "one-walk-too-many": "stopped"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_pictures_fit_together(name: str) -> None:
    made = pictures(EXAMPLES[name])
    assert made[-1].stage == ENDING.get(name, "done")
    assert len(made) <= 200 and max(len(json.dumps(pack(each))) for each in made) < 64 * 1024
    for picture in made:
        places = [record.number for record in picture.records]
        assert places == sorted(set(places))
        for record in picture.records:
            assert all(edge < record.number and edge in (0, *places) for edge in record.edges), record
            assert record.leaf == (record.name == "leaf")
        assert picture.peak_bytes <= picture.most_bytes == made[-1].peak_bytes
        alive = picture.named_bytes + picture.tape_bytes + picture.gradient_bytes + picture.flowing_bytes
        assert alive <= picture.peak_bytes
        assert picture.room[0] >= len(picture.records)
    for before, after in pairwise(made):
        assert after.forward_operations >= before.forward_operations
        assert after.peak_bytes >= before.peak_bytes


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "hook"])
def test_a_gradient_is_the_sum_of_the_shares_that_were_passed_to_it(name: str) -> None:
    """What an operation is given at its step is what earlier steps of the same walk passed on to it."""
    passed: dict[int, np.ndarray] = {}
    given = 0
    for picture in pictures(EXAMPLES[name]):
        if picture.stage != "backward":
            continue
        now = next(each for each in picture.records if each.number == picture.now)
        if now.state != "now":  # a walk begins
            passed = {now.number: numbers(now.gradient)}
            continue
        if now.gradient and now.gradient.more:
            continue
        np.testing.assert_allclose(numbers(now.gradient), passed.pop(now.number), rtol=1e-12)
        given += 1
        for edge, share in zip(now.edges, now.shares, strict=False):
            if edge and share is not None:
                passed[edge] = passed.get(edge, 0) + numbers(share)
        waiting = {each.number for each in picture.records if each.state == "waiting"}
        assert waiting == set(passed)
    assert given


def test_a_hook_changes_what_arrives_and_the_text_says_so() -> None:
    texts = [each.text for each in pictures(EXAMPLES["hook"])]
    assert any("[0.6, −0.8], which a hook made of [6, −8], arrives at w" in text for text in texts)


@pytest.mark.parametrize("name", [name for name in EXAMPLES if ENDING.get(name) is None])
def test_moving_the_numbers_agrees_with_the_tape(name: str) -> None:
    checks = pictures(EXAMPLES[name])[-1].checks
    hidden = name in ("training", "detach", "hook", "float32")
    assert all((check.agree is None) == hidden for check in checks)
    assert all(check.agree for check in checks) or hidden
    for check in checks:
        if check.moved and not check.moved.more:
            np.testing.assert_allclose(numbers(check.moved), numbers(check.tape), rtol=1e-5, atol=1e-7)


def test_moving_the_numbers_contradicts_a_tape_that_cannot_be_right() -> None:
    """At a corner the difference over both sides is half of what the tape says on one."""
    (check,) = pictures("x = tensor([0.], requires_grad=True)\nabs(x + 0.).sum().backward()\n")[-1].checks
    assert check.agree is True  # 0 on both
    (check,) = pictures("x = tensor([0.], requires_grad=True)\nrelu(x).sum().backward()\n")[-1].checks
    assert check.agree is False and numbers(check.moved) == pytest.approx(0.5) and numbers(check.tape) == 0


@pytest.mark.parametrize("line", ["1 / x", "log(x - 1)"])
def test_what_is_no_number_is_not_compared(line: str) -> None:
    (check,) = pictures(f"x = tensor([0.], requires_grad=True)\n({line}).sum().backward()\n")[-1].checks
    assert check.agree is None


def test_bytes_are_those_of_the_storages_that_are_alive() -> None:
    """Counted anew, from the tensors themselves."""
    for name in ("layer", "save-or-not", "written-view", "broadcast", "deep"):
        source = EXAMPLES[name].rsplit("\n", 2)[0] + "\n"  # without the walk back
        machine = Machine(parse(source))
        machine.run()
        tensors = machine.names.names.values()
        tensors = [each for each in tensors if hasattr(each, "storage")]
        named = {id(each.storage): each.storage.numbers.nbytes for each in tensors}
        tape = reached(each.origin for each in tensors)
        saved = {
            id(one.tensor.storage): one.tensor.storage.numbers.nbytes
            for each in tape
            for one in held(each)
            if one.tensor is not None
        }
        last = pictures(source)[-1]
        assert last.named_bytes == sum(named.values())
        assert last.saved_bytes == sum(saved.values())
        assert last.tape_bytes == sum(size for key, size in saved.items() if key not in named)
        assert sum(isinstance(each, Leaf) for each in tape) == sum(each.leaf for each in last.records)


def test_a_checkpoint_keeps_less_and_computes_more() -> None:
    plain, spared = (pictures(EXAMPLES[name]) for name in ("deep", "checkpoints"))
    assert spared[-1].peak_bytes < 0.7 * plain[-1].peak_bytes
    again = spared[-1].backward_operations - plain[-1].backward_operations
    assert again == plain[-1].forward_operations - 2  # all layers once more; the sum at the end is outside of them
    np.testing.assert_array_equal(numbers(spared[-1].checks[0].tape), numbers(plain[-1].checks[0].tape))


def test_what_is_refused_says_at_which_operation() -> None:
    last = pictures(EXAMPLES["changed-too-early"])[-1]
    assert last.trouble and (last.trouble.line, last.line) == (5, 5)
    record = next(each for each in last.records if each.number == last.trouble.record)
    assert (record.name, record.line) == ("mul", 3)
    assert {(each.version, each.now) for each in record.saved} == {(0, 1)}
    assert "at mul #3 of line 3" in last.text and "version 1, and version 0 was saved" in last.text
    twice = pictures(EXAMPLES["one-walk-too-many"])[-1]
    assert twice.trouble and "retain_graph=True" in twice.trouble.says


def test_a_view_shares_its_storage_and_its_version() -> None:
    last = pictures("x = tensor([1., 2., 3.])\ny = x[1:]\ny += 1\n")[-1]
    x, y = last.tensors
    assert x.storage == y.storage and x.version == y.version == 1
    assert (x.shared, y.shared) == (["y"], ["x"])
    assert (y.offset, y.strides) == (1, [1])
    assert numbers(x.values).tolist() == [1, 3, 4]


def test_deleting_the_result_lets_the_tape_go() -> None:
    made = pictures("x = tensor([1., 2.], requires_grad=True)\ny = exp(x)\ndel y\n")
    assert [len(each.records) for each in made] == [1, 2, 1, 1]
    assert made[1].saved_bytes == 16 and made[2].saved_bytes == 0


# -- programs that are not taken -------------------------------------------------------------------------------

REFUSED = [
    ("", "There is no statement; write one"),
    ("with torch.no_grad():\n    pass", "No line of this program does anything"),
    ("if 1 > 2:\n    x = 1", "No line of this program does anything"),
    ("x = (1", "Line 1, column 5: '(' was never closed"),
    ("import os", "Line 1, column 1: import is not needed"),
    ("x = tensor([1.])\nx.__class__", "Line 2, column 1: .__class__ is not taken here"),
    ("x = tensor([1.])\nx.storage.numbers", "Line 2, column 1: .storage is not taken here"),
    ("__import__('os')", "Line 1, column 1: __import__ is not taken here"),
    ("x = tensor.__globals__", "Line 1, column 5: tensor is called here"),
    ("tensor.fresh(1)", "Line 1, column 1: tensor is called here"),
    ("(lambda: 1).__code__", "Line 1, column 1: a function has nothing after a dot"),
    ("print.__self__.budget", "Line 1, column 1: print is called here"),
    ("eval('1')", "Line 1, column 1: eval is no function here"),
    ("open('x')", "Line 1, column 1: open is no function here"),
    ("getattr(1, 'x')", "Line 1, column 1: getattr is no function here"),
    ("while True:\n    pass", "Line 1, column 1: while is not taken here"),
    ("x = [i for i in range(9)]", "Line 1, column 5: a list comprehension is not taken here"),
    ("x = y", "Line 1, column 5: y has no value yet"),
    ("x = 10 ** 100", "Line 1, column 5: the exponent of a plain number is at most 64"),
    ("x = 9 ** 64", "Line 1, column 5: this number is none that is taken"),
    ("x = (-8) ** 0.5", "Line 1, column 5: this number is none that is taken"),
    ("x = 1" + "0" * 400, "Line 1, column 5: this number is too large"),
    ("x = 1e999", "Line 1, column 5: this number is too large for 64 bits"),
    ("x = 1j", "Line 1, column 5: bytes and complex numbers"),
    ("x = zeros(1000000000)", "Line 1, column 5: a tensor has at most 10,000 elements"),
    ("x = zeros(-1, 10)", "Line 1: a shape has no negative length"),
    ("x = arange(1e30)", "Line 1, column 5: a tensor has at most 10,000 elements"),
    ("x = ones(1).expand(100000, 100000)", "Line 1, column 5: a tensor has at most 10,000 elements"),
    ("x = ones(5000, 1) * ones(5000)", "Line 1, column 5: a tensor has at most 10,000 elements"),
    ("x = ones(5000, 1) @ ones(1, 5000)", "Line 1, column 5: a tensor has at most 10,000 elements"),
    ("x = ones(10000)\ny = cat([x, x])", "Line 2, column 5: a tensor has at most 10,000 elements"),
    ("x = ones(1, 1, 1, 1, 1, 1, 1)", "Line 1, column 5: a tensor has at most 6 dimensions"),
    ("a = [1., 2.]\nfor _ in range(30):\n    a = [a, a]", "Line 3, column 9: a list holds at most"),
    ("a = tensor([1., [2., 3.]])", "Line 1: the lists inside of one list have to be equally long"),
    ("for _ in range(10 ** 9):\n    pass", "Line 1, column 10: a loop runs at most 600 times"),
    ("for _ in range(500):\n    for _ in range(500):\n        pass", "after 600 statements the program is stopped"),
    ("def f(x):\n    return f(x)\nf(1)", "Line 2: functions call each other too deeply"),
    ("def f(x):\n    return x\nf(1, 2)", "takes 1 arguments, and 2 are given"),
    ("x = " + "-" * 1900 + "1", "nested too deeply"),
    ("x = " + "(" * 900 + "1" + ")" * 900, "nested too deeply"),
    ("x = " + "[" * 90 + "1" + "]" * 90, "nested too deeply"),
    ("x = " + "1+" * 900 + "1", "nested too deeply"),
    ("print('a' * 5)", "this takes tensors and numbers, not text"),
    ("x = [1] * 5", "this takes tensors and numbers, not a list"),
    ("with open('x'):\n    pass", "with is taken for no_grad() alone"),
    ("tensor = 5\nx = tensor([1.])", "tensor stands for a number here"),
    ("x = ones(2)\nx.shape = 3", "this cannot be assigned to"),
    ("return 5", "return stands inside of a function"),
    ("def f(*x):\n    pass", "without \\*"),
    ("@f\ndef g():\n    pass", "decorators"),
    ("def g(a, a):\n    return a", "Two parameters have one name; give each its own"),
    ("x = tensor('12')", "takes numbers, or lists of them as data, not text"),
    ("x = ones(2).sum(dim='a')", "takes a dimension, or a list of them as dim, not text"),
    ("x = ones(2)[True]", "an index is a whole number"),
    ("x = ones(2, 2)[[0]]", "an index is a whole number"),
    ("h = 0.\nfor _ in range(40):\n    x = ones(1, requires_grad=True)\n    h = h + x * x\n", "the tape holds"),
]


@pytest.mark.parametrize(("source", "words"), REFUSED, ids=range(len(REFUSED)))
def test_a_program_that_is_not_taken_is_refused_at_once_and_says_where(source: str, words: str) -> None:
    begun = time.process_time()
    with pytest.raises(LabError, match=words.replace("(", r"\(").replace(")", r"\)")) as refused:
        made = pictures(source[:2000])
        assert made[-1].trouble, made[-1].text
        raise LabError(made[-1].text)
    assert time.process_time() - begun < 2
    assert len(str(refused.value)) < 300


def test_a_busy_program_is_bounded() -> None:
    """As many elements, operations and steps as are allowed at once."""
    begun = time.process_time()
    body = "x = ones(100, 100, requires_grad=True)\nh = x\nfor _ in range(25):\n    h = tanh(h @ x)\n"
    body += "h.sum().backward()\n"
    with pytest.raises(LabError, match="computes more than is drawn"):
        pictures(body + body)
    assert time.process_time() - begun < 10


def test_long_runs_stop_and_say_so() -> None:
    last = pictures("x = ones(2)\nfor _ in range(300):\n    x = x + 1\n")[-1]
    assert last.stage == "stopped" and "after 200 of them" in last.text


# fmt: off
WORDS = [
    "exp", "tanh", "backward()", "x", "y", "w", "[0]", "@", "+=", "no_grad()", "**", "1e9", "-1", "(", ")", "=",
    "requires_grad=True", "retain_graph=True", "zeros(3)", ".T", ".sum()", "checkpoint", "0.5", "dim=0", "None",
    "True", "float32", "...", ":", "cat([x, y])", "where(0 < x, x, 1)", "print(x)", "lambda g: g", "é,",
]
# fmt: on


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_typed_ends_in_pictures_or_in_advice(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(20):
        source = chance.choice(list(EXAMPLES.values()))
        for _ in range(chance.choice([1, 1, 2, 3, 6])):
            at = chance.randint(0, len(source))
            source = source[:at] + chance.choice(WORDS) + source[at + chance.randint(0, 4) :]
        try:
            assert pictures(source[:2000])[-1].stage in ("done", "stopped")
        except LabError as refused:
            assert str(refused).endswith("."), source


def test_a_step_that_is_lost_beside_a_large_number_says_nothing() -> None:
    masked = "x = tensor([1.0, -2.0], requires_grad=True)\ny = where(x > 0, x, {}).sum()\ny.backward()\n"
    assert "a little agrees" in pictures(masked.format("-3.0"))[-1].text
    assert "agrees" not in pictures(masked.format("-1e30"))[-1].text
