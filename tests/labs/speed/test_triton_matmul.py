"""The Triton kernels without a GPU: interpreted against float64, and compiled for two generations of GPUs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from extent import chosen
from native.models import triton_kernels, triton_matmul
from native.models.cuda_driver import HOPPER, build
from native.models.cuda_products import bound
from native.models.tensor_cores import WARPGROUPS
from native.models.triton_matmul import CONFIGS, DOT, TIRELESS, Config

SUPPORT = Path(__file__).parents[2] / "support"
EVERY = [
    (arch, precision, config, way)
    for arch in (80, 90)
    for precision, configs in CONFIGS.items()
    for config in configs
    for way in ("product", "described")
    if way == "product" or arch == 90
]
# The best tile for large matrices; the others differ in their numbers.
CASES = chosen(EVERY, [case for case in EVERY if case[2] == CONFIGS[case[1]][0]])


def test_every_kernel_gives_the_product_of_any_size() -> None:
    script = SUPPORT / "triton_on_a_processor.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found["off"]) > 40
    for way, precision, n, off in found["off"]:
        assert off <= bound(precision, n), (way, precision, n)
        assert precision != "bf16" or n < 32 or off > 1e-4, "rounding to bfloat16 costs something"
    for precision, off in found["again"].items():
        assert off <= bound(precision, 32), precision


def compiled(kernel: Any, arch: int, types: dict[str, str], constants: dict[str, Any], config: Config) -> Any:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    places = {(n,): [["tt.divisibility", 16]] for n, kind in enumerate(types.values()) if kind[:4] != "tens"}
    source = ASTSource(kernel, types | dict.fromkeys(constants, "constexpr"), constants, places)
    options = {"num_warps": config.warps, "num_stages": config.stages}
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)


@pytest.mark.parametrize(("arch", "precision", "config", "way"), CASES)
def test_tensor_cores_are_used_where_they_are_asked_for(
    arch: int, precision: str, config: Config, way: str
) -> None:
    kind = "bf16" if precision == "bf16" else "fp32"
    rows, columns, depth, _, _ = config
    constants = {"rows": rows, "columns": columns, "depth": depth, "precision": DOT[precision]}
    if way == "product":
        types = {"a": f"*{kind}", "b": f"*{kind}", "c": f"*{kind}", "n": "i32"}
    else:
        tiles = {"a": (rows, depth), "b": (depth, columns), "c": (rows, columns)}
        types = {name: f"tensordesc<{kind}[{x},{y}]>" for name, (x, y) in tiles.items()} | {"n": "i32"}
    made = compiled(getattr(triton_kernels, way), arch, types, constants, config)
    code = made.asm["ptx"]
    used = Counter(re.findall(r"wgmma\.mma_async|mma\.sync|fma\.rn\.f32|cp\.async\.bulk\.tensor", code))
    if precision == "fp32":
        assert used["fma.rn.f32"] and not used["wgmma.mma_async"] and not used["mma.sync"]
    else:
        assert used["wgmma.mma_async" if arch == 90 else "mma.sync"]
    assert bool(used["cp.async.bulk.tensor"]) == (way == "described")  # Hopper's copy engine
    assert made.asm["cubin"]
    if (arch, precision, config) == (90, "bf16", CONFIGS["bf16"][0]):
        assert made.metadata.shared <= 227 * 1024  # else the best config would not even start


def test_our_own_kernel_describes_tiles_as_tritons_compiler_does() -> None:
    """Where the rows of a tile lie in shared memory, and how they are swizzled, for A and for B."""
    config = CONFIGS["bf16"][0]
    rows, columns, depth, _, _ = config
    tiles = {"a": (rows, depth), "b": (depth, columns), "c": (rows, columns)}
    types = {name: f"tensordesc<bf16[{x},{y}]>" for name, (x, y) in tiles.items()} | {"n": "i32"}
    constants = {"rows": rows, "columns": columns, "depth": depth, "precision": DOT["bf16"]}
    code = compiled(triton_kernels.described, 90, types, constants, config).asm["ptx"]
    ours = set(re.findall(r"or\.b64 .*, (\d{19});", build(WARPGROUPS, HOPPER).ptx))
    assert len(ours) == 2 and ours <= set(re.findall(r"or\.b64 .*, (\d{19});", code))


@pytest.mark.parametrize("precision", TIRELESS)
@pytest.mark.parametrize("arch", (80, 90))
def test_the_peak_touches_no_memory_of_the_gpu(arch: int, precision: str) -> None:
    rows, columns, depth = TIRELESS[precision]
    constants = {"rows": rows, "columns": columns, "depth": depth, "precision": precision}
    types = {"given": "*fp32", "to": "*fp32", "rounds": "i32"}
    code = compiled(triton_kernels.again, arch, types, constants, Config(0, 0, 0, 8, 2)).asm["ptx"]
    loop = re.search(r"(\$L__BB0_\d+):(.*?)bra\s+\1", code, re.DOTALL)
    assert loop is not None
    assert re.search(r"wgmma\.mma_async" if arch == 90 else r"mma\.sync", loop[2])
    assert not re.search(r"(ld|st)\.global|st\.shared|cp\.async", loop[2])


def test_small_matrices_find_a_tile_that_does_not_waste_the_gpu() -> None:
    assert {precision: triton_matmul.tiles(256, configs[-1]) for precision, configs in CONFIGS.items()} == {
        "fp32": 16,
        "tf32": 16,
        "bf16": 16,
    }
