"""Who may import whom among our Python modules: each rule is one line here, and each is shown to bite."""

import ast
import graphlib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from labs import discover

ROOT = Path(__file__).parents[2]
TREES = {"labs": ROOT / "wasm", "native": ROOT / "backend", "underhood": ROOT / "backend"}
WEB = ("fastapi", "starlette", "uvicorn", "pydantic", "rich")
SHARED = ("labs.contract", "labs.models", "native.models")
BARE = (
    "underhood.record",
    "underhood.author.compare_logs",
    "underhood.machine.provenance",
    "underhood.machine.environment",
)  # run where only NumPy and PyTorch are


def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name."""
    found = {}
    for package, tree in TREES.items():
        for path in sorted((tree / package).rglob("*.py")):
            parts = path.relative_to(tree).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(source: str, typing_too: bool = True) -> Iterator[str]:
    """The modules that a source file names in an import, wherever it stands; all imports are absolute."""
    pending: list[ast.AST] = [ast.parse(source)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and not typing_too:
            pending += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports hide from whom a module takes"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else str(node.module) for name in names)
        pending += ast.iter_child_nodes(node)


def under(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def room(module: str) -> list[str]:
    """The parts that a lab alone uses lie beneath it: the lab and each of them may use them, and nobody else."""
    lab = ".".join(module.split(".")[:3])
    return [name for name in MODULES if lab.count(".") == 2 and name.startswith(f"{lab}.")]


def allowed(module: str, imported: str) -> bool:
    """May ``module`` import ``imported``?"""
    ours, standard = under(imported, *TREES), imported.partition(".")[0] in sys.stdlib_module_names
    if module in ("labs.contract", "labs.discover"):
        return standard or (module == "labs.contract" and under(imported, "numpy", "annotated_types"))
    if under(module, "labs"):
        return standard or under(imported, "numpy", "labs.contract", "labs.models", *room(module))
    if under(module, "native"):
        return under(imported, *SHARED, *room(module)) if ours else not under(imported, *WEB)
    if module in BARE:
        return standard or under(imported, "numpy", "labs.contract", "labs.discover", *BARE)
    return under(imported, "labs.contract", "labs.discover", "underhood") or not ours


@pytest.mark.parametrize(
    "lab", [name for name in MODULES if under(name, "labs", "native") and name.count(".") == 2]
)
def test_a_version_hangs_on_all_that_a_lab_imports(lab: str) -> None:
    """Discovery reads imports off the lines; here they are read by Python's own parser."""
    pending, shared, beneath = [lab], {lab}, room(lab)
    while pending:
        source = MODULES[pending.pop()].read_text(encoding="utf-8")
        new = {name for name in imports(source) if under(name, *SHARED, *beneath)} - shared
        shared |= new
        pending += new
    found = discover.sources(lab)
    assert shared <= set(found)
    assert all(found[name].name == "__init__.py" for name in set(found) - shared), "packages come along, no more"


@pytest.mark.parametrize("module", MODULES)
def test_imports_follow_the_table(module: str) -> None:
    source = MODULES[module].read_text(encoding="utf-8")
    wrong = sorted({name for name in imports(source) if not allowed(module, name)})
    assert not wrong, f"{module} must not import {', '.join(wrong)}"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("labs.contract", "import labs.models.quantize"),
        ("labs.contract", "import pydantic"),
        ("labs.models.tape", "from labs.learning import number_line"),
        ("labs.learning.a", "from labs.learning.b import run"),
        ("labs.learning.a", "def f():\n    import torch"),
        ("labs.learning.a", "from native.models import timing"),
        ("labs.bits.float_bits", "from labs.bits.hash_table.table import Table"),
        ("labs.bits.hash_table.table", "from labs.bits.hash_table import Params"),
        ("labs.models.c", "from labs.bits.hash_table.table import Table"),
        ("native.bits.a", "from labs.bits.hash_table.table import Table"),
        ("underhood.api", "from labs.bits.hash_table.table import Table"),
        ("native.learning.a", "import fastapi"),
        ("native.learning.a", "from native.learning.b import run"),
        ("native.learning.a", "from underhood.record import record"),
        ("underhood.web.api", "from labs.learning.number_line import run"),
        ("underhood.web.api", "import native.models"),
        ("underhood.record", "from underhood.contract.validation import validate"),
        ("underhood.machine.provenance", "import rich"),
    ],
)
def test_the_table_bites(module: str, source: str) -> None:
    assert [name for name in imports(source) if not allowed(module, name)]


def test_no_import_cycles() -> None:
    graph = {
        module: {name for name in imports(path.read_text(encoding="utf-8"), typing_too=False) if name in MODULES}
        for module, path in MODULES.items()
    }
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail(f"an import cycle: {' <- '.join(error.args[1])}")


def test_finding_labs_imports_nothing_heavy() -> None:
    """A server, a command line and Pyodide all find the labs at start; only a run may pay for torch."""
    code = (
        "import sys; from labs.discover import find; assert find(); "
        "print(*{'torch', 'sklearn', 'pydantic', 'scipy'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_no_two_test_files_share_a_name() -> None:
    """pytest imports what is in no package by its bare name: two of a name end the whole suite before it starts."""
    files = [path for path in (ROOT / "tests").rglob("*.py") if not (path.parent / "__init__.py").exists()]
    names = Counter(path.name for path in files)
    twice = [path for path in files if names[path.name] > 1 and path.name != "conftest.py"]
    assert not twice, f"share a name: {[str(path.relative_to(ROOT)) for path in twice]}"
