"""What a program can call, under PyTorch's names: a program that runs here runs there, and means the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from labs.models.tensor import choices, elementwise, powers, products, views
from labs.models.tensor.dtypes import DTYPES, DType, weak
from labs.models.tensor.layout import broadcast, filled
from labs.models.tensor.tensor import Tensor, tensor
from labs.tensors.autograd_tape.many import REDUCED
from labs.tensors.autograd_tape.values import Items, numbers, plain, sized

Sizes = Any
Dims = Any
Bound = Any
Wholes = Any
Data = Any
Tensors = Any


def lengths(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    """Written one behind the other or as one list."""
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], Items) else tuple(sizes)


def shape_of_sizes(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    shape = sized(lengths(sizes))
    if any(n < 0 for n in shape):
        raise ValueError(f"a shape has no negative length, as {plain(shape)} has")
    return shape


# -- new tensors -----------------------------------------------------------------------------------------------


def leaf(made: Tensor, requires_grad: bool) -> Tensor:
    return made.require_grad() if requires_grad else made


def tensor_(data: Data, dtype: DType | None = None, requires_grad: bool = False) -> Tensor:
    return leaf(numbers(data, dtype), requires_grad)


def full(value: float) -> Callable[..., Tensor]:
    def function(*size: Sizes, dtype: DType | None = None, requires_grad: bool = False) -> Tensor:
        shape = shape_of_sizes(size)
        return leaf(tensor(np.full(shape, value), dtype or DTYPES["float64"]), requires_grad)

    return function


def arange(end: float) -> Tensor:
    sized((max(0, math.ceil(end)),))
    return tensor(np.arange(end))


# -- number by number ------------------------------------------------------------------------------------------


def of_one(function: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    def called(x: Tensor) -> Tensor:
        return function(x)

    return called


def maximum(a: Tensor, b: Tensor) -> Tensor:
    return choices.Maximum()(*together(a, b))


def minimum(a: Tensor, b: Tensor) -> Tensor:
    return choices.Minimum()(*together(a, b))


def where(condition: Tensor, a: Tensor | float, b: Tensor | float) -> Tensor:
    if condition.dtype is not DTYPES["bool"]:
        raise TypeError("where takes a comparison as its condition, such as x > 0")
    beside = next((each.dtype for each in (a, b) if isinstance(each, Tensor)), DTYPES["float64"])
    return choices.where(condition, *together(*(beside_a(each, beside) for each in (a, b))))


def together(*inputs: Any) -> tuple[Any, ...]:
    """Beside a tensor of fractions whole numbers become such fractions; the library alone would keep all digits."""
    types = [each.dtype for each in inputs if isinstance(each, Tensor) and each.dtype.exponent]
    whole = [isinstance(each, Tensor) and not each.dtype.exponent for each in inputs]
    return tuple(
        each.cast(types[0]) if types and is_whole else each for each, is_whole in zip(inputs, whole, strict=True)
    )


def beside_a(value: Tensor | float, dtype: DType) -> Tensor:
    return value if isinstance(value, Tensor) else tensor(value, weak(value, dtype))


def pow_(x: Tensor, exponent: Tensor | float) -> Tensor:
    return powers.power(*together(x, exponent))


def square(x: Tensor) -> Tensor:
    return powers.power(x, 2)


def clamp(x: Tensor, min: Bound = None, max: Bound = None) -> Tensor:
    if min is None and max is None:
        raise ValueError("clamp takes min, max or both")
    return choices.clamp(x, min, max)


# -- products -----------------------------------------------------------------------------------------------


def matmul(a: Tensor, b: Tensor) -> Tensor:
    if a.dtype is not b.dtype:
        raise RuntimeError(f"@ takes numbers of one type, not {a.dtype} and {b.dtype}; cast one of both")
    if a.shape and b.shape:
        rows = a.shape[-2:-1] if len(a.shape) > 1 else ()
        columns = b.shape[-1:] if len(b.shape) > 1 else ()
        sized((*broadcast(a.shape[:-2], b.shape[:-2]), *rows, *columns))
    return products.matmul(a, b)


def dot(a: Tensor, b: Tensor) -> Tensor:
    if len(a.shape) != 1 or a.shape != b.shape:
        raise RuntimeError(f"dot takes two rows of one length, not {plain(a.shape)} and {plain(b.shape)}; use @")
    return matmul(a, b)


def joined(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def called(tensors: Tensors, dim: int = 0) -> Tensor:
        if not tensors:
            raise ValueError("there is no tensor in this list")
        sized((sum(each.layout.size for each in tensors),))
        return function(list(tensors), dim)

    return called


# -- other readings of the same numbers ------------------------------------------------------------------------


def reshape(x: Tensor, *shape: Sizes) -> Tensor:
    return views.reshape(x, *sized(filled(lengths(shape), x.layout.size)))


def view(x: Tensor, *shape: Sizes) -> Tensor:
    wanted = filled(lengths(shape), x.layout.size)
    if x.layout.reshape(wanted) is None:
        raise RuntimeError(
            f"{plain(x.shape)} cannot be read as {plain(wanted)} where it lies; reshape would copy it"
        )
    return views.reshape(x, *sized(wanted))


def expand(x: Tensor, *shape: Sizes) -> Tensor:
    wanted = lengths(shape)
    extra = len(wanted) - len(x.shape)
    known = [x.shape[d - extra] if n == -1 and d >= extra else n for d, n in enumerate(wanted)]
    return views.expand(x, sized(tuple(known)))


def permute(x: Tensor, *dims: Sizes) -> Tensor:
    return views.permute(x, *lengths(dims))


def listed(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Of a method that takes whole numbers one behind the other the function, which takes them as a list."""

    def called(x: Tensor, shape: Wholes) -> Tensor:
        return function(x, shape)

    return called


