"""Programs that go another way the second time, or walk back where nobody looks for it."""

from __future__ import annotations

from labs.tensors.autograd_tape import Params, Picture, run


def last(source: str) -> Picture:
    *_, end = run(Params(source=source))
    return end


BRANCHES = """\
x = tensor(1.0, requires_grad=True)
if x > 1:
    y = zeros(2) + zeros(3)
y = x * x
y.backward()
"""


def test_a_moved_number_may_lead_elsewhere() -> None:
    """What the program does there is not what is compared, and not a mistake of the reader's."""
    for source in (BRANCHES, BRANCHES.replace("zeros(2) + zeros(3)", "unknown")):
        end = last(source)
        assert end.stage == "done" and end.checks[0].moved is None


def test_what_a_walk_prints_is_printed() -> None:
    source = "x = tensor(2.0, requires_grad=True)\ny = x * x\nprint(grad(y, x)[0])\n"
    assert last(source).output.strip().startswith(("4", "tensor(4"))


def test_operations_are_counted_where_they_are_done() -> None:
    plain = last("x = tensor(2.0, requires_grad=True)\ny = x * x\ny.backward()\n")
    inside = last("x = tensor(2.0, requires_grad=True)\ndef f():\n    y = x * x\n    y.backward()\nf()\n")
    assert (inside.forward_operations, inside.backward_operations) == (
        plain.forward_operations,
        plain.backward_operations,
    )
    later = last("x = tensor(2.0, requires_grad=True)\ny = x * x\nz = exp(grad(y, x)[0])\n")
    assert (later.forward_operations, later.backward_operations) == (
        plain.forward_operations + 1,
        plain.backward_operations,
    )


def test_a_checkpoint_that_does_something_else_is_refused() -> None:
    end = last(
        "x = tensor(2.0, requires_grad=True)\ns = tensor(1.0)\n"
        "def f(a):\n    if s > 0:\n        return a * a * a\n    return a + 1\n"
        "y = checkpoint(f, x)\ns -= 2\ny.backward()\n"
    )
    assert end.stage == "stopped" and end.trouble and "must do the same" in end.trouble.says


def test_a_negative_length_is_refused() -> None:
    end = last("x = tensor([1., 2., 3.])\ny = x.expand(-1, 3)\n")
    assert end.stage == "stopped" and end.trouble and "negative" in end.trouble.says


def test_conditions_in_a_row_are_no_chain() -> None:
    source = "x = 1.0\n" + "if x > 2:\n    x = 3.0\nelif x > 3:\n    x = 4.0\n" * 21
    assert last(source).stage == "done"
