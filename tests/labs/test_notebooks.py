"""A notebook runs where Underhood is not, and makes the events that Underhood makes."""

import re
import sys
from pathlib import Path

import default_runs
from labs.contract import Sentence
from labs.discover import Lab, find
from notebook_runs import events, printed
from underhood.author.compare_logs import first_difference
from underhood.author.notebook import notebook
from underhood.machine.provenance import has_cuda

HERE = [lab for lab in find().values() if not lab.on_device and (has_cuda() or lab.runs_on != ("cuda",))]
LABS = default_runs.each(HERE)


@LABS
def test_it_runs_where_nothing_of_ours_is_installed(lab: Lab, kept: Path) -> None:
    made = events(lab, kept)
    assert f"   1  {Sentence.unpacked(made[0]['text'])}" in printed(lab, kept)
    if not lab.measures:  # each run finds its own times; test_every_lab looks at what this one found
        assert first_difference(default_runs.events(lab), made, rel=1e-9) is None


@LABS
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
