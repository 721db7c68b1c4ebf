"""Dispatch keys: which functions a call of an operator goes through, and why.

A call's key set is what its tensors bring and what the thread adds, without what the thread excludes. The
dispatcher takes the highest key that has a kernel; that kernel does its part and calls again, below its own key,
until a backend's kernel computes. Keys and registrations are what the installed torch tells of itself; then the
call is made, and what came of it stands beside what the keys predicted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from labs.contract import Event, Label, Sentence, joined, say

from native.pytorch.dispatch_key.steps import Step


@dataclass(frozen=True)
class Params:
    op: Annotated[
        Literal["add", "add_", "matmul", "conv2d", "relu", "view", "sum", "clone", "softmax", "empty"],
        Label("Operator", main=True),
    ] = "add"
    tensor: Annotated[Literal["dense", "sparse", "meta"], Label("Tensors", main=True)] = "dense"
    grad: Annotated[bool, Label("x.requires_grad")] = True
    mode: Annotated[Literal["grad", "no_grad", "inference_mode"], Label("Inside")] = "grad"
    autocast: Annotated[bool, Label("torch.autocast", help="On the CPU, to bfloat16.")] = False
    watched: Annotated[
        bool, Label("A TorchDispatchMode", help="Python code that sees every operator below autograd.")
    ] = False
    vmap: Annotated[
        bool, Label("torch.vmap", help="The call is written for one x, and made for a batch of three.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class Walk(Event):
    """The call has come one key further."""

    kind: Literal["walk"] = "walk"
    stage: str
    """The key that has its turn; "set" before the first, "result" after the last"""
    line: str
    """The call, as Python"""
    operator: str
    """With its overload, as torch registers it"""
    keys: list[str]
    """The key set, the highest priority first"""
    origin: list[str]
    """[keys] who brought it"""
    excluded: list[bool]
    """[keys] whether the thread takes it from the set of every call"""
    state: list[str]
    """[keys] waiting, excluded, falls through, ran, no kernel, not reached"""
    kernel: list[str]
    """[keys] where what runs at that key was registered: file and line in torch's sources; empty if nothing is"""
    registered: list[str]
    """[keys] as what, in torch's words"""
    boxed: list[bool]
    """[keys] whether what runs there gets its arguments on a stack, as a kernel for any operator does"""
    at: int
    """Which of the keys has its turn; -1 before the first, and their number after the last"""
    reached: list[str]
    """The operators that the call came to below autograd, once it was made"""
    dtype: str
    """Of the result, once there is one"""
    grad_fn: str
    """The result's node in the graph, if it has one"""
    error: str
    """What torch said instead of a result"""


def run(params: Params) -> Iterator[Walk]:
    from native.pytorch.dispatch_key.asking import asked
    from native.pytorch.dispatch_key.calls import OPERATORS, made
    from native.pytorch.dispatch_key.steps import walk

    operator, line = OPERATORS[params.op]
    steps = walk(asked(params))

    event = Walk(
        text=Sentence(""),
        stage="set",
        line=line,
        operator=operator,
        keys=[step.key for step in steps],
        origin=[step.origin for step in steps],
        excluded=[step.excluded for step in steps],
        state=["waiting" for _ in steps],
        kernel=[step.kernel for step in steps],
        registered=[step.registered for step in steps],
        boxed=[step.boxed for step in steps],
        at=-1,
        reached=[],
        dtype="",
        grad_fn="",
        error="",
    )
    yield replace(event, text=say("{} has {} keys: {}.", line, len(steps), joined(", ", event.keys)))
    states = [step.state for step in steps]
    for at, step in enumerate(steps):
        if step.state == "not reached":
            break
        shown = [*states[: at + 1], *event.state[at + 1 :]]
        yield replace(event, stage=step.key, at=at, state=shown, text=told(step, params))
    # Torch loads a lot when Python first sees its operators: a reader need not wait for that to see the keys.
    result = made(params)
    event = replace(
        event,
        stage="result",
        at=len(steps),
        state=states,
        reached=result.reached,
        dtype=result.dtype,
        grad_fn=result.grad_fn,
        error=result.error,
    )
    yield replace(event, text=outcome(event))


def told(step: Step, params: Params) -> Sentence:
    key, op = step.key, params.op
    match step.state:
        case "excluded":
            return say("{} is in the set, but this thread excludes it.", key)
        case "falls through":
            return say("{} falls through, because {} needs nothing from it.", key, op)
        case "no kernel":
            return say("{} has no kernel for {}: the call fails.", key, op)
    if key in WORDS:
        return say(WORDS[key], key)
    if step.registered == "math kernel":
        return say("{} has a composite kernel, which calls other operators.", key)
    if key.startswith("Autocast"):
        return say("{} converts the arguments to bfloat16 and calls {} again.", key, op)
    if key.startswith("Autograd"):
        records = params.grad and params.mode == "grad"
        words = (
            "{} notes what backward will need, and passes the call on."
            if records
            else "{} records nothing, and passes the call on."
        )
        return say(words, key)
    if step.registered == "default backend kernel":
        return say("{} has a kernel for every backend, which computes the result by other operators.", key)
    return say("{} computes the result.", key)


WORDS = {
    "PythonTLSSnapshot": "{} saves the thread’s state for Python, and passes the call on.",
    "Python": "{} hands the call to the mode’s __torch_dispatch__, which passes it on.",
    "ADInplaceOrView": "{} keeps track of versions and views, and passes the call on.",
    "FuncTorchDynamicLayerFrontMode": "{} lets the innermost transform go first, here torch.vmap.",
    "FuncTorchBatched": "{} treats the batch as one more dimension, and passes all of x on in one call.",
    "FuncTorchDynamicLayerBackMode": "{} leaves the transform, and passes the call on without it.",
    "BackendSelect": "{} reads the device from the arguments, and passes the call on.",
}


def outcome(event: Walk) -> Sentence:
    if event.error:
        return say("Torch says: {}", Sentence.plain(event.error))
    if event.grad_fn:
        return say("The result is {}, and its grad_fn is {}.", event.dtype, event.grad_fn)
    return say("The result is {}, and has no grad_fn.", event.dtype)
