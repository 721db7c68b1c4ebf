"""Measures this machine as speed/bench does, and writes one JSON file, which ``/bench/`` shows beside the others.

    python bench_this_machine.py
    python bench_this_machine.py --device cuda --precision bf16 --sizes "1024 2048 4096" --out rented.json

It needs NumPy. PyTorch is measured where it is installed, and an NVIDIA GPU where PyTorch reaches one. With a C
compiler (clang or gcc) our own kernels are measured too, and what the processor can do at most.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from labs.contract import ImpossibleError, LabError, pack
from labs.discover import Lab, find

from underhood.machine.environment import restart_without_tuning
from underhood.machine.hardware import cores
from underhood.machine.measured_file import FORMAT, LAB
from underhood.machine.provenance import has_cuda, provenance

PRECISIONS = {"cpu": ("fp32",), "cuda": ("fp32", "tf32", "bf16")}
SIZES = {"cpu": "64, 128, 256, 512, 768, 1000, 1024", "cuda": "256, 512, 1024, 2048, 4096, 8192"}
MOST_THREADS = 64  # as the lab's parameters say, which are not checked where there is no pydantic
MOST_REPETITIONS = 31

Run = dict[str, Any]


def plan(asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Parameters of each run: by default every device that is here, in the precisions that it is bought for."""
    devices = [asked.device] if asked.device else ["cpu", *(["cuda"] if has_cuda() else [])]
    for device in devices:
        for precision in asked.precision or PRECISIONS[device]:
            yield {
                "device": device,
                "precision": precision,
                "sizes": asked.sizes or SIZES[device],
                "threads": asked.threads if device == "cpu" else 1,
                "repetitions": asked.repetitions,
                "seed": asked.seed,
            }


def measure(lab: Lab, chosen: dict[str, Any]) -> Run:
    """One run to its end. Raises ``LabError`` if it cannot be, or if what came out cannot be true."""
    params = lab.params(**chosen)
    origin = provenance(lab.version, "recorded", chosen["device"])
    event = None
    for event in lab.run(params):
        sys.stdout.write(f"  {event.text}\n")
        sys.stdout.flush()
    return {"lab": lab.id, "params": asdict(params), "provenance": origin, "event": pack(event)}


def dumps(runs: list[Run]) -> str:
    return json.dumps({"format": FORMAT, "runs": runs}, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def fragment(text: str) -> str:
    """What follows the # in a link that carries the file; a browser keeps that to itself."""
    small = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = small.compress(json.dumps(json.loads(text), ensure_ascii=False).encode()) + small.flush()
    return "measured=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def parser() -> argparse.ArgumentParser:
    says = (__doc__ or "").splitlines()[0]
    made = argparse.ArgumentParser(prog="bench_this_machine.py", description=says)
    made.add_argument("--device", choices=("cpu", "cuda"), help="default: all that are here")
    made.add_argument("--precision", nargs="+", choices=("fp32", "fp64", "tf32", "bf16"), metavar="P")
    made.add_argument("--sizes", help='rows and columns, such as "256 512 1000"')
    made.add_argument("--threads", **_within(1, MOST_THREADS), default=min(cores(), MOST_THREADS))
    made.add_argument("--repetitions", **_within(3, MOST_REPETITIONS), default=7)
    made.add_argument("--seed", **_within(0, 2**31 - 1), default=0)
    made.add_argument("--out", type=Path, default=Path("bench.json"), help="default: %(default)s")
    made.add_argument("--link", metavar="URL", help="print a link to this /bench/ that carries the file")
    return made


def _within(least: int, most: int) -> dict[str, Any]:
    return {"type": int, "choices": range(least, most + 1), "metavar": "N", "help": f"{least} to {most}"}


def main(arguments: list[str] | None = None) -> int:
    asked = parser().parse_args(arguments)
    lab, runs = find()[LAB], list[Run]()
    for chosen in plan(asked):
        sys.stdout.write(f"{chosen['device']}, {chosen['precision']}:\n")
        try:
            runs.append(measure(lab, chosen))
        except (LabError, ImpossibleError) as problem:
            sys.stderr.write(f"  not kept: {problem}\n")
    if not runs:
        return 1
    asked.out.write_text(dumps(runs), encoding="utf-8")
    sys.stdout.write(f"{asked.out}: {len(runs)} run{'s' if len(runs) > 1 else ''}. Drop it on /bench/.\n")
    if asked.link:
        sys.stdout.write(f"{asked.link.partition('#')[0]}#{fragment(dumps(runs))}\n")
    return 0


if __name__ == "__main__":
    restart_without_tuning()
    sys.exit(main())
