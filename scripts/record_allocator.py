"""Record what PyTorch's allocator does with the traces of ``pytorch/caching_allocator`` on a GPU.

    PYTHONPATH=backend:wasm python scripts/record_allocator.py OUT.npz

Each case is a run with limited memory (``set_per_process_memory_fraction``): the address of every tensor in units
of 512 bytes, and what is reserved (MiB) and allocated (in these units) after every request. Settings are read when
a process starts, so each has one of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from labs.models.allocator.blocks import MIB, SMALLEST
from labs.models.allocator.traces import lengths, trace
from labs.pytorch.caching_allocator import Params
from underhood.machine.provenance import provenance

CASES: list[dict[str, Any]] = [
    *({"length": "varying", "seed": seed} for seed in range(4)),
    {"length": "growing"},
    {"length": "equal"},
    {"length": "varying", "memory": 680},
    {"length": "varying", "memory": 2048, "batch": 7, "longest": 500, "seed": 5},
    {"length": "varying", "streams": 2, "memory": 1024},
    {"length": "growing", "streams": 2, "memory": 1024, "seed": 3},
]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"expandable": True},
    *({"max_split": size} for size in ("24", "48", "64")),
    *({"collect": share} for share in ("0.5", "0.6", "0.8")),
]


MESSAGE = re.compile(r"GPU 0 has.*?allowed; |If reserved but.*", re.DOTALL)
"""What of it tells of the machine and its other processes, and the advice"""


def configured(setting: dict[str, Any]) -> str:
    names = {
        "expandable": "expandable_segments",
        "max_split": "max_split_size_mb",
        "collect": "garbage_collection_threshold",
    }
    return ",".join(f"{names[key]}:{value}" for key, value in setting.items())


def recorded(case: dict[str, Any]) -> dict[str, Any]:
    """In a process whose allocator is set up already."""
    import torch

    params = Params(**case)
    total = torch.cuda.get_device_properties().total_memory
    torch.cuda.set_per_process_memory_fraction((params.memory * MIB + 65536) / total)
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    living: dict[int, Any] = {}
    found, message = list[tuple[int, int, int]](), ""
    of = lengths(params.length, params.steps, params.longest, params.seed)
    for request in trace(params.batch, of, params.streams):
        at = 0
        if request.size:
            try:
                with torch.cuda.stream(side if request.stream else torch.cuda.default_stream()):
                    made = torch.empty(request.size, dtype=torch.uint8, device="cuda")
            except torch.OutOfMemoryError as error:
                message = MESSAGE.sub("", str(error))
                break
            if request.shared:
                made.record_stream(torch.cuda.default_stream())
            living[request.owner], at = made, made.data_ptr() // SMALLEST
            del made
        else:
            del living[request.owner]
            torch.cuda.synchronize()  # what waits for a stream waits no longer than until the next request
        found.append((at, torch.cuda.memory_reserved() // MIB, torch.cuda.memory_allocated() // SMALLEST))
    living.clear()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    assert not torch.cuda.memory_reserved()
    return {"case": case, "found": relative(np.array(found, np.int64)), "message": message}


def relative(found: Any) -> Any:
    """Addresses from the lowest on, which is 1: 0 stays where there is none."""
    given = found[:, 0] > 0
    found[given, 0] -= found[given, 0].min() - 1
    return found.astype(np.int32)


def read(path: Path) -> list[dict[str, Any]]:
    kept = np.load(path)
    return [{**case, "found": kept[f"found_{n}"]} for n, case in enumerate(json.loads(str(kept["cases"])))]


def main() -> None:
    if len(sys.argv) == 3:
        log = [recorded(case) for case in json.loads(sys.argv[2])]
    else:
        with tempfile.TemporaryDirectory() as folder:
            parts = [Path(folder) / f"{n}.npz" for n in range(len(SETTINGS))]
            asked = [json.dumps([{**case, **setting} for case in CASES]) for setting in SETTINGS]
            running = [
                subprocess.Popen(
                    [sys.executable, __file__, str(part), cases],
                    env={**os.environ, "PYTORCH_ALLOC_CONF": configured(setting)},
                )
                for part, cases, setting in zip(parts, asked, SETTINGS, strict=True)
            ]
            codes = [each.wait() for each in running]
            assert not any(codes), codes
            log = [each for part in parts for each in read(part)]
    found = {f"found_{n}": each.pop("found") for n, each in enumerate(log)}
    facts = provenance("", "recorded", "cuda")
    np.savez_compressed(sys.argv[1], facts=json.dumps(facts), cases=json.dumps(log), **found)


if __name__ == "__main__":
    main()
