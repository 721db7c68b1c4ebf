"""A notebook runs where Underhood is not, and makes the events that Underhood makes."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from labs.contract import pack
from labs.discover import Lab, find
from underhood.author.compare_logs import first_difference
from underhood.author.notebook import notebook
from underhood.machine.provenance import has_cuda

LABS = [lab for lab in find().values() if not lab.on_device and (has_cuda() or lab.runs_on != ("cuda",))]
PACK = "\nimport json\nfrom labs.contract import pack\nprint(); print(json.dumps([pack(e) for e in events]))"


def script(made: dict[str, Any]) -> str:
    """The code cells one after the other, each compiled by itself, as a notebook's kernel does."""
    cells = ["".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "code"]
    each = (f"exec(compile({cell!r}, 'cell', 'exec', dont_inherit=True), globals())" for cell in [*cells, PACK])
    return "\n".join(each)


def outside(folder: Path, lab: Lab) -> str:
    """A Python's start: its standard library and what a reader has installed, without any package of ours."""
    site = Path(str(importlib.util.find_spec("numpy").submodule_search_locations[0])).parent  # type: ignore
    if lab.module.startswith("native."):
        return f"import sys; sys.path.append({str(site)!r})\n"  # editable installs are found by `site` alone
    for name in ("numpy", "numpy.libs"):
        if (site / name).exists():
            (folder / name).symlink_to(site / name)
    return f"import sys; sys.path.append({str(folder)!r})\n"


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_it_runs_where_nothing_of_ours_is_installed(lab: Lab, tmp_path: Path) -> None:
    start = outside(tmp_path, lab)
    (tmp_path / "run.py").write_text(start + script(notebook(lab)), "utf-8")
    gone = subprocess.run([sys.executable, "-I", "-S", "-c", start + "import labs"], capture_output=True)
    assert gone.returncode, "labs would be found without the notebook"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "run.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    made = json.loads(done.stdout.splitlines()[-1])
    ours = [pack(event) for event in lab.run(lab.params())]
    if lab.measures:  # each run finds its own times
        assert [event.keys() for event in made] == [event.keys() for event in ours]
        ours = made
    assert first_difference(ours, made, rel=1e-9) is None
    assert f"   1  {ours[0]['text']}" in done.stdout


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_it_is_a_valid_notebook(lab: Lab) -> None:
    made = notebook(lab)
    assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
    assert made["metadata"]["kernelspec"].keys() == {"display_name", "language", "name"}
    ids = [cell["id"] for cell in made["cells"]]
    assert len({*ids}) == len(ids)
    for cell in made["cells"]:
        assert re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", cell["id"])
        keys = {"cell_type", "id", "metadata", "source"}
        assert cell.keys() == (keys | {"execution_count", "outputs"} if cell["cell_type"] == "code" else keys), (
            cell["id"]
        )
        assert all(line.endswith("\n") for line in cell["source"][:-1])
    (source,) = (cell for cell in made["cells"] if cell["id"] == "source")
    assert "".join(source["source"]) == Path(str(sys.modules[lab.module].__file__)).read_text("utf-8")
    (tagged,) = (cell for cell in made["cells"] if "parameters" in cell["metadata"].get("tags", ()))
    assert "".join(tagged["source"]).startswith("params = Params(\n")
