"""Run what was compiled, on tensors of PyTorch or arrays of NumPy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from labs.models.fusing.affine import row_major
from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import Program

from native.models.compiler import memory, team_kernel
from native.models.compiler.machine import compiled, module
from native.models.compiler.phases import Machine
from native.models.compiler.wrapper import Room, wrapper


class Compiled:
    """Takes tensors, in the order of the program's inputs, and returns new ones: one, or a tuple of several."""

    def __init__(self, program: Program, machine: Machine) -> None:
        from torch._C._dynamo.guards import _empty_strided_cpu  # type: ignore[attr-defined]

        types = torch_types()
        self.program, self.machine = program, machine
        self.module = module(program, machine)
        self.code = compiled(self.module.text)
        places = self.module.slots
        self.inputs = [
            (places[each.name], each.name, types[each.dtype], tuple(program.shapes[each.name]))
            for each in program.buffers
            if each.role == "input"
        ]
        self.results = [
            (
                (places[each.name],),
                program.shapes[each.name],
                row_major(program.shapes[each.name]),
                types[each.dtype],
                each.size * BYTES[each.dtype],
            )
            for each in program.buffers
            if each.role == "output"
        ]
        self.rooms = [self.bytes(each) for each in memory.rooms(self.between())]
        self.phases = (team_kernel.Phase * len(self.module.phases))(
            *(
                team_kernel.Phase(self.code.address(each.name), each.turns, each.pieces)
                for each in self.module.phases
            )
        )
        self.count, self.threads = len(self.phases), machine.threads
        self.addresses = (ctypes.c_void_p * len(places))()
        self.large = machine.large
        self.go = team_kernel.library().run
        self.empty = _empty_strided_cpu  # torch.empty as Inductor's code calls it, which asks fewer questions
        self.call = wrapper(
            self.inputs,
            self.results,
            self.rooms,
            self.large,
            wrong=self.take,
            wide=wide,
            empty=self.empty,
            go=self.go,
            phases=self.phases,
            count=self.count,
            addresses=self.addresses,
            threads=self.threads,
        )

    def between(self) -> Iterator[memory.Wanted]:
        """Buffers that are neither given nor returned."""
        for each in self.program.buffers:
            kernels = enumerate(self.program.kernels)
            users = [n for n, kernel in kernels if each.name in {own.name for own in kernel.buffers}]
            if each.role == "temporary" and users:
                place, size = self.module.slots[each.name], each.size * BYTES[each.dtype]
                yield memory.Wanted(place, size, users[0], users[-1])
        for place, each, kernel in self.module.extra:
            if each.size:
                yield memory.Wanted(place, each.size * BYTES[each.dtype], kernel, kernel)

    def bytes(self, it: memory.Room) -> Room:
        return it.places, (it.size,), (1,), torch_types()["i8"], it.size

    def __call__(self, *given: Any) -> Any:
        return self.call(*given)

    def take(self, given: Sequence[Any]) -> None:
        addresses = self.addresses
        if len(given) != len(self.inputs):
            raise ValueError(f"{len(given)} tensors for {len(self.inputs)} inputs")
        for tensor, (place, name, dtype, shape) in zip(given, self.inputs, strict=True):
            if tensor.dtype is not dtype or tensor.shape != shape or not tensor.is_contiguous():
                raise ValueError(f"{name} has to be {list(shape)}, {dtype}, one row after the other")
            addresses[place] = tensor.data_ptr()

    def new(
        self, places: tuple[int, ...], shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any, size: int
    ) -> Any:
        made = self.empty(shape, strides, dtype)
        pointer = made.data_ptr()
        for place in places:
            self.addresses[place] = pointer
        if size >= self.large:
            wide(pointer, size)
        return made

    def into(self, results: Sequence[Any], *given: Any) -> None:
        """The same, to where one says."""
        self.take(given)
        for tensor, ((place,), *_) in zip(results, self.results, strict=True):
            self.addresses[place] = tensor.data_ptr()
        rooms = [self.new(*how) for how in self.rooms]
        self.go(self.phases, self.count, self.addresses, self.threads)
        del rooms

    def same(self, other: Compiled) -> bool:
        """Whether both do the same, instruction by instruction."""
        sizes = [size for *_, size in (*self.results, *self.rooms)]
        large = [[size >= each.machine.large for size in sizes] for each in (self, other)]
        return self.module.text == other.module.text and large[0] == large[1]

    def kernels(self, *given: Any) -> list[Callable[[int], object]]:
        """So many rounds of each kernel alone, on memory that is kept for it."""
        apart = memory.rooms(each._replace(first=0, last=0) for each in self.between())  # a kernel runs many times
        rooms = [self.bytes(each) for each in apart]
        return self.kept(rooms, [f"{each.name}." for each in self.program.kernels], given)

    def all_kept(self, *given: Any) -> Callable[[int], object]:
        """So many rounds of all kernels, on memory that is kept for them."""
        (work,) = self.kept(self.rooms, [""], given)
        return work

    def kept(
        self, rooms: Sequence[Room], names: Sequence[str], given: Sequence[Any]
    ) -> list[Callable[[int], object]]:
        """For each of these beginnings of names, so many rounds of the phases that have it."""
        self.take(given)
        held = ([self.new(*how) for how in self.results], [self.new(*how) for how in rooms], given)
        addresses = type(self.addresses)(*self.addresses)
        self.go(self.phases, self.count, addresses, self.threads)

        def alone(name: str) -> Callable[[int], object]:
            named = zip(self.module.phases, self.phases, strict=True)
            own = [made for phase, made in named if phase.name.startswith(name)]
            phases = (team_kernel.Phase * len(own))(*own)

            def work(rounds: int) -> object:
                for _ in range(rounds):
                    self.go(phases, len(phases), addresses, self.threads)
                return held

            return work

        return [alone(each) for each in names]


def wide(pointer: int, size: int) -> None:
    team_kernel.library().large_pages(ctypes.c_void_p(pointer), ctypes.c_size_t(size))


def tensors(program: Program, inputs: Mapping[str, Any]) -> list[Any]:
    """NumPy's arrays as what a compiled program takes."""
    import torch

    types = torch_types()
    names = [(each.name, types[each.dtype]) for each in program.buffers if each.role == "input"]
    return [torch.as_tensor(inputs[name]).to(dtype).contiguous() for name, dtype in names]


@cache
def torch_types() -> dict[str, Any]:
    import torch

    return {
        **{"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16},
        **{"i64": torch.int64, "i32": torch.int32, "i8": torch.int8, "bool": torch.bool},
    }
