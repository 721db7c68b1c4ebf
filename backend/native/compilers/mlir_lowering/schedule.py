"""The schedule of a matrix product: a program in MLIR's transform dialect that says how another one is rewritten.

Each part is the body of one named sequence; a part matches operations, and transforms what it has found.
"""

from __future__ import annotations

from dataclasses import dataclass

OP = "!transform.any_op"
SIDEWAYS = 4  # columns of A that are turned into rows of a strip at a time
# For some processors (Zen 3) LLVM would do two steps over k at once. Their rows of B leave too few of 16 registers
# for a tile, and part of it goes to memory and back.
ROLLED = "#llvm.loop_annotation<unroll = <disable = true>>"


@dataclass(frozen=True)
class Tile:
    """Of the result: as many rows and columns as stay in registers."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows} × {self.columns}"


def lanes() -> int:
    """Numbers that a register of this processor holds."""
    from native.models.compiler.machine import here  # which loads LLVM

    return here().register // 4


def fitting() -> Tile:
    """Two registers wide, and as high as leaves room for a row of B and a number of A."""
    wide = lanes()
    registers = 32 if wide == 16 else 16  # AVX-512 has more of them, too
    return Tile((registers - 3) // 4 * 2, 2 * wide)


@dataclass(frozen=True)
class Plan:
    """What a schedule is written for, and what a reader chose of it."""

    tile: Tile
    n: int
    fuse: bool = True
    rows_outside: bool = False
    pack: bool = True
    depth: int = 0
    """Steps over k of a tile; 0 for all of them."""
    threads: int = 1

    @property
    def sizes(self) -> tuple[int, int]:
        """Of a tile, which is no larger than the result where nothing fills it up."""
        fits = self.n if not self.pack else 1024
        return min(self.tile.rows, fits), min(self.tile.columns, fits)


def match(name: str, operation: str) -> str:
    return f'%{name} = transform.structured.match ops{{["{operation}"]}} in %module : ({OP}) -> {OP}'


def patterns(*names: str) -> str:
    inside = "\n".join(f"  transform.apply_patterns.{each}" for each in names)
    return f"transform.apply_patterns to %main {{\n{inside}\n}} : {OP}"


def tiled(name: str, sizes: str, loops: int, what: str, order: str = "") -> str:
    results = f"%{name}, %{name}_loops" + (f":{loops}" if loops > 1 else "")
    types = ", ".join([OP] * (loops + 1))
    how = f" interchange = {order}" if order else ""
    return (
        f"{results} = transform.structured.tile_using_for %{what} tile_sizes {sizes}{how}\n  : ({OP}) -> ({types})"
    )


def shared(name: str, sizes: str, what: str) -> str:
    """As ``tiled``, by a loop of which no iteration waits for another: threads may share them."""
    return (
        f"%{name}, %{name}_loop = transform.structured.tile_using_forall %{what} tile_sizes {sizes}\n"
        f"  : ({OP}) -> ({OP}, {OP})"
    )


def fused(name: str, what: str, into: str) -> str:
    return (
        f"%{name}, %{name}_into = transform.structured.fuse_into_containing_op %{what} into %{into}\n"
        f"  : ({OP}, {OP}) -> ({OP}, {OP})"
    )


def vectorized(what: str, sizes: str = "") -> str:
    return f"transform.structured.vectorize %{what}{f' vector_sizes {sizes}' if sizes else ''} : {OP}"


MAIN = match("main", "func.func")
CLEAN = [patterns("canonicalization"), f"transform.apply_cse to %main : {OP}"]
PARTS = [
    match("parts", "linalg.generic"),
    f"%product, %behind = transform.split_handle %parts {{overflow_result = 1}}\n  : ({OP}) -> ({OP}, {OP})",
]
TIDY = (
    "vector.cast_away_vector_leading_one_dim",
    "vector.transfer_permutation_patterns",
    "tensor.fold_tensor_subset_ops_into_vector_transfers",
    "vector.lower_masked_transfers",
    "canonicalization",
)


def packed(tile: Tile, fuse: bool) -> str:
    """A in strips of the tile's rows, B in strips of its columns, and the result in tiles."""
    generic, pack = '!transform.op<"linalg.generic">', '!transform.op<"linalg.pack">'
    lines = [
        MAIN,
        match("matmul", "linalg.matmul"),
        f"%product = transform.structured.generalize %matmul : ({OP}) -> {OP}",
        f"%packed = transform.structured.pack %product packed_sizes = [{tile.rows}, {tile.columns}, 0]",
        f"  : ({OP}) -> ({generic})",
        f"%b = transform.get_producer_of_operand %packed[1] : ({generic}) -> {pack}",
        "%done, %b_done, %c_done = transform.structured.pack_transpose %b with_compute_op(%packed)",
        f"  outer_perm = [1, 0] : ({pack}, {generic}) -> ({generic}, {pack}, {OP})",
    ]
    if fuse:  # the operations behind the product work on tiles, too; what fills the last ones up may hold anything
        lines.append(patterns("linalg.data_layout_propagation {poison_padding = true}"))
    return body([*lines, patterns("canonicalization", "linalg.fold_pack_unpack_into_empty"), *CLEAN[1:]])


