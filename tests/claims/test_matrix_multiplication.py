"""What content/speed/01-matrix-multiplication.mdx says, asked of its labs, of their recordings, and of arithmetic.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test. What
was measured is asked of the recordings, since the article shows those: on another machine they say something else.
"""

from __future__ import annotations

import dis
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from article import Article, recorded
from labs.speed import cache_walk
from native.models.tensor_cores import STAGES

ROOT = Path(__file__).parents[2]
ARTICLE = Article("speed/01-matrix-multiplication.mdx")
says = ARTICLE.says
KERNEL = (ROOT / "wasm/kernels/matmul.c").read_text("utf-8")


def last(lab: str, name: str = "default") -> dict[str, Any]:
    return recorded(f"speed/{lab}", name)[-1]


def ladder(name: str = "default") -> dict[str, float]:
    shown = last("matmul_ladder", name)
    return dict(zip(shown["names"], shown["speed"][:, 1].tolist(), strict=True))


def factors(name: str = "default") -> dict[str, float]:
    shown = last("speedup_factors", name)
    return dict(zip(shown["changes"], shown["factor"][:, 1].tolist(), strict=True))


def misses(**params: Any) -> cache_walk.Picture:
    *_, shown = cache_walk.run(cache_walk.Params(**params))
    return shown


def test_the_numbers_of_the_essay() -> None:
    says("measures NumPy at 5,435.7 times the speed of Python")
    assert pytest.approx(5435.7, rel=1e-3) == 7975.394 / 1.467
    says("ms are {((2 * 500 ** 3) / 1.467e-3 / 1e9).toPrecision(3)} GFLOP/s")
    assert f"{2 * 500**3 / 1.467e-3 / 1e9:.3g}" == "170"
    says("s are {((2 * 1000 ** 3) / 107.350155 / 1e9).toPrecision(3)} GFLOP/s")
    assert f"{2 * 1000**3 / 107.350155 / 1e9:.3g}" == "0.0186"


def test_the_factors_of_the_article() -> None:
    says("Each step changes a single thing", "so the whole is the product of the factors")
    shown, worth = last("speedup_factors"), factors()
    assert np.prod(list(worth.values())) == pytest.approx(shown["total"], rel=1e-4)
    says("The interpreter is the largest factor; the other five together are larger still")
    assert worth["C"] == max(worth.values()) and shown["total"] / worth["C"] > worth["C"]
    says("Factors multiply. Added up, these would make")
    added = last("speedup_factors", "added")
    assert np.array_equal(added["factor"], shown["factor"])  # it is the same measurement
    assert (
        added["promised"] == pytest.approx(sum(worth.values()), rel=1e-5)
        and added["promised"] < shown["total"] / 100
    )
    says("With 50 rows all three matrices fit into the first cache", "because there C is slow")
    assert factors("fifty")["C"] > worth["C"] > factors("power_of_two")["C"]
    says("they bring a factor of …. Nothing.")
    assert shown["names"][4] == "C, vectors" and 0.9 < shown["compared"].ravel()[5] < 1.1 < worth["vectors"]
    says("the loop order brings only a factor of …: a program that waits for the interpreter does not notice")
    assert shown["compared"].ravel()[7] < worth["loop order"]
    says("The loop order alone then brings a factor of …")
    assert factors("power_of_two")["loop order"] > 2 * worth["loop order"]
    says("our 300 lines of C and the library are equally fast")
    assert shown["library"] == pytest.approx(shown["total"], rel=0.1)
    assert round(len(KERNEL.splitlines()), -2) == 300


