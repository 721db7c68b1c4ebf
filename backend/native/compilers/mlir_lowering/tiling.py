"""The part of a schedule that cuts a product in tiles: loops over tiles of the result, in each one over k."""

from __future__ import annotations

from native.compilers.mlir_lowering.schedule import (
    CLEAN,
    MAIN,
    OP,
    PARTS,
    Plan,
    body,
    fused,
    match,
    shared,
    tiled,
)

LOOP = '!transform.op<"scf.for">'


def tiles(plan: Plan) -> str:
    """Loops over tiles of the result, and in each a loop over k that adds a column of A times a row of B."""
    if not plan.pack:
        return plain(plan)
    lines = [MAIN, match("unpack", "linalg.unpack"), match("fill", "linalg.fill"), *PARTS]
    rows, columns = plan.sizes
    whole = -(-plan.n // rows) * rows, -(-plan.n // columns) * columns
    behind = ["behind"] if plan.fuse else []
    if not plan.depth:
        cut, _ = over(plan, "out", "unpack", plan.sizes, whole, [*behind, "product", "fill"])
        return body([*lines, *cut, tiled("step", "[0, 0, 1]", 1, "product_tile"), *CLEAN])
    # The loop over tiles of k is outside, so that a part of A and of B is used by all tiles of the result.
    lines.append(tiled("part", f"[0, 0, {plan.depth}]", 1, "product"))
    tiled_sums, _ = over(plan, "sums", "part", (1, 1), (0, 0), [])
    zeros, _ = over(plan, "zeros", "fill", (1, 1), (0, 0), [])
    out, _ = over(plan, "out", "unpack", plan.sizes, whole, behind)
    return body([*lines, *tiled_sums, tiled("step", "[0, 0, 1]", 1, "sums"), *zeros, *out, *CLEAN])


def over(
    plan: Plan, name: str, what: str, sizes: tuple[int, int], whole: tuple[int, int], inside: list[str]
) -> tuple[list[str], list[str]]:
    """Loops over tiles of what is computed last, with its sources inside; ``whole`` is the size of all of a side.

    Gives the lines, and the loops from the outermost to the innermost.
    """
    if plan.threads == 1:
        order = "[0, 1]" if plan.rows_outside else "[1, 0]"
        lines = [tiled(name, f"[{sizes[0]}, {sizes[1]}]", 2, what, order)]
        chain, last = pulled(inside, "{}", "{}_tile", f"{name}_loops#1")
        return [*lines, *chain], [f"{name}_loops#0", last]
    strip = (sizes[0], whole[1]) if plan.rows_outside else (whole[0], sizes[1])
    tile = (0, sizes[1]) if plan.rows_outside else (sizes[0], 0)
    lines = [shared(f"{name}_strip", f"[{strip[0]}, {strip[1]}]", what)]
    chain, _ = pulled(inside, "{}", "{}_strip", f"{name}_strip_loop")
    lines += [*chain, tiled(name, f"[{tile[0]}, {tile[1]}]", 1, f"{name}_strip")]
    chain, last = pulled(inside, "{}_strip", "{}_tile", f"{name}_loops")
    return [*lines, *chain], [last]


def pulled(names: list[str], old: str, new: str, loop: str) -> tuple[list[str], str]:
    """Each source is pulled into the loop; gives the loop as it is afterwards, too."""
    lines = []
    for name in names:
        lines.append(fused(new.format(name), old.format(name), loop))
        loop = f"{new.format(name)}_into"
    return lines, loop


def plain(plan: Plan) -> str:
    """Without packing: the last tiles of a row or column may be smaller, and are peeled off as own loops."""
    lines, root, inside = [MAIN, match("product", "linalg.matmul")], "product", list[str]()
    if plan.fuse:
        lines += [match("fill", "linalg.fill"), match("behind", "linalg.generic")]
        root, inside = "behind", ["product", "fill"]
    cut, loops = over(plan, "out", root, plan.sizes, (0, 0), inside)
    sizes = plan.sizes if plan.rows_outside else plan.sizes[::-1]
    lines += cut
    for loop, size in reversed(list(zip(loops, sizes[-len(loops) :], strict=True))):
        if plan.n % size:
            name = loop.replace("#", "_")
            lines.append(f"%{name}_for = transform.cast %{loop} : {OP} to {LOOP}")
            lines.append(f"%{name}_main, %{name}_rest = transform.loop.peel %{name}_for : ({LOOP}) -> ({OP}, {OP})")
    lines += [*CLEAN, match("products", "linalg.matmul"), tiled("step", "[0, 0, 1]", 1, "products")]
    return body([*lines, *CLEAN])
