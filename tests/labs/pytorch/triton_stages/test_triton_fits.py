"""Occupancy, against the header with which NVIDIA computes it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
from native.models.occupancy import ROOMS, limits

PROGRAM = """
#include <stdio.h>
#include <string.h>
#include "cuda_occupancy.h"
int main(void) {
    int arch, threads, warps, registers, shared, room, block;
    while (scanf("%d %d %d %d %d %d %d", &arch, &threads, &warps, &registers, &shared, &room, &block) == 7) {
        struct cudaOccDeviceProp p; struct cudaOccFuncAttributes a;
        struct cudaOccDeviceState s; struct cudaOccResult r;
        memset(&p, 0, sizeof p), memset(&a, 0, sizeof a), memset(&s, 0, sizeof s), memset(&r, 0, sizeof r);
        p.computeMajor = arch / 10, p.computeMinor = arch % 10;
        p.maxThreadsPerBlock = 1024, p.maxThreadsPerMultiprocessor = threads;
        p.regsPerBlock = p.regsPerMultiprocessor = 65536, p.warpSize = 32, p.sharedMemPerBlock = 49152;
        p.sharedMemPerMultiprocessor = room, p.numSms = 100, p.sharedMemPerBlockOptin = block;
        p.reservedSharedMemPerBlock = 1024;
        a.maxThreadsPerBlock = 1024, a.numRegs = registers, a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        a.maxDynamicSharedSizeBytes = shared;
        s.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
        cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &s, warps * 32, shared);
        printf("%d\\n", r.activeBlocksPerMultiprocessor);
    }
}
"""


def test_occupancy_is_what_nvidia_s_header_computes(tmp_path: Path) -> None:
    import triton

    include = Path(triton.__file__).parent / "backends/nvidia/include"
    (tmp_path / "program.c").write_text(PROGRAM)
    build = ["gcc", "-w", f"-I{include}", "-o", tmp_path / "program", tmp_path / "program.c"]
    subprocess.run(build, check=True, timeout=60)
    random = np.random.default_rng(5)
    cases = [
        (
            arch,
            int(2 ** random.integers(4)),
            int(random.integers(16, 256)),
            int(random.choice([0, random.integers(240000)])),
        )
        for arch in ROOMS
        for _ in range(300)
    ]
    asked = "\n".join(
        f"{arch} {32 * ROOMS[arch].warps} {warps} {registers} {shared} {ROOMS[arch].shared} {ROOMS[arch].block}"
        for arch, warps, registers, shared in cases
    )
    done = subprocess.run([tmp_path / "program"], input=asked, capture_output=True, text=True, check=True)
    for case, theirs in zip(cases, map(int, done.stdout.split()), strict=True):
        assert min(each.blocks for each in limits(*case, 0)) == theirs, case
