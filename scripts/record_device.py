"""Record a lab that measures its reader's device: run it in Chromium, as a reader would, and keep the log.

    python scripts/record_device.py speed/matmul_device

The site must be built; the machine should be quiet. A GPU is used where Chromium finds one, and never one that the
processor emulates: what that takes says nothing of a GPU.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from labs.discover import find
from measure.browser import chromium
from measure.serving import serving
from measure.worker import Python
from underhood import record
from underhood.machine.provenance import provenance


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    labs = {lab.id: lab for lab in find().values() if lab.on_device}
    parser.add_argument("labs", nargs="*", choices=[*labs, []], help="which (default: all)")
    for name in parser.parse_args().labs or labs:
        lab, params = labs[name], labs[name].params()
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
            page = browser.new_page()
            page.goto(f"{server.url}/offline/")
            python = Python(page)
            began = provenance(lab.version, "recorded")
            ran = python.run(lab.id, asdict(params))
            if ran.status != "ok":
                sys.stderr.write(f"{lab.id}: {ran.reason}\n")
                return 1
            hardware = {"browser": f"Chromium {browser.version}", **began["hardware"]}
            began |= {"machine": ", ".join(hardware.values()), "hardware": hardware, "versions": python.versions}
        opening = {"kind": "started", "attempt": 1, "provenance": began}
        events = [opening, *ran.events, record.end()]
        made = {"lab": lab.id, "name": "default", "params": asdict(params), "events": events}
        print(f"{lab.id}: {record.write(made, record.RECORDINGS, record.tolerance(lab), lab.measures)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