def test_steps_lead_where_they_say() -> None:
    changed = {2: "C", 3: "C, ikj", 4: "C, ikj, vectors", 5: "registers", 6: "packed", 7: "threads"}
    for step, name in changed.items():
        assert f'<Step figure="speedup_factors" n={{{step}}}>' in ARTICLE.text
        assert recorded("speed/speedup_factors")[step - 1]["stage"] == name
    for step, name in {27: "transposed", 36: "ikj"}.items():
        assert f'<Step figure="matmul_ladder" n={{{step}}}>*' in ARTICLE.text
        shown = recorded("speed/matmul_ladder")[step - 1]
        assert (shown["stage"], shown["steps"]) == (name, 0)
    for step, name in {4: "jki", 5: "kij"}.items():
        assert f'<Step figure="cache_counted" n={{{step}}}>' in ARTICLE.text
        assert recorded("speed/cache_counted")[step - 1]["stage"] == name
    for step, name in {13: "degree 128"}.items():
        assert f'<Step figure="roofline" n={{{step}}}>' in ARTICLE.text
        assert recorded("speed/roofline")[step - 1]["stage"] == name
    for step, name in {1: "as it comes", 4: "Haswell"}.items():
        assert f'<Step figure="blas_kernels" n={{{step}}}>' in ARTICLE.text
        assert recorded("speed/blas_kernels")[step - 1]["stage"] == name


def test_what_python_does() -> None:
    says("more than a dozen [bytecode instructions]", "two new objects of 24 bytes")
    source = "def f(a, b, i, j, n, total):\n for k in range(n):\n  total += a[i][k] * b[k][j]"
    scope: dict[str, Any] = {}
    exec(source, scope)
    inner = [each for each in dis.get_instructions(scope["f"]) if each.positions and each.positions.lineno == 3]
    assert len(inner) > 12 and sys.getsizeof(1.0) == 24


def test_the_cache_at_sixteen_and_fifteen() -> None:
    says("ikj a quarter of that", "ijk misses slightly less often than ikj")
    assert misses(order="ikj").misses / misses().misses == pytest.approx(0.25, abs=0.02)
    ijk, ikj = (misses(order=order, n=15).misses for order in ("ijk", "ikj"))
    assert ijk < ikj < 1.2 * ijk
    says("With 32 rows ijk misses in B at every single step, and ikj an eighth as often")
    ijk, ikj = (misses(order=order, n=32).counts[1, 1:].sum() for order in ("ijk", "ikj"))
    assert ijk == 32**3 == 8 * ikj
    says("four sets out of eight, 16 places, and most of the misses are conflicts", "not one conflict is left")
    plain, padded = misses().counts, misses(padding=8).counts
    assert plain[:, 3].sum() > plain[:, 1:].sum() / 2 and padded[:, 3].sum() == 0
    says("ijk with 48 rows misses a twelfth as often as without")
    assert misses(n=48).misses / misses(n=48, tiled=True).misses == pytest.approx(12, abs=0.5)
    says("ikj, with 0.133", "misses twice at every step")
    assert misses(n=32, order="ikj").misses == pytest.approx(0.133, abs=5e-4)
    assert misses(n=32, order="jki").misses == pytest.approx(2, abs=0.05)


def test_the_model_and_the_clock() -> None:
    shown, fewer = (last("cache_counted", name) for name in ("default", "five_hundred"))
    ijk, ikj, _, jki, kij, _ = range(6)
    (misses, took), (misses_500, took_500) = (
        (each["expected"].sum(1), each["took"][:, 1]) for each in (shown, fewer)
    )
    says("With 512 rows jki should miss twice in every step", "kij, which should miss once in sixteen")
    assert (shown["n"], fewer["n"]) == (512, 512 - 12)
    assert misses[jki] == pytest.approx(2, abs=0.01) and misses[kij] == pytest.approx(1 / 16, rel=0.05)
    assert took[jki] > 10 * took[kij]
    says("ijk should miss no more than ikj", "Something else holds it up")
    assert misses[ijk] > 0.9 and misses_500[ijk] == pytest.approx(misses_500[ikj], rel=0.01)
    assert took_500[ijk] > 2 * took_500[ikj]
    says("And jki should still miss twice, but takes … ns instead of …")
    assert misses_500[jki] == pytest.approx(2, abs=0.01) and took_500[jki] < took[jki] / 2


