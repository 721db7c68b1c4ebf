"""What the tests of every lab share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from extent import ALL
from labs.discover import Lab


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this session, the same for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen-") else base) / "notebook-runs"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def budget(request: pytest.FixtureRequest) -> Iterator[None]:
    """What holds for every lab is seen in one run of a lab that measures: those take seconds, each time anew."""
    lab = getattr(request.node, "callspec", None) and request.node.callspec.params.get("lab")
    if ALL or not isinstance(lab, Lab) or not lab.measures:
        yield
        return
    run, runs = lab.run, []

    def counted(params: Any) -> Any:
        runs.append(params)
        return run(params)

    object.__setattr__(lab, "run", counted)
    yield
    object.__setattr__(lab, "run", run)
    assert len(runs) <= 1, f"{lab.id} measures, and was run {len(runs)} times"
