"""The lines that the figure of a CUDA kernel shows are lines of the kernel that runs."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "wasm" / "kernels" / "extension.cu"
SHOWN = ROOT / "frontend" / "src" / "figures" / "pytorch" / "cuda_extension" / "host.ts"


def test_the_kernels_of_the_figure_are_those_of_the_source() -> None:
    text = SHOWN.read_text("utf-8")
    kernels = re.findall(r"^  (\w+): \{\n(.*?)^  \},", text, re.MULTILINE | re.DOTALL)
    source = dict(
        re.findall(r"^KERNEL (\w+)\(.*?\) \{.*?\n(.*?)^\}", SOURCE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    )
    assert kernels and {name for name, _ in kernels} == set(source)
    for name, shown in kernels:
        there = [line.strip().removesuffix(" {") for line in source[name].splitlines()]
        lines = re.findall(r'"(.*?)"', shown)
        places = [there.index(line) for line in lines]  # raises where the kernel has no such line
        assert places == sorted(places) and "GUARD(i < n)" in there[places[-2] : places[-1]], name