def transpose(x: Tensor, dim0: int, dim1: int) -> Tensor:
    return views.transpose(x, dim0, dim1)


def flip(x: Tensor, *dims: Sizes) -> Tensor:
    return views.Copy()(views.flip(x, *lengths(dims)))  # PyTorch's copies, too


def squeeze(x: Tensor, dim: Dims = None) -> Tensor:
    return views.squeeze(x, *([] if dim is None else [dim] if isinstance(dim, int) else dim))


def unsqueeze(x: Tensor, dim: int) -> Tensor:
    return views.unsqueeze(x, dim)


def diagonal(x: Tensor) -> Tensor:
    if len(x.shape) != 2:
        raise ValueError(f"diagonal takes a matrix here, not {plain(x.shape)}")
    return views.diagonal(x)


def clone(x: Tensor) -> Tensor:
    return views.Copy()(x)


def contiguous(x: Tensor) -> Tensor:
    return views.contiguous(x)


def like(value: float) -> Callable[..., Tensor]:
    def called(x: Tensor) -> Tensor:
        return x.constant(np.full(x.shape, value))

    return called


ELEMENTWISE: dict[str, Callable[..., Tensor]] = {
    "exp": of_one(elementwise.exp),
    "log": of_one(elementwise.log),
    "sqrt": of_one(elementwise.sqrt),
    "sin": of_one(elementwise.sin),
    "cos": of_one(elementwise.cos),
    "tanh": of_one(elementwise.tanh),
    "sigmoid": of_one(elementwise.sigmoid),
    "relu": of_one(choices.relu),
    "abs": of_one(choices.absolute),
    "neg": of_one(elementwise.neg),
    "reciprocal": of_one(elementwise.reciprocal),
    "maximum": maximum,
    "minimum": minimum,
    "pow": pow_,
    "square": square,
    "clamp": clamp,
}
BOTH: dict[str, Callable[..., Any]] = (
    ELEMENTWISE
    | REDUCED
    | {
        "matmul": matmul,
        "dot": dot,
        "transpose": transpose,
        "squeeze": squeeze,
        "unsqueeze": unsqueeze,
        "diagonal": diagonal,
        "clone": clone,
    }
)
"""Called as ``exp(x)`` or as ``x.exp()``."""
FUNCTIONS: dict[str, Callable[..., Any]] = BOTH | {
    "tensor": tensor_,
    "zeros": full(0),
    "ones": full(1),
    "arange": arange,
    "zeros_like": like(0),
    "ones_like": like(1),
    "where": where,
    "reshape": listed(reshape),
    "permute": listed(permute),
    "flip": listed(flip),
    "cat": joined(products.cat),
    "stack": joined(products.stack),
}
METHODS: dict[str, Callable[..., Any]] = BOTH | {
    "reshape": reshape,
    "permute": permute,
    "flip": flip,
    "view": view,
    "expand": expand,
    "contiguous": contiguous,
}
