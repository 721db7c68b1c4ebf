"""Shape, strides and offset: how a row of numbers in memory is read as a tensor, and when it can be read again.

What can be is a view; the rest needs a copy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from types import EllipsisType

Shape = tuple[int, ...]
Key = int | slice | EllipsisType | None


@dataclass(frozen=True)
class Layout:
    """Element [i, j, …] is number ``offset + i * strides[0] + j * strides[1] + …`` of the storage."""

    shape: Shape
    strides: tuple[int, ...]
    """In elements, as PyTorch counts; NumPy counts bytes."""
    offset: int = 0

    @classmethod
    def rows(cls, shape: Sequence[int]) -> Layout:
        """Row after row, without gaps: the last index runs fastest."""
        shape = tuple(shape)
        return cls(shape, tuple(math.prod(max(1, n) for n in shape[d + 1 :]) for d in range(len(shape))))

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def contiguous(self) -> bool:
        """Whether it reads its numbers row after row; over what holds no or one number a stride never steps."""
        steps = zip(self.shape, self.strides, Layout.rows(self.shape).strides, strict=True)
        return self.size == 0 or all(n == 1 or stride == expected for n, stride, expected in steps)

    def place(self, index: Sequence[int]) -> int:
        return self.offset + sum(i * stride for i, stride in zip(index, self.strides, strict=True))

    def places(self) -> Iterator[int]:
        """Of every element, the last index fastest."""
        return map(self.place, product(*map(range, self.shape)))

    # Each of the following reads the same numbers in another way; none of them moves one.

    def permute(self, dims: Sequence[int]) -> Layout:
        dims = [axis(d, len(self.shape)) for d in dims]
        if sorted(dims) != list(range(len(self.shape))):
            raise ValueError(f"{tuple(dims)} does not name each of {len(self.shape)} dimensions once")
        return Layout(tuple(self.shape[d] for d in dims), tuple(self.strides[d] for d in dims), self.offset)

    def expand(self, shape: Sequence[int]) -> Layout:
        """Repeat by not stepping: a stride of 0 reads the one number again and again."""
        shape = tuple(shape)
        if any(n < 0 for n in shape):
            raise ValueError(f"a length cannot be negative, as in {shape}; -1 stands for one that is there already")
        extra = len(shape) - len(self.shape)
        if extra < 0:
            raise ValueError(f"{self.shape} has more dimensions than {shape}")
        strides = [0] * extra
        for old, new, stride in zip(self.shape, shape[extra:], self.strides, strict=True):
            if old not in (1, new):
                raise ValueError(f"{self.shape} cannot be repeated to {shape}: {old} is neither 1 nor {new}")
            strides.append(stride if old == new else 0)
        return Layout(shape, tuple(strides), self.offset)

    def unsqueeze(self, dim: int) -> Layout:
        at = axis(dim, len(self.shape) + 1)
        return Layout(
            (*self.shape[:at], 1, *self.shape[at:]), (*self.strides[:at], 0, *self.strides[at:]), self.offset
        )

    def squeeze(self, dims: Sequence[int] | None = None) -> Layout:
        """Without dimensions of length 1: those named, or all."""
        named = range(len(self.shape)) if dims is None else [axis(d, len(self.shape)) for d in dims]
        keep = [d for d, n in enumerate(self.shape) if n != 1 or d not in named]
        return Layout(tuple(self.shape[d] for d in keep), tuple(self.strides[d] for d in keep), self.offset)

    def flip(self, dims: Sequence[int]) -> Layout:
        """Begin at the end and step backwards."""
        named = {axis(d, len(self.shape)) for d in dims}
        keys = [slice(None, None, -1) if d in named else slice(None) for d in range(len(self.shape))]
        return self[tuple(keys)]

    def diagonal(self) -> Layout:
        """Of the last two dimensions: a step down is a step across as well."""
        *shape, rows, columns = self.shape
        *strides, down, across = self.strides
        return Layout((*shape, min(rows, columns)), (*strides, down + across), self.offset)

    def __getitem__(self, key: Key | tuple[Key, ...]) -> Layout:
        """Numbers, slices, ``...`` and None, as in NumPy."""
        keys = list(key) if isinstance(key, tuple) else [key]
        taken = sum(k is not None and k is not Ellipsis for k in keys)
        if keys.count(Ellipsis) > 1 or taken > len(self.shape):
            raise IndexError(f"{len(self.shape)} dimensions cannot be indexed by {taken} keys")
        if Ellipsis not in keys:
            keys.append(Ellipsis)
        at = keys.index(Ellipsis)
        keys[at : at + 1] = [slice(None)] * (len(self.shape) - taken)
        shape, strides, offset, dim = [], [], self.offset, 0
        for each in keys:
            if each is None:
                shape.append(1)
                strides.append(0)
                continue
            n, stride = self.shape[dim], self.strides[dim]
            if isinstance(each, slice):
                begin, end, step = each.indices(n)
                length = len(range(begin, end, step))
                shape.append(length)
                strides.append(stride * step)
                offset += begin * stride if length else 0
            elif isinstance(each, int):
                if not -n <= each < n:
                    raise IndexError(f"index {each} is out of bounds for dimension {dim} with {n} elements")
                offset += each % n * stride
            else:
                raise TypeError(f"an index is a number, a slice, ... or None, not {each!r}")
            dim += 1
        return Layout(tuple(shape), tuple(strides), offset)

    def reshape(self, shape: Sequence[int]) -> Layout | None:
        """The same elements in the same order under another shape; None where only a copy can be read so.

        Old and new dimensions are matched in groups of equal size. A group can be cut again if each of its old
        dimensions steps on where the next one ends.
        """
        shape = filled(shape, self.size)
        if self.size == 0:
            return Layout.rows(shape)
        old = [(n, stride) for n, stride in zip(self.shape, self.strides, strict=True) if n != 1]
        strides: list[int] = []
        for n in shape:
            if n == 1:
                strides.append(0)  # it never steps
                continue
            while len(old) > 1 and old[0][0] % n and old[0][1] == old[1][0] * old[1][1]:
                old[:2] = [(old[0][0] * old[1][0], old[1][1])]
            length, stride = old[0]
            if length % n:
                return None
            strides.append(stride * (length // n))
            old[:1] = [(length // n, stride)] if length > n else []
        return Layout(shape, tuple(strides), self.offset)


def axis(dim: int, count: int) -> int:
    """A dimension that may be counted from the end. Raises ``IndexError``."""
    if not -count <= dim < max(count, 1):
        raise IndexError(f"dimension {dim} is not one of {count}")
    return dim % max(count, 1)


def filled(shape: Sequence[int], size: int) -> Shape:
    """With -1 replaced by what is left over."""
    known = math.prod(n for n in shape if n != -1)
    if list(shape).count(-1) == 1 and known and size % known == 0:
        shape = [size // known if n == -1 else n for n in shape]
    if any(n < 0 for n in shape) or math.prod(shape) != size:
        raise ValueError(f"{size} elements cannot have the shape {tuple(shape)}")
    return tuple(shape)


def broadcast(*shapes: Shape) -> Shape:
    """The shape that all can be repeated to: aligned at the last dimension; where one has 1, the others decide."""
    result = []
    for lengths in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        longer = set(lengths) - {1}
        if len(longer) > 1:
            raise ValueError(
                f"shapes {' and '.join(map(str, shapes))} do not fit: {' and '.join(map(str, lengths))}"
            )
        result.append(longer.pop() if longer else 1)
    return tuple(reversed(result))