def test_two_rules_about_vectors() -> None:
    shown = recorded("tensors/simd_elementwise")[-1]
    assert shown["ways"] == ["numbers", "numbers, 4 a step", "vectors", "vectors, 4 a step"]
    (first, *more), (*_, memory) = shown["speed"][..., 1], shown["speed"][..., 1]
    single, _, vectors, unrolled = range(4)
    says("because every vector of 64 bytes now needs two lines")
    assert shown["vector"] == 64 and first[vectors, 1] < 0.8 * first[vectors, 0]
    says("In memory it makes no difference, … against …")
    assert memory[vectors, 1] == pytest.approx(memory[vectors, 0], rel=0.08)
    says("turns the … into … in the first cache, and changes nothing from the second on")
    assert first[unrolled, 0] > 1.03 * first[vectors, 0]
    for size in more:
        assert size[unrolled, 0] == pytest.approx(size[vectors, 0], rel=0.08)
    says("which in the first cache beat single numbers by far")
    assert first[vectors, 0] > 5 * first[single, 0] and memory[vectors, 0] < 1.6 * memory[single, 0]


def test_transposing_does_not_help_until_sums_may_be_split() -> None:
    says("Far from three times", "*transposed* leaps to …", "its speed on this processor without the permission")
    plain, fast = ladder(), ladder("fast_math")
    assert plain["transposed"] < 1.5 * plain["ijk"]
    assert fast["transposed"] > 5 * plain["transposed"]
    assert fast["ijk"] == pytest.approx(ladder("native")["ijk"], rel=0.1)
    says("gets there without any permission")
    assert ladder("native")["ikj"] > 0.7 * fast["transposed"]
    says("every link takes longer")
    assert ladder("native")["ijk"] < plain["ijk"]
    says("On this server ijk does … GFLOP/s with 1,000 rows and … with 24 more")
    slow, quick = (last("speedup_factors", name)["speed"][2, 1] for name in ("power_of_two", "default"))
    assert slow < quick / 2


def test_the_roofline() -> None:
    says("a program that does more operations than that for each byte could run at the peak")
    roof = last("roofline")
    ridge = roof["peak"] / roof["bandwidth"][3]
    assert roof["intensity"][7] > 2 * ridge and roof["intensity"][8] > 5 * ridge
    says("$n/6$ operations for each byte", "A product of 512 rows does …")
    assert roof["intensity"][8] == pytest.approx(512 / 6)
    says("as the last polynomial nearly does")
    assert roof["speed"][7, 1] > 0.85 * roof["peak"]


def test_the_kernel_is_as_described() -> None:
    says(
        "With a tile of 14 × 32 numbers, each step loads 32 numbers of B and 14 of A, "
        "and does 448 multiply-adds with them"
    )
    vectors = (ROOT / "wasm/kernels/vectors.h").read_text("utf-8")
    assert "LANES = 16, ROWS = 14, WIDE = 2" in vectors and 14 * 32 == 448
    says("vectors of four, which are the longest that WebAssembly has", "has four numbers and not sixteen")
    assert "(__wasm_simd128__)\nenum { LANES = 4," in vectors and 128 // 32 == 4
    says("a strip of B, 256 × 32, that stays in the first cache")
    assert "DEPTH = 256" in KERNEL


def test_the_library_asked_for_older_processors() -> None:
    says("takes its kernel with vectors of sixteen", "a Haswell of 2013, with vectors of eight", "vectors of four")
    shown = last("blas_kernels")
    speed = dict(zip(shown["names"], shown["speed"][:, 1].tolist(), strict=True))
    assert shown["picked"] == "SkylakeX"
    assert speed["Nehalem"] < speed["Haswell"] < speed["as it comes"]
    says("about as many vectors in a nanosecond, each half as wide")
    lanes = dict(zip(shown["names"], shown["lanes"], strict=True))
    assert (lanes["Haswell"], lanes["as it comes"]) == (8, 16)
    assert speed["Haswell"] / 8 == pytest.approx(speed["as it comes"] / 16, rel=0.1)
    says("nearly twice as fast as the library")
    assert 1.6 < speed["ours, packed"] / speed["Haswell"] < 2
    says("at less than half")
    assert speed["Haswell"] < shown["peak"] / 2
    says("is known to reach nine tenths of the peak")
    assert speed["as it comes"] / shown["peak"] == pytest.approx(0.9, abs=0.05)


