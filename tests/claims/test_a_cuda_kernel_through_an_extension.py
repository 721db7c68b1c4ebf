"""What the chapter on CUDA kernels says, asked of its lab, of torch and of torch's headers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import torch
from article import Article, recorded
from native.models.kernel import KERNELS
from native.pytorch.cuda_extension import Launch, Params, run

says = Article("pytorch/10-a-cuda-kernel-through-an-extension.mdx").says
ROOT = Path(__file__).parents[2]
HEADERS = Path(torch.__file__).parent / "include"


def last(**params: Any) -> Launch:
    *_, event = run(Params(**params))
    return event


def state(event: Launch, name: str) -> str:
    return next(check.state for check in event.checks if check.name == name)


def constant(name: str) -> int:
    found = re.search(rf"{name} = (\d+)", (HEADERS / "c10/core/AllocatorConfig.h").read_text())
    assert found
    return int(found[1])


def test_blocks_and_elements() -> None:
    says("Four blocks of 32 threads compute `y = 2x + 1` for 100 numbers", "Here there are …, hollow")
    plain = last()
    assert (plain.blocks, plain.threads_per_block, plain.n, plain.idle) == (4, 32, 100, 28)
    assert recorded("pytorch/cuda_extension")[-1]["idle"] == 28
    says("int i = blockIdx.x * blockDim.x + threadIdx.x;", "y[i] = 2 * x[i] + 1;")
    source = (KERNELS / "extension.cu").read_text()
    assert "int i = blockIdx.x * blockDim.x + threadIdx.x;" in source and "y[i] = 2 * x[i] + 1;" in source
    says("beside them the six checks")
    assert len(plain.checks) == 6


def test_without_the_guard() -> None:
    says("All results stay right. Beyond the end of `y`, … numbers are overwritten")
    bare = last(no_guard=True)
    assert bare.wrong == 0
    assert bare.damaged == recorded("pytorch/cuda_extension", "unguarded")[-1]["damaged"] == 28
    says(
        "each rounded up to a multiple of 512 bytes",
        "The 128 threads write exactly 512",
        "the kernel writes 1,024 bytes",
    )
    assert constant("kMinBlockSize") == 512 and constant("kSmallBuffer") > 4 * 512
    written = [4 * (100 + last(no_guard=True, threads=threads).damaged) for threads in (32, 256)]
    assert written == [512, 1024]


def test_a_sum_goes_on_into_the_next_row() -> None:
    says("the sum of a row goes on into the next row")
    event = last(kernel="row_sum", no_guard=True)
    assert event.wrong == 4 and int((event.x == 3).sum()) == 3 * 7


def test_rounding_down_and_the_loop() -> None:
    says("the last … elements are never written", "Both mistakes vanish when $t$ divides $n$")
    assert last(round_down=True).missed == recorded("pytorch/cuda_extension", "rounded_down")[-1]["missed"] == 4
    even = last(round_down=True, no_guard=True, columns=32)
    assert even.wrong == even.damaged == 0
    says("Any number of blocks then covers all elements, as two blocks do here")
    loop = last(kernel="strided")
    assert loop.blocks == 2 and loop.wrong == 0


def test_order_and_type() -> None:
    says("the kernel gets … of 100 results wrong. Each of them is a right result in the wrong place")
    assert last(tensor="x.T", no_contiguous=True).wrong == 96
    assert recorded("pytorch/cuda_extension", "transposed")[-1]["wrong"] == 96
    x = torch.arange(100.0).view(4, 25)
    memory = 2 * x.flatten() + 1
    right = 2 * x.T.flatten() + 1
    says("The average of `y` comes out right")
    assert sorted(memory.tolist()) == sorted(right.tolist()) and int((memory != right).sum()) == 96
    says("it costs nothing if the order is already right")
    assert x.contiguous().data_ptr() == x.data_ptr()
    says("and stops after half of the memory", '"expected scalar type Float but found Double"')
    double = last(tensor="x.double()", no_dtype=True)
    assert int(np.isin(double.x, (2,)).sum()) == 100 and int(np.isin(double.x, (1,)).sum()) == 100
    assert last(tensor="x.double()").error == "expected scalar type Float but found Double"


def test_stream_and_launch() -> None:
    says("it lets the kernel run when half of `x` has been written")
    assert last(other_stream=True).wrong == 50
    says("A block has at most 1,024 threads", "nothing is raised, and `y` keeps its old contents")
    assert last(threads=1024).stage == "result"
    silent = last(threads=1025, no_error_check=True)
    assert silent.error == "" and silent.missed == 100
    says("`C10_CUDA_KERNEL_LAUNCH_CHECK()` on the next line asks for the error")
    header = (HEADERS / "c10/cuda/CUDAException.h").read_text()
    assert "define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())" in header


def test_the_exercises() -> None:
    says("Four blocks are 1,024 threads, and 24 of them have no element")
    event = last(columns=250, threads=256)
    assert (event.n, event.blocks, event.idle) == (1000, 4, 24)
    says("Three blocks are 768 threads. 232 elements would never be written")
    assert last(columns=250, threads=256, round_down=True).missed == 232
    says("The guard makes no result of this call wrong")
    wrong = [last(**each).wrong for each in ({"no_guard": True}, {"round_down": True})]
    assert wrong == [0, 4] and state(last(no_guard=True), "guard") == "missed"


def test_on_a_gpu() -> None:
    says("We did that on an H200 with 150 calls drawn at random")
    assert "range(150)" in (ROOT / "tests/gpu/test_extension.py").read_text()
    for name in ("gpu", "gpu_unguarded"):
        end = recorded("pytorch/cuda_extension", name)[-1]
        assert end["agrees"] and "H200" in end["gpu"]
