"""A product by tiles in shared memory, as CUDA C: slabs are fetched, multiplied in registers, and stored.

Where a side of the tile does not divide the matrix, the last tile hangs over. Guards then fetch zeros for what is
outside of the matrix, and store nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from labs.models.fusing.c_text import place
from labs.models.fusing.emit_cuda import CudaWriter
from labs.models.fusing.loops import Area, Expr, Let, Load, Store

from native.compilers.gpu_kernel_stages.tiles import SIDE, Space, Tile, pad, turned

THREADS = SIDE * SIDE
HANGS = "// the last tile hangs over"


@dataclass
class ProductWriter(CudaWriter):
    tile: Tile | None = None
    space: Space | None = None
    sum: str = ""
    """What stands for a number of the product at the moment"""

    @contextmanager
    def unrolled(self, head: str, node: int = -1) -> Iterator[None]:
        """A loop over what lies in registers, which have numbers and no addresses: it must be written out."""
        self.say("#pragma unroll", node)
        with self.block(head, node):
            yield

    @contextmanager
    def block(self, head: str, node: int = -1) -> Iterator[None]:
        self.say(head + " {", node)
        self.depth += 1
        yield
        self.depth -= 1
        self.say("}")

    def product_of(self, space: Space, tile: Tile) -> None:
        node = space.products[0].node
        high, wide, each = space.high(tile), space.wide(tile), tile.each
        left, right = space.left, turned(space.right)
        with self.block(f"for (int tile = blockIdx.x; tile < {space.blocks(tile)}; tile += gridDim.x)"):
            if space.batch_name:
                self.say(f"const int {space.batch_name} = tile / {wide * high};")
            self.say(
                f"const int top = tile / {wide} % {high} * {tile.rows}, first = tile % {wide} * {tile.columns};"
            )
            self.say(f"float sum[{each[0]}][{each[1]}] = {{}};", node)
            with self.block(f"for (int depth = 0; depth < {space.depth}; depth += {tile.depth})", node):
                rows, columns = (space.rows, space.depth), (space.columns, space.depth)
                self.fetch("left", left, ("top", "depth"), (tile.rows, tile.depth), rows, node)
                self.fetch("right", right, ("first", "depth"), (tile.columns, tile.depth), columns, node)
                self.say("__syncthreads();")
                strides = tile.rows + pad(left), tile.columns + pad(right)
                self.multiply("sum", ("left", "right"), strides, tile.depth, each, node)
                self.say("__syncthreads();")
            self.results(space, tile)

    def arrays(self, space: Space, tile: Tile) -> None:
        at = "shared"
        for name, size in space.rooms(tile).items():
            self.say(f"float *const {name} = {at};")
            at = f"{name} + {size}"

    def results(self, space: Space, tile: Tile) -> None:
        high, wide = tile.each
        checks = (space.row, tile.rows, space.rows), (space.column, tile.columns, space.columns)
        with (
            self.unrolled(f"for (int i = 0; i < {high}; i++)"),
            self.unrolled(f"for (int j = 0; j < {wide}; j++)"),
        ):
            row, column = f"top + {high} * down + i", f"first + {column_of('j', wide)}"
            self.say(f"const int {space.row} = {row}, {space.column} = {column};")
            self.sum = "sum[i][j]"
            with self.guarded(inside(*checks)):
                for statement in space.epilogue:
                    self.plain(statement)
            self.sum = ""

    @contextmanager
    def guarded(self, condition: str, node: int = -1) -> Iterator[None]:
        if condition:
            self.say(f"if ({condition}) {{ {HANGS}", node)
            self.depth += 1
        yield
        if condition:
            self.depth -= 1
            self.say("}")

    def plain(self, it: object) -> None:
        """A statement that every thread makes for its own number."""
        match it:
            case Store():
                self.say(f"{self.names[it.buffer]}[{place(it.index)}] = {self.value(it.value)};", it.node)
            case Let():
                self.say(f"const {self.type(it.value.dtype)} {it.name} = {self.value(it.value)};", it.node)
            case _:
                raise TypeError(f"{it} in an epilogue")

    def value(self, it: Expr) -> str:
        if self.sum and self.space and isinstance(it, Load) and it.buffer in self.registered():
            return self.sum
        return super().value(it)

    def registered(self) -> set[str]:
        """Buffers in which the loops keep what tiles hold in registers."""
        assert self.space
        last = {self.space.products[0].out.buffer}
        return last | {each.name for each in self.source.buffers if each.role == "local"}

    def fetch(
        self, to: str, area: Area, starts: tuple[str, str], tile: tuple[int, int], whole: tuple[int, int], node: int
    ) -> None:
        """A tile into shared memory as [depth][row], four numbers at a time along what is contiguous.

        All pairs are of row and depth: where the tile starts, what it has, and what the matrix has.
        """
        (row, depth), (rows, deep) = starts, tile
        wide = rows + pad(area)
        name, start = self.names[area.buffer], place(area.start)
        condition = inside((f"{row} + r", rows, whole[0]), (f"{depth} + d", deep, whole[1]))
        four = by_fours(area, whole)
        turns = rows * deep // (4 if four else 1)
        with self.block(f"for (int at = threadIdx.x; at < {turns}; at += {THREADS})", node):
            if area.along == 1:
                many, times = (deep // 4, " * 4") if four else (deep, "")
                self.say(f"const int r = at / {many}, d = at % {many}{times};", node)
                where = f"{start} + {area.down} * ({row} + r) + {depth} + d"
            else:
                assert area.down == 1, area
                many, times = (rows // 4, " * 4") if four else (rows, "")
                self.say(f"const int d = at / {many}, r = at % {many}{times};", node)
                where = f"{start} + {area.along} * ({depth} + d) + {row} + r"
            if condition:
                self.say(f"const bool inside = {condition}; {HANGS}", node)
            value = f"*(const float4 *)&{name}[{where}]" if four else f"{name}[{where}]"
            if condition:
                value = f"inside ? {value} : {'float4{}' if four else '0.0f'}"
            if not four:
                self.say(f"{to}[d * {wide} + r] = {value};", node)
            elif area.along == 1:
                self.say(f"const float4 four = {value};", node)
                for lane, part in enumerate("xyzw"):
                    self.say(f"{to}[(d + {lane}) * {wide} + r] = four.{part};", node)
            else:
                self.say(f"*(float4 *)&{to}[d * {wide} + r] = {value};", node)

    def multiply(
        self,
        to: str,
        factors: tuple[str, str],
        strides: tuple[int, int],
        deep: int,
        each: tuple[int, int],
        node: int,
    ) -> None:
        """Add to ``to`` what a thread has of left^T right, for tiles [depth][row] and [depth][column]."""
        with self.unrolled(f"for (int k = 0; k < {deep}; k++)", node):
            self.say(f"__align__(16) float a[{each[0]}], b[{each[1]}];", node)
            self.taken("a", factors[0], strides[0], [f"{each[0]} * down + {i}" for i in range(each[0])], node)
            self.taken("b", factors[1], strides[1], [column_of(j, each[1]) for j in range(each[1])], node)
            self.say(f"for (int i = 0; i < {each[0]}; i++)", node)
            self.say(f"  for (int j = 0; j < {each[1]}; j++) {to}[i][j] += a[i] * b[j];", node)

    def taken(self, to: str, source: str, stride: int, places: list[str], node: int) -> None:
        """Numbers of shared memory into registers, four at a time where a thread has four."""
        for at in range(0, len(places), 4 if len(places) >= 4 else 1):
            kind = "*(float4 *)&" if len(places) >= 4 else ""
            const = "*(const float4 *)&" if kind else ""
            self.say(f"{kind}{to}[{at}] = {const}{source}[k * {stride} + {places[at]}];", node)


def inside(*checks: tuple[str, int, int]) -> str:
    """Under which condition places, each with a side of the tile and of the matrix, are inside of the matrix."""
    return " && ".join(f"{place.removeprefix('0 + ')} < {whole}" for place, side, whole in checks if whole % side)


def by_fours(area: Area, whole: tuple[int, int]) -> bool:
    """Whether four numbers start at a multiple of 16 bytes, and are all inside of the matrix or all outside."""
    row, depth = whole
    strides = [stride for _, stride in area.start.strides]
    side, far = (depth, area.down) if area.along == 1 else (row, area.along)
    return all(number % 4 == 0 for number in (side, far, area.start.offset, *strides))


def column_of(j: int | str, wide: int) -> str:
    """Which column a thread's j-th number is in: neighbours by fours, so that 16 threads read 64 in one go."""
    if wide <= 4:
        return f"{wide} * across" + (f" + {j}" if j else "")
    if isinstance(j, int):
        return f"4 * across + {j // 4 * 4 * SIDE + j % 4}"
    return f"4 * across + {j} / 4 * {4 * SIDE} + {j} % 4"
