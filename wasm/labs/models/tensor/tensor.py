"""A tensor: some numbers in memory, a way to read them, and where it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.models.tensor import elementwise, powers, products, reductions, views
from labs.models.tensor.dtypes import DType, held, named, weak
from labs.models.tensor.layout import Layout, Shape
from labs.models.tensor.storage import Storage
from labs.models.tensor.tape import Leaf, Operation, between, recorded, recording, walk
from labs.models.tensor.views import Overwrite, Reading


class Tensor:
    __array_ufunc__ = None  # a number of NumPy's on the left leaves the operation to us

    def __init__(self, storage: Storage, layout: Layout, dtype: DType) -> None:
        self.storage, self.layout, self.dtype = storage, layout, dtype
        self.grad: Tensor | None = None
        self._origin: Operation | None = None
        self._base: Tensor | None = None
        self._reading: Reading = lambda layout: layout
        self._seen = storage.version

    # -- what it is -----------------------------------------------------------------------------------------

    @property
    def shape(self) -> Shape:
        return self.layout.shape

    @property
    def array(self) -> NDArray[Any]:
        """Its numbers for NumPy, where they are."""
        strides = [stride * self.dtype.itemsize for stride in self.layout.strides]
        buffer, begin = self.storage.numbers, self.layout.offset * self.dtype.itemsize
        if not self.layout.size:
            return np.empty(self.shape, self.dtype.numpy)
        return np.ndarray(self.shape, self.dtype.numpy, buffer, begin, strides)

    def item(self) -> Any:
        return self.array.item()

    def __bool__(self) -> bool:
        return bool(self.array)  # NumPy's refusal, if there are several numbers

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a tensor without dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        numbers = np.array2string(self.array, separator=", ", precision=4)
        made = f", by {self._origin.name}" if self._origin else ""
        return f"tensor({numbers}, {self.dtype}{made})"

    # -- where new ones come from ---------------------------------------------------------------------------

    def fresh(self, array: NDArray[Any]) -> Tensor:
        """A tensor of numbers that nobody else reads."""
        array = np.asarray(array, order="C")
        return Tensor(Storage(array), Layout.rows(array.shape), held(array.dtype))

    def constant(self, array: NDArray[Any]) -> Tensor:
        """Numbers beside this one: of its type, and without a slope."""
        return self.fresh(array.astype(self.dtype.numpy))

    def viewed(self, reading: Reading) -> Tensor:
        found = Tensor(self.storage, reading(self.layout), self.dtype)
        before = self._reading
        found._base = self if self._base is None else self._base
        found._reading = lambda layout: reading(before(layout))
        return found

    def made_by(self, operation: Operation) -> None:
        self._origin, self._seen = operation, self.storage.version

    def detach(self) -> Tensor:
        """The same numbers in the same place, without a history."""
        return Tensor(self.storage, self.layout, self.dtype)

    def copied(self) -> Tensor:
        """The same numbers in memory of their own, row after row."""
        return views.Copy()(self)

    # -- its history ----------------------------------------------------------------------------------------

    @property
    def origin(self) -> Operation | None:
        """The operation that made it; for one that nobody made and that wants a gradient, where a walk ends."""
        base = self._base
        if base is not None and self._seen != self.storage.version and base.requires_grad:
            # somebody wrote to these numbers: what this view reads comes from the base as it is now
            again = views.View("view", self._reading)
            again.shape = base.shape
            again.record([base.origin])
            self.made_by(again)
        return self._origin

    @property
    def requires_grad(self) -> bool:
        return self.origin is not None

    @property
    def is_leaf(self) -> bool:
        return self.origin is None or isinstance(self.origin, Leaf)

    def require_grad(self) -> Tensor:
        if not self.dtype.differentiable:
            raise TypeError(f"only floats have gradients, not {self.dtype}")
        if self._origin is None:
            self._origin = Leaf(self)
        return self

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> None:
        """Shown the gradient as soon as it is whole; may return another to be passed on."""
        if self.origin is None:
            raise RuntimeError("a tensor that wants no gradient will never be shown one")
        self.origin.hooks.append(hook)

    def backward(self, grad: Tensor | None = None, *, keep: bool = False, create_graph: bool = False) -> None:
        """Add to ``grad`` of every leaf behind this the derivative of this with respect to it."""
        begin = [self._begin(grad)]
        with recorded(create_graph):
            for _ in walk(begin, keep=keep or create_graph):
                pass

    def _begin(self, grad: Tensor | None) -> tuple[Operation, Tensor]:
        if self.origin is None:
            raise RuntimeError("nothing here wants a gradient: call require_grad() on what should have one")
        if grad is None:
            if self.layout.size != 1:
                raise RuntimeError(f"{self.layout.size} results need a gradient each, of shape {self.shape}")
            grad = self.constant(np.ones(self.shape))
        if grad.shape != self.shape:
            raise ValueError(f"a gradient of shape {grad.shape} does not fit a result of shape {self.shape}")
        return self.origin, grad

    # -- writing in place -----------------------------------------------------------------------------------

    def copy_(self, other: Tensor | complex) -> Tensor:
        """Write over its numbers, for all who read them."""
        value = elementwise.cast(views.expand(self._tensor(other), self.shape), self.dtype)
        tracked = recording() and (value.requires_grad or self.requires_grad)
        whole = self if self._base is None else self._base
        if tracked and whole.is_leaf and whole.requires_grad:
            raise RuntimeError("a leaf that wants a gradient cannot be changed in place while the tape records")
        if self.layout.size > 1 and not views.apart(self.layout):
            raise RuntimeError("several of its elements lie in one place: make a copy before changing it in place")
        history = whole.origin, value.origin
        self.array[...] = value.array.copy()
        self.storage.version += 1
        if tracked:
            made = Overwrite(self._reading, self._base is not None)
            made.record(history)
            whole.made_by(made)
        return self

    def add_(self, other: Tensor | complex) -> Tensor:
        return self.copy_(self + other)

    def mul_(self, other: Tensor | complex) -> Tensor:
        return self.copy_(self * other)

    def zero_(self) -> Tensor:
        return self.copy_(0)

    def __setitem__(self, key: Any, value: Tensor | complex) -> None:
        self[key].copy_(value)

    # -- operators ------------------------------------------------------------------------------------------

    def _tensor(self, other: Tensor | complex) -> Tensor:
        return other if isinstance(other, Tensor) else tensor(other, weak(other, self.dtype))

    def __add__(self, other: Tensor | complex) -> Tensor:
        return elementwise.Add()(self, self._tensor(other))

    def __sub__(self, other: Tensor | complex) -> Tensor:
        return elementwise.Sub()(self, self._tensor(other))

    def __rsub__(self, other: complex) -> Tensor:
        return elementwise.Sub()(self._tensor(other), self)

    def __mul__(self, other: Tensor | complex) -> Tensor:
        return elementwise.Mul()(self, self._tensor(other))

    def __truediv__(self, other: Tensor | complex) -> Tensor:
        return elementwise.Div()(self, self._tensor(other))

    def __rtruediv__(self, other: complex) -> Tensor:
        return elementwise.reciprocal(self) * other

    def __pow__(self, other: Tensor | complex) -> Tensor:
        return powers.power(self, other)

    def __rpow__(self, other: complex) -> Tensor:
        return powers.power_of(other, self)

    def __radd__(self, other: complex) -> Tensor:
        return self + other

    def __rmul__(self, other: complex) -> Tensor:
        return self * other

    def __matmul__(self, other: Tensor) -> Tensor:
        return products.matmul(self, other)

    def __neg__(self) -> Tensor:
        return elementwise.neg(self)

    def __getitem__(self, key: Any) -> Tensor:
        return products.index(self, key)

    def _compare(self, function: Any, other: Tensor | complex) -> Tensor:
        return tensor(function(*(each.array for each in elementwise.alike(self, self._tensor(other)))))

    def __lt__(self, other: Tensor | complex) -> Tensor:
        return self._compare(np.less, other)

    def __gt__(self, other: Tensor | complex) -> Tensor:
        return self._compare(np.greater, other)

    def __ge__(self, other: Tensor | complex) -> Tensor:
        return self._compare(np.greater_equal, other)

    def equals(self, other: Tensor | complex) -> Tensor:
        """Number by number; ``==`` asks whether two names stand for one tensor."""
        return self._compare(np.equal, other)

    def __and__(self, other: Tensor) -> Tensor:
        return self._compare(np.logical_and, other)

    # -- the operations that read better behind a dot -------------------------------------------------------

    def cast(self, dtype: DType | str) -> Tensor:
        return elementwise.cast(self, named(dtype))

    def reshape(self, *shape: int) -> Tensor:
        return views.reshape(self, *shape)

    def permute(self, *dims: int) -> Tensor:
        return views.permute(self, *dims)

    def expand(self, *shape: int) -> Tensor:
        return views.expand(self, shape)

    @property
    def mT(self) -> Tensor:  # noqa: N802 -- as NumPy and PyTorch call it
        return views.transpose(self)

    def sum(self, dims: reductions.Dims = None, keep: bool = False) -> Tensor:
        return reductions.total(self, dims, keep)

    def mean(self, dims: reductions.Dims = None, keep: bool = False) -> Tensor:
        return reductions.mean(self, dims, keep)


def tensor(data: Any, dtype: DType | str | None = None, *, requires_grad: bool = False) -> Tensor:
    """From numbers, lists of them or an array; they are copied unless nobody else can have them."""
    found = np.array(data, None if dtype is None else named(dtype).numpy, order="C")
    result = Tensor(Storage(found), Layout.rows(found.shape), held(found.dtype))
    return result.require_grad() if requires_grad else result


def grad(
    result: Tensor,
    inputs: Sequence[Tensor],
    given: Tensor | None = None,
    *,
    keep: bool = False,
    create_graph: bool = False,
) -> list[Tensor | None]:
    """The derivative of ``result`` with respect to each of ``inputs``; None where it does not depend on it."""
    begin = result._begin(given)
    wanted = [each.origin for each in inputs]
    if None in wanted:
        raise RuntimeError(f"input {wanted.index(None)} wants no gradient")
    found: dict[Operation, Tensor] = {}
    ends = {each for each in wanted if each is not None}
    with recorded(create_graph):
        for step in walk([begin], among=between([begin[0]], ends), keep=keep or create_graph):
            if step.operation in ends:
                found[step.operation] = step.grad
    return [found.get(each) for each in wanted if each is not None]
