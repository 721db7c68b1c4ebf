"""What the chapter on fusion says, asked of its lab, its recordings, our compiler, and torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from article import CONTENT, Article, recorded
from labs.models.fusing.fuse import fuse
from labs.models.fusing.lower import lower
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read
from native.models.compiler import inductor
from native.models.compiler.compiled import Compiled
from native.models.compiler.machine import here, ready
from native.models.stages.toolchain import Toolchain
from native.models.timing import together
from native.pytorch.fusion_worth import clock
from native.pytorch.fusion_worth.joined import Joined
from native.pytorch.fusion_worth.programs import Setting
from torch._inductor import config, metrics

ARTICLE = Article("pytorch/13-when-fusion-pays.mdx")
says = ARTICLE.says
N = 1 << 22


def last(name: str = "default") -> dict[str, Any]:
    return recorded("pytorch/fusion_worth", name)[-1]


def arrays(setting: Setting, joined: int = 0) -> float:
    return Joined(setting, joined).bytes / (4 * setting.numbers)


def test_one_line_is_not_fused() -> None:
    says("At its peak the one line holds … at the same time: the result and two more arrays")
    beside = last("beside")
    tensor = beside["steps"][0]["reads"][0]["bytes"]
    assert tensor == 4 * N and beside["peak"][1] == pytest.approx(3 * tensor, rel=0.01)
    says("One kernel that does all nine steps, number by number, takes …")
    numpy = np.nanmin(beside["took"][4:, 6, 1])
    assert beside["took"][2, 6, 1] < numpy and last()["took"][2, 6, 1] < numpy


def test_what_crosses_and_what_it_is_worth() -> None:
    says("As nine kernels, the steps of GELU read and write 21 arrays", "they read `x` and write `y`")
    gelu = Setting("gelu", 1, N)
    assert len(gelu.steps) == 9 and (arrays(gelu), arrays(gelu, 9)) == (21, 2)
    says("One kernel moves less than a tenth of the bytes", "A tanh counts as 14 additions")
    steps = Joined(gelu).steps
    assert [step.work // N for step in steps if "tanh" in step.code] == [14]
    says("It computes all the time, most of it in tanh", "The fused kernel uses only … of the bandwidth")
    assert sum(step.work for step in steps) / N / 2 < 14
    found = last()
    assert 1.3 < found["gain"][0, 6] < 10 and 1.3 < found["gain"][1, 6] < 10 and found["share"][2] < 0.4


def test_three_sizes() -> None:
    says(
        "the formula gives our nine kernels and the one almost the same time",
        "That time goes not into bytes but into",
    )
    found = last()
    assert found["x"][0] == 1024 and found["gain"][0, 0] < 1.2
    assert found["took"][0, 0, 1] > 3 * found["took"][2, 0, 1]
    assert found["predicted"][0, 0] > 0.8 * 9 * found["step"] > 0.5 * found["predicted"][0, 0]
    says("in a cache that is faster than memory")
    assert found["bandwidth"][3] > 1.3 * found["bandwidth"][6]


@pytest.mark.alone
def test_new_memory_is_what_pytorch_waits_for() -> None:
    says("From 4 Ki numbers on, PyTorch lies above its dashed line", "with `out=`, and it takes far less")
    assert last()["x"][1] == 4 * 1024 and (last()["took"][0, 1:, 1] > last()["predicted"][0, 1:]).all()
    x = torch.rand(N)
    kept = [torch.empty_like(x) for _ in range(3)]

    def anew(rounds: int) -> None:
        for _ in range(rounds):
            a = x * x
            b = a * x
            b + x

    def out(rounds: int) -> None:
        for _ in range(rounds):
            torch.mul(x, x, out=kept[0])
            torch.mul(kept[0], x, out=kept[1])
            torch.add(kept[1], x, out=kept[2])

    first, second = together((anew, out), 9, 0.2)
    assert second.median < 1.1 * first.median


@pytest.mark.alone
def test_another_tanh() -> None:
    says("PyTorch's tanh is not ours, and takes longer")
    x = torch.rand(1 << 14)
    y = torch.empty_like(x)
    graph = read(f"def f(x: f32[{len(x)}]):\n    return tanh(x)\n")
    ready()
    machine = here(1)
    program, _ = optimised(lower(graph.outputs), Passes(width=machine.register))
    ours = Compiled(program, machine).all_kept(x)

    def theirs(rounds: int) -> None:
        for _ in range(rounds):
            torch.tanh(x, out=y)

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        first, second = together((ours, theirs), 7, 0.05)
    finally:
        torch.set_num_threads(before)
    assert second.least > first.least


def test_a_sum_and_a_product() -> None:
    says("move 11 arrays as separate kernels", "One kernel reads its two inputs and writes a single number")
    setting = Setting("sum", 4, N)
    assert round(arrays(setting), 3) == 11 and Joined(setting, 5).bytes == 2 * 4 * N + 4
    assert last("sum")["gain"][1, 5] > 1.5
    says("saves four passes over $n^2$ numbers, $16n^2$ bytes", "for 128 rows and … for 1,024")
    product = Setting("product", 1, 128 * 128)
    assert Joined(product).bytes - Joined(product, 3).bytes == 16 * 128 * 128
    found = last("product")
    assert [round(x**0.5) for x in found["x"][[2, 5]]] == [128, 1024]
    for at, n in ((2, 128), (5, 1024)):
        ratio = found["speed"] / found["bandwidth"][at]
        assert found["gain"][0, at] == pytest.approx(1 + 8 * ratio / n, rel=0.1)
    assert found["gain"][0, 2] > found["gain"][0, 5]


def test_where_one_kernel_loses() -> None:
    says("The bytes halve", "For each number the operations grow from 15 to 71", "Both times are equal at")
    found = last("window")
    assert found["moved"] / found["moved_apart"] == pytest.approx(0.5, abs=0.001)
    assert found["work"] / N == 2 * 4 * 8 + 7 and found["work_apart"] / N == pytest.approx(2 * 4 + 7, abs=0.01)
    for name, degree in (("window", 4), ("long", 12)):
        each = last(name)
        ratio = each["speed"] / each["bandwidth"][0]
        assert each["crossing"][0] == pytest.approx((16 * ratio + 1) / (2 * degree + 1), rel=0.3)
    said, measured = found["crossing"]
    assert 0.4 < said / measured < 2.5
    says("With eight uses both take about the same, and with 16 two kernels are clearly faster")
    gain = dict(zip(found["x"].tolist(), found["gain"][1].tolist(), strict=True))
    assert 0.8 < gain[8] < 1.25 and gain[16] < 0.8


def test_our_cost_model_keeps_two() -> None:
    says("compares two such times, and keeps two kernels")
    found = fuse(read(Setting("window", 4, 1 << 20, 8).text).outputs, "cost")
    assert len(found.program.kernels) == 2
    assert any(each.why == "recompute" and not each.joined for each in found.decisions)


def test_inductor_does_not_count_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says("a few heavy functions such as exp or tanh, or more than 50 operations, or more than four reads")
    assert (config.realize_cpu_opcount_threshold, config.realize_reads_threshold) == (50, 4)
    says("Inductor makes a single kernel of it, even for 16 uses")

    class EnoughError(Exception):
        pass

    def enough(*_: Any) -> None:
        raise EnoughError

    # What it writes is known before it is compiled.
    monkeypatch.setattr(inductor.toolchain, "find", lambda _: Toolchain("none", "c++", zig=False))
    monkeypatch.setattr(Toolchain, "run", enough)
    says("Inductor makes one kernel as well, which takes …")
    assert last("beside")["took"][3, 6, 1] < last("beside")["took"][0, 6, 1]
    for setting in (Setting("window", 4, 1 << 12, 16), Setting("gelu", 1, 1 << 12)):
        metrics.reset()
        function = clock.written(setting.python, clock.SPACE)
        with pytest.raises(Exception, match=r"Enough|compile"):
            inductor.compile(function, clock.tensors(setting), tmp_path, 1)
        assert metrics.generated_kernel_count == 1


def test_exercises() -> None:
    says("3 + 2 + 2 + 3 = 10 apart", "`x` and `y` are read and the result is written")
    chain = Setting("chain", 4, N)  # the same four steps, two of them in another order
    assert (arrays(chain), arrays(chain, 4)) == (10, 3)
    says("Far earlier", "grows from 9 to 25")
    assert last("long")["crossing"][0] < 0.7 * last("window")["crossing"][0]


def test_links_lead_to_the_steps_they_mean() -> None:
    stages = [each["stage"] for each in recorded("pytorch/fusion_worth", "window")]
    assert stages[:2] == ["apart", "joined"]
    assert "When fusion pays" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]
