"""Why an operation saves what it saves: one clause for each kind, by its name."""

from __future__ import annotations

from labs.models.tensor.tape import Leaf, Operation
from labs.models.tensor.views import View

RESULT = "keeps its result, from which its slope can be computed"
INPUT = "keeps its input, at which its slope is to be computed"
REASONS = {
    "add": "saves nothing: each input gets the gradient as it is",
    "sub": "saves nothing: one input gets the gradient as it is, the other with its sign flipped",
    "neg": "saves nothing: the gradient changes its sign",
    "mul": "keeps for each input the other one: the slope of a·b along a is b",
    "div": "keeps both inputs: the slope of a/b along b needs a and b",
    "pow": "keeps what its slope needs: x for n times x to the n − 1; along n, n and the result",
    "matmul": "keeps for each input the other one: the gradient of a @ b for a is the gradient times b transposed",
    "sum": "saves nothing but the shape: every summand gets the same gradient",
    "cumsum": "saves nothing: a gradient is summed up from the other end",
    "copy": "saves nothing: the gradient passes as it is",
    "cast": "saves nothing but the type, to which the gradient is cast back",
    "cat": "saves nothing but the lengths, to cut the gradient apart again",
    "mean": "saves nothing but the shape: every number gets the same part of the gradient",
    "maximum": "keeps both inputs: the larger one gets the gradient",
    "minimum": "keeps both inputs: the smaller one gets the gradient",
    "amax": "keeps its input and its result: where both are equal, the gradient passes",
    "amin": "keeps its input and its result: where both are equal, the gradient passes",
    "where": "keeps the condition: it says which input gets the gradient",
    "abs": "keeps its input, whose sign is its slope",
    "max": "keeps what says where the largest lies: there the gradient passes",
    "min": "keeps what says where the smallest lies: there the gradient passes",
    "clamp": "keeps its input: the gradient passes where the input was not clipped",
    "sign": "keeps its input, though its slope is 0 everywhere",
    "gate": "keeps the result of relu: where that is above 0 a gradient passes",
    "softmax": "keeps its result, from which its slopes can be computed",
    "logsumexp": "keeps its input and its result: the slope is exp of their difference",
    "norm": "keeps its input and its result: the slope is their quotient",
    "var": "keeps its input: the slope is twice the distance from the mean, divided as the sum was",
    "std": "keeps its input and its result: the slope needs both",
    "overwrite": "saves nothing: the gradient of what was written over goes to what was written",
    "putback": "saves nothing but places: the gradient is read from them",
    "expand": "saves nothing: what was repeated gets the sum of the gradients of its copies",
    "relu": "keeps its result: where that is above 0 the gradient passes, elsewhere it ends",
    "exp": "keeps its result, which is its own slope",
    "tanh": "keeps its result y, since its slope is 1 − y²",
    "sigmoid": "keeps its result y, since its slope is y (1 − y)",
}


def reason(operation: Operation) -> str:
    if isinstance(operation, Leaf):
        return "saves nothing: here a walk ends, and the gradient is added to .grad"
    if isinstance(operation, View) and operation.name not in REASONS:
        return "saves nothing but how it reads: the gradient is put back where the numbers were read from"
    return REASONS.get(operation.name, RESULT if operation.keeps_result else INPUT)