def test_the_intensities_of_the_exercise() -> None:
    says("$n/6 = 100$", "The two differ by a factor of 600")
    product, loop = 2 * 600**3 / (3 * 4 * 600**2), 2 / 12
    assert product == 100 and product / loop == 600


def test_the_ladder_of_a_gpu() -> None:
    says("4,096 rows on an H200", "That is still far below … GFLOP/s")
    last = recorded("speed/matmul_cuda")[-1]
    assert "H200" in last["gpu"] and last["n"] == 4096
    at = last["names"].index
    speed, error = last["speed"][:, 1], last["error"]
    assert 0.08 < speed[at("coalesced")] / last["peak"][at("naive")] < 0.12
    says("It is also worth more here")
    loop_order = recorded("speed/speedup_factors")[-1]["factor"][1, 1]
    assert speed[at("coalesced")] / speed[at("naive")] > 2 * loop_order
    says("Our best kernel for float32 keeps 8 × 16 sums in each thread")
    rungs = zip(last["names"], last["ours"], last["precision"], strict=True)
    in_cuda = [way for way, own, kind in rungs if own and kind == "fp32" and "Triton" not in way]
    says("The larger the tile that a block and a thread keep, the thinner the pipes that feed it")
    cost = last["cost"][[at(way) for way in in_cuda]]
    assert (np.diff(cost, axis=0) <= 0).all() and cost[0, 0] > 500 * cost[-1, 0]
    assert max(in_cuda, key=lambda way: speed[at(way)]) == "pipelined"
    says("Our first kernel for tensor cores works on blocks of the same size as our best one for float32")
    ours, best = at("WMMA bf16"), at("pipelined")
    assert last["block"][ours, :2].tolist() == last["block"][best, :2].tolist()
    assert recorded("speed/matmul_cuda")[31 - 1]["stage"] == "WMMA bf16"
    assert speed[best] < speed[ours] < speed[at("Triton bf16")]
    assert last["cost"][best, 2] > 20 * last["cost"][ours, 2]
    says("the error is far larger than that of float32")
    assert 0.9 < speed[at("Triton bf16")] / speed[at("cuBLAS bf16")] < 1
    assert round(error[at("cuBLAS bf16")] / error[at("cuBLAS fp32")], -3) == 2000


def test_what_feeds_the_tensor_cores() -> None:
    shown = recorded("speed/matmul_cuda")[32 - 1]
    at = shown["names"].index
    first, second = at("WMMA bf16"), at("WGMMA bf16")
    assert shown["stage"] == "WGMMA bf16"
    says("while the units that multiply stand idle", "Fed like this, the tensor cores reach …")
    speed = shown["speed"][:, 1]
    assert speed[first] < shown["peak"][first] / 3 and speed[second] > 2 * speed[first]
    says("64 × 16 numbers of A multiplied by 16 × 256 of B", "Only the sums are in registers, 128 in each thread")
    rows, columns, depth = shown["block"][second].tolist()
    assert (rows, columns, depth) == (2 * 64, 256, 4 * 16) and rows * columns == 2 * 128 * 128
    says(
        "would all be in the same four banks",
        "up to four slabs ahead",
        "The 64 numbers in a row of a box take 128 bytes",
    )
    assert STAGES == 4 and depth * 2 == 128 == 32 * 4  # banks of four bytes
    says("In the figure the operands bypass the registers")
    assert shown["cost"][second, 1] == 0


def test_the_browser_stands_beside_the_server_with_its_size() -> None:
    says("GFLOP/s in the browser, with 512 rows, and … outside it, with 1,000.")
    assert (last("matmul_device")["n"], last("matmul_ladder")["n"]) == (512, 1000)
