"""One kernel as CUDA C: a product by tiles in shared memory, everything else as the fusing compiler writes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from labs.models.fusing.c_text import place
from labs.models.fusing.emit_c import Line
from labs.models.fusing.emit_cuda import CudaWriter
from labs.models.fusing.loops import Apply, Area, Expr, Let, Load, Statement, Store, loads

from native.compilers.gpu_kernel_stages.tiles import PAD, SIDE, Space, Tile, pad, space, turned

THREADS = SIDE * SIDE


@dataclass
class TileWriter(CudaWriter):
    tile: Tile | None = None
    space: Space | None = None
    sum: str = ""
    """What stands for a number of the product at the moment"""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.space = space(self.source)
        if self.space is not None and self.tile is None:
            raise ValueError(f"{self.source.name} multiplies, and has no tile")

    @property
    def room(self) -> int:
        """Floats of shared memory."""
        return self.space.shared(self.tile) if self.space and self.tile else 0

    @property
    def blocks(self) -> int:
        return self.space.blocks(self.tile) if self.space and self.tile else self.launch().blocks

    def kernel(self) -> list[Line]:
        if not self.space:
            return super().kernel()
        given = [each for each in self.source.buffers if each.role != "local"]
        self.say(f"// {self.source.says}")
        self.say(f"// <<<{self.blocks}, {THREADS}>>>")
        parameters = ", ".join(map(self.parameter, given))
        self.say(f'extern "C" __global__ void __launch_bounds__({THREADS}) {self.source.name}({parameters}) {{')
        self.depth += 1
        self.say(f"__shared__ __align__(16) float shared[{self.room}];")
        self.tiled()
        self.depth -= 1
        self.say("}")
        return self.lines

    def part(self) -> list[Line]:
        """Its text inside of a larger kernel, which has an array called shared."""
        self.depth += 1
        if self.space:
            self.tiled()
        else:
            for each in self.source.body:
                self.statement(each)
        self.depth -= 1
        return self.lines

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

    # a product

    def tiled(self) -> None:
        space, tile = self.space, self.tile
        assert space and tile
        self.say(f"const int across = threadIdx.x % {SIDE}, down = threadIdx.x / {SIDE};")
        if space.values is not None:
            self.attention(space, tile, space.values)
            return
        node = space.products[0].node
        self.arrays(space, tile)
        wide = space.columns // tile.columns
        with self.block(f"for (int tile = blockIdx.x; tile < {space.blocks(tile)}; tile += gridDim.x)"):
            high = space.rows // tile.rows
            if space.batch_name:
                self.say(f"const int {space.batch_name} = tile / {wide * high};")
            self.say(
                f"const int top = tile / {wide} % {high} * {tile.rows}, first = tile % {wide} * {tile.columns};"
            )
            each = tile.each
            self.say(f"float sum[{each[0]}][{each[1]}] = {{}};", node)
            with self.block(f"for (int depth = 0; depth < {space.depth}; depth += {tile.depth})", node):
                self.fetch("left", space.left, "top", "depth", tile.rows, tile.depth, node)
                self.fetch("right", turned(space.right), "first", "depth", tile.columns, tile.depth, node)
                self.say("__syncthreads();")
                strides = tile.rows + pad(space.left), tile.columns + pad(turned(space.right))
                self.multiply("sum", ("left", "right"), strides, tile.depth, each, node)
                self.say("__syncthreads();")
            self.results(space, each)

    def arrays(self, space: Space, tile: Tile) -> None:
        at = "shared"
        for name, size in space.rooms(tile).items():
            self.say(f"float *const {name} = {at};")
            at = f"{name} + {size}"

    def results(self, space: Space, each: tuple[int, int]) -> None:
        with (
            self.unrolled(f"for (int i = 0; i < {each[0]}; i++)"),
            self.unrolled(f"for (int j = 0; j < {each[1]}; j++)"),
        ):
            row, column = f"top + {each[0]} * down + i", f"first + {column_of('j', each[1])}"
            self.say(f"const int {space.row} = {row}, {space.column} = {column};")
            self.sum = "sum[i][j]"
            for statement in space.epilogue:
                self.plain(statement)
            self.sum = ""

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

    def fetch(self, to: str, area: Area, row: str, depth: str, rows: int, deep: int, node: int) -> None:
        """A tile into shared memory as [depth][row], four numbers at a time along what is contiguous."""
        start, name = place(area.start), self.names[area.buffer]
        wide = rows + pad(area)
        with self.block(f"for (int at = threadIdx.x; at < {rows * deep // 4}; at += {THREADS})", node):
            if area.along == 1:
                self.say(f"const int r = at / {deep // 4}, d = at % {deep // 4} * 4;", node)
                where = f"{start} + {area.down} * ({row} + r) + {depth} + d"
                self.say(f"const float4 four = *(const float4 *)&{name}[{where}];", node)
                for lane, part in enumerate("xyzw"):
                    self.say(f"{to}[(d + {lane}) * {wide} + r] = four.{part};", node)
            else:
                assert area.down == 1, area
                self.say(f"const int d = at / {rows // 4}, r = at % {rows // 4} * 4;", node)
                where = f"{start} + {area.along} * ({depth} + d) + {row} + r"
                self.say(f"*(float4 *)&{to}[d * {wide} + r] = *(const float4 *)&{name}[{where}];", node)

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

    # attention

    def attention(self, space: Space, tile: Tile, values: Area) -> None:
        """Queries stay, keys and values go past them, and what was added up shrinks as the maximum grows."""
        scored, weighed = (each.node for each in space.products)
        store = space.score[-1]
        assert isinstance(store, Store)
        rows, keys, deep, width = tile.rows, tile.columns, tile.depth, space.width
        high, wide = tile.each
        out = width // SIDE
        self.arrays(space, tile)
        tall = space.rows // rows
        with self.block(f"for (int tile = blockIdx.x; tile < {space.blocks(tile)}; tile += gridDim.x)"):
            if space.batch_name:
                self.say(f"const int {space.batch_name} = tile / {tall};")
            self.say(f"const int top = tile % {tall} * {rows};")
            self.say(f"float sum[{high}][{out}] = {{}}, total[{high}] = {{}}, most[{high}];", weighed)
            self.say(f"for (int i = 0; i < {high}; i++) most[i] = -3e38f;", store.node)
            self.fetch("left", space.left, "top", "0", rows, deep, scored)
            with self.block(f"for (int first = 0; first < {space.columns}; first += {keys})"):
                self.fetch("right", turned(space.right), "first", "0", keys, deep, scored)
                # [key][column] is what the second product wants: its depth are the keys
                self.fetch("value", turned(values), "0", "first", width, keys, weighed)
                self.say("__syncthreads();")
                self.say(f"float score[{high}][{wide}] = {{}};", scored)
                strides = rows + pad(space.left), keys + pad(turned(space.right))
                self.multiply("score", ("left", "right"), strides, deep, (high, wide), scored)
                with self.unrolled(f"for (int i = 0; i < {high}; i++)", store.node):
                    self.say("float largest = -3e38f;", store.node)
                    with self.unrolled(f"for (int j = 0; j < {wide}; j++)", store.node):
                        row = f"top + {high} * down + i"
                        if any(each.buffer not in self.registered() for it in space.score for each in asked(it)):
                            at = f"{space.row} = {row}, {space.score_column} = first + {column_of('j', wide)}"
                            self.say(f"const int {at};")
                        self.sum = "score[i][j]"
                        for each in space.score[:-1]:
                            self.plain(each)
                        self.say(f"score[i][j] = {self.value(store.value)};", store.node)
                        self.sum = ""
                        self.say("largest = fmaxf(largest, score[i][j]);", store.node)
                    self.say(f"part[({high} * down + i) * {SIDE + 1} + across] = largest;", store.node)
                self.say("__syncthreads();")
                with self.unrolled(f"for (int i = 0; i < {high}; i++)", store.node):
                    self.say("float now = most[i];", store.node)
                    row = f"({high} * down + i) * {SIDE + 1}"
                    self.say(f"for (int t = 0; t < {SIDE}; t++) now = fmaxf(now, part[{row} + t]);", store.node)
                    self.say("const float shrink = expf(most[i] - now);", store.node)
                    self.say("most[i] = now, total[i] *= shrink;", store.node)
                    self.say(f"for (int j = 0; j < {out}; j++) sum[i][j] *= shrink;", weighed)
                    with self.unrolled(f"for (int j = 0; j < {wide}; j++)", store.node):
                        self.say("const float share = expf(score[i][j] - now);", store.node)
                        self.say("total[i] += share;", store.node)
                        where = f"({column_of('j', wide)}) * {rows + PAD} + {high} * down + i"
                        self.say(f"weight[{where}] = share;", weighed)
                self.say("__syncthreads();")
                strides = rows + PAD, width + pad(turned(values))
                self.multiply("sum", ("weight", "value"), strides, keys, (high, out), weighed)
                self.say("__syncthreads();")
            row = f"({high} * down + i) * {SIDE + 1}"
            self.say(f"for (int i = 0; i < {high}; i++) part[{row} + across] = total[i];", store.node)
            self.say("__syncthreads();")
            with self.unrolled(f"for (int i = 0; i < {high}; i++)", store.node):
                self.say("total[i] = 0;", store.node)
                self.say(f"for (int t = 0; t < {SIDE}; t++) total[i] += part[{row} + t];", store.node)
            self.say("__syncthreads();")
            self.shares(space, high, out, width)

    def shares(self, space: Space, high: int, out: int, width: int) -> None:
        (store,) = space.epilogue
        assert isinstance(store, Store) and isinstance(store.value, Apply) and store.value.op == "div"
        with (
            self.unrolled(f"for (int i = 0; i < {high}; i++)", store.node),
            self.unrolled(f"for (int j = 0; j < {out}; j++)", store.node),
        ):
            row = f"top + {high} * down + i"
            self.say(f"const int {space.row} = {row}, {space.column} = {column_of('j', out)};")
            self.say(f"{self.names[store.buffer]}[{place(store.index)}] = sum[i][j] / total[i];", store.node)


def asked(it: Statement) -> Iterator[Load]:
    """What a statement loads."""
    return loads(it.value) if isinstance(it, Let | Store) else iter(())


def column_of(j: int | str, wide: int) -> str:
    """Which column a thread's j-th number is in: neighbours by fours, so that 16 threads read 64 in one go."""
    if wide <= 4:
        return f"{wide} * across" + (f" + {j}" if j else "")
    if isinstance(j, int):
        return f"4 * across + {j // 4 * 4 * SIDE + j % 4}"
    return f"4 * across + {j} / 4 * {4 * SIDE} + {j} % 4"