def copies(plan: Plan, cut: bool) -> list[str]:
    """What packs and unpacks moves vectors; ``cut`` where the result is cut in tiles already."""
    tile = plan.tile
    # Of each copy, the loop over strips and those inside, and how much is moved at once.
    packs = {
        "a": ("1", f"0, {SIDEWAYS}", f"[1, {SIDEWAYS}, {tile.rows}]"),
        "b": ("1", "0, 1", f"[1, 1, {tile.columns}]"),
    }
    if plan.fuse:
        packs["bias"] = ("1", "", f"[1, {tile.columns}]")
    names, types = ", ".join(f"%{name}" for name in packs), ", ".join([OP] * len(packs))
    lines = [match("packs", "linalg.pack"), f"{names} = transform.split_handle %packs : ({OP}) -> ({types})"]
    for name, (strip, inside, _) in packs.items():
        if not inside:
            lines.append(tiled(f"{name}_strip", f"[{strip}]", 1, name))
        elif plan.threads > 1:
            lines += [
                shared(f"{name}_each", f"[{strip}]", name),
                tiled(f"{name}_strip", f"[{inside}]", 1, f"{name}_each"),
            ]
        else:
            lines.append(tiled(f"{name}_strip", f"[{strip}{inside[1:]}]", 2, name))
    return [
        *lines,
        *(vectorized(f"{name}_strip", sizes) for name, (*_, sizes) in packs.items()),
        match("unpack", "linalg.unpack"),
        *([] if cut else [tiled("out", f"[{tile.rows}, {tile.columns}]", 2, "unpack")]),
        vectorized("unpack" if cut else "out", f"[1, 1, {tile.rows}, {tile.columns}]"),
    ]


def copied(plan: Plan, cut: bool) -> str:
    """Only the copies as vectors: for a program that is run before its product is written in vectors."""
    return body([MAIN, *copies(plan, cut), patterns(*TIDY), *CLEAN])


def vectors(plan: Plan) -> str:
    lines = [MAIN, match("fill", "linalg.fill")]
    if plan.pack:
        lines += PARTS
    else:
        lines += [match("product", "linalg.matmul"), match("behind", "linalg.generic")]
    lines.append("transform.structured.vectorize %product {create_named_contraction} : " + OP)
    lines += [vectorized("behind")] if plan.fuse else []
    lines += [vectorized("fill")] if plan.fuse or plan.pack else []  # else it is not cut in tiles
    lines += copies(plan, cut=True) if plan.pack else []
    lines.append(patterns("vector.reduction_to_contract", "vector.transfer_permutation_patterns"))
    return body([*lines, patterns(*TIDY), *CLEAN])


def registers() -> str:
    """A tile of the result is read before the loop over k and written behind it."""
    hoisted = "transform.loop.hoist_loop_invariant_subsets %loops : " + OP
    return body([MAIN, match("loops", "scf.for"), hoisted, *CLEAN])


def products() -> str:
    lowered = 'vector.lower_contraction lowering_strategy = "outerproduct"'
    lines = [MAIN, patterns(lowered, "vector.lower_outerproduct", "canonicalization"), match("rows", "vector.fma")]
    lines.append(f'%steps = transform.get_parent_op %rows {{op_name = "scf.for", deduplicate}} : ({OP}) -> {OP}')
    return body([*lines, *rolled("steps", "llvm.loop_annotation")])


def jump() -> str:
    """A loop's note as one of its jump back, once it is cut in blocks, in the form that LLVM is given."""
    noted = f"attributes{{llvm.loop_annotation = {ROLLED}}}"
    back = f'%back = transform.structured.match ops{{["cf.br"]}} {noted} in %module : ({OP}) -> {OP}'
    return body([back, *rolled("back", "loop_annotation")])


def rolled(what: str, name: str) -> list[str]:
    return [
        f"%hint = transform.param.constant {ROLLED} -> !transform.any_param",
        f'transform.annotate %{what} "{name}" = %hint : {OP}, !transform.any_param',
    ]


def body(lines: list[str]) -> str:
    return "\n".join(lines)


def module(name: str, text: str) -> str:
    """A part as a program of its own."""
    inside = "\n".join(f"    {line}" for line in text.split("\n"))
    head = f"  transform.named_sequence @{name}(%module: {OP} {{transform.readonly}}) {{"
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{head}\n{inside}\n    transform.yield\n  }}\n}}\n"
    )
