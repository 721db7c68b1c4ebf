"""One kernel as CUDA C: products by tiles, everything else as the fusing compiler writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.models.fusing.c_text import place
from labs.models.fusing.emit_c import Line
from labs.models.fusing.loops import Apply, Area, Let, Load, Statement, Store, loads

from native.compilers.gpu_kernel_stages.products import HANGS, THREADS, ProductWriter, column_of, inside
from native.compilers.gpu_kernel_stages.tiles import PAD, SIDE, Space, Tile, pad, space, turned


@dataclass
class TileWriter(ProductWriter):
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

    def tiled(self) -> None:
        space, tile = self.space, self.tile
        assert space and tile
        self.say(f"const int across = threadIdx.x % {SIDE}, down = threadIdx.x / {SIDE};")
        self.arrays(space, tile)
        if space.values is None:
            self.product_of(space, tile)
        else:
            self.attention(space, tile, space.values)

    def attention(self, space: Space, tile: Tile, values: Area) -> None:
        """Queries stay, keys and values go past them, and what was added up shrinks as the maximum grows."""
        scored, weighed = (each.node for each in space.products)
        store = space.score[-1]
        assert isinstance(store, Store)
        rows, keys, deep, width = tile.rows, tile.columns, tile.depth, space.padded
        high, wide = tile.each
        out, tall = width // SIDE, space.high(tile)
        left, right = space.left, turned(space.right)
        with self.block(f"for (int tile = blockIdx.x; tile < {space.blocks(tile)}; tile += gridDim.x)"):
            if space.batch_name:
                self.say(f"const int {space.batch_name} = tile / {tall};")
            self.say(f"const int top = tile % {tall} * {rows};")
            self.say(f"float sum[{high}][{out}] = {{}}, total[{high}] = {{}}, most[{high}];", weighed)
            self.say(f"for (int i = 0; i < {high}; i++) most[i] = -3e38f;", store.node)
            self.fetch("left", left, ("top", "0"), (rows, deep), (space.rows, deep), scored)
            with self.block(f"for (int first = 0; first < {space.columns}; first += {keys})"):
                self.fetch("right", right, ("first", "0"), (keys, deep), (space.columns, deep), scored)
                # [key][column] is what the second product wants: its depth are the keys
                whole = space.width, space.columns
                self.fetch("value", turned(values), ("0", "first"), (width, keys), whole, weighed)
                self.say("__syncthreads();")
                self.say(f"float score[{high}][{wide}] = {{}};", scored)
                strides = rows + pad(left), keys + pad(right)
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
                        if outside := inside((f"first + {column_of('j', wide)}", keys, space.columns)):
                            self.say(f"if (!({outside})) score[i][j] = -3e38f; {HANGS}", store.node)
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
            self.shares(space, tile)

    def shares(self, space: Space, tile: Tile) -> None:
        (store,) = space.epilogue
        assert isinstance(store, Store) and isinstance(store.value, Apply) and store.value.op == "div"
        high, out = tile.each[0], space.padded // SIDE
        checks = (space.row, tile.rows, space.rows), (space.column, space.padded, space.width)
        with (
            self.unrolled(f"for (int i = 0; i < {high}; i++)", store.node),
            self.unrolled(f"for (int j = 0; j < {out}; j++)", store.node),
        ):
            row = f"top + {high} * down + i"
            self.say(f"const int {space.row} = {row}, {space.column} = {column_of('j', out)};")
            with self.guarded(inside(*checks), store.node):
                self.say(f"{self.names[store.buffer]}[{place(store.index)}] = sum[i][j] / total[i];", store.node)


def asked(it: Statement) -> Iterator[Load]:
    """What a statement loads."""
    return loads(it.value) if isinstance(it, Let | Store) else iter(())
