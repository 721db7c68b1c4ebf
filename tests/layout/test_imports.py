"""Who may import whom among our Python modules.

The rules are contracts of import-linter in pyproject.toml. Here each is shown to bite, and what none of them can
say is checked on the same graph.
"""

import graphlib
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from pathlib import Path

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from labs import discover

ROOT = Path(__file__).parents[2]
RULES = read_configuration(str(ROOT / "pyproject.toml"))
PACKAGES = RULES["session_options"]["root_packages"]
CONTRACTS = {each["name"]: each for each in RULES["contracts_options"]}
TYPES = {"forbidden": ForbiddenContract, "independence": IndependenceContract, "layers": LayersContract}
GRAPH = grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)
OURS = {name for name in GRAPH.modules if name.partition(".")[0] in PACKAGES}
SHARED = ("labs.contract", "labs.models", "native.models")


def imported(module: str) -> set[str]:
    return GRAPH.find_modules_directly_imported_by(module)


def under(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_the_contracts_are_kept() -> None:
    lint = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    done = subprocess.run(lint, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


EACH = "labs know neither each other nor where they run"
LEAF = "the contract of labs imports nothing of ours"
PORTABLE = "portable labs know the contract and the models"
NATIVE = "native labs need no web application"
BY_NAME = "discovery and the application find labs and name none"
BARE = "the recorder runs where the web application is not installed"
ROOMS = "the rooms of the application import downwards"
BREAKING = [
    (EACH, "labs.learning.number_line", "labs.learning.uniform_quantization"),
    (EACH, "labs.bits.float_bits", "labs.bits.hash_table.table"),
    (EACH, "labs.models.c", "labs.bits.hash_table.table"),
    (EACH, "labs.models.c", "labs.learning.number_line"),
    (EACH, "native.bits.alloc_cost", "labs.bits.hash_table.table"),
    (EACH, "native.speed.bench", "native.speed.roofline"),
    (EACH, "native.models.timing", "native.speed.bench"),
    (LEAF, "labs.contract", "labs.models.quantize"),
    (LEAF, "labs.contract", "labs.discover"),
    (PORTABLE, "labs.learning.number_line", "native.models.timing"),
    (PORTABLE, "labs.models.quantize", "underhood.settings"),
    (NATIVE, "native.speed.bench", "fastapi"),
    (NATIVE, "native.models.timing", "pydantic"),
    (NATIVE, "native.speed.bench", "underhood.record"),
    (BY_NAME, "underhood.web.api", "labs.learning.number_line"),
    (BY_NAME, "underhood.runs.engine", "labs.bits.hash_table.table"),
    (BY_NAME, "underhood.web.api", "native.models.timing"),
    (BY_NAME, "labs.discover", "labs.models.quantize"),
    (BARE, "underhood.record", "underhood.contract.validation"),
    (BARE, "underhood.machine.provenance", "rich"),
    (ROOMS, "underhood.runs.engine", "underhood.web.api"),
    (ROOMS, "underhood.stores.store", "underhood.runs.engine"),
    (ROOMS, "underhood.confine.sandbox", "underhood.settings"),
    (ROOMS, "underhood.runs.local", "underhood.workers.remote"),
    (ROOMS, "underhood.settings", "underhood.cli"),
]


def kept(contract: str, graph: grimp.ImportGraph) -> bool:
    options = CONTRACTS[contract]
    made = TYPES[options["type"]](contract, RULES["session_options"], options)
    return bool(made.check(graph, verbose=False).kept)


@pytest.mark.parametrize(("contract", "importer", "of"), BREAKING)
def test_a_contract_bites(contract: str, importer: str, of: str) -> None:
    graph = deepcopy(GRAPH)
    assert importer in OURS and (of in OURS or not under(of, *PACKAGES))
    graph.add_import(importer=importer, imported=of)
    assert not kept(contract, graph)


def test_a_new_room_is_placed() -> None:
    graph = deepcopy(GRAPH)
    graph.add_module("underhood.cellar")
    assert not kept(ROOMS, graph)


def test_each_contract_is_shown_to_bite() -> None:
    assert {contract for contract, _, _ in BREAKING} == CONTRACTS.keys()


def foreign(modules: set[str]) -> set[str]:
    """What these modules import that is neither ours nor Python's own."""
    names = {name.partition(".")[0] for module in modules for name in imported(module)}
    return names - {*PACKAGES} - sys.stdlib_module_names


def test_what_is_portable_needs_numpy_alone() -> None:
    assert foreign({"labs.discover"}) == set()
    assert foreign({"labs.contract"}) == {"numpy", "annotated_types"}
    rest = {name for name in OURS if under(name, "labs")} - {"labs.discover", "labs.contract"}
    assert foreign(rest) == {"numpy"}


def test_the_recorder_needs_little_more() -> None:
    needed = GRAPH.find_upstream_modules("underhood.record") | {"underhood.record"}
    assert foreign(needed & OURS) == {"numpy", "annotated_types"}


@pytest.mark.parametrize(
    "lab", sorted(name for name in OURS if under(name, "labs", "native") and name.count(".") == 2)
)
def test_a_version_hangs_on_all_that_a_lab_imports(lab: str) -> None:
    """Discovery reads imports off the lines; here they are read by a parser. A lab's own parts lie beneath it."""
    pending, shared = [lab], {lab}
    while pending:
        new = {name for name in imported(pending.pop()) if under(name, *SHARED, lab)} - shared
        shared |= new
        pending += new
    found = discover.sources(lab)
    assert shared <= set(found)
    assert all(found[name].name == "__init__.py" for name in set(found) - shared), "packages come along, no more"


def test_no_import_cycles() -> None:
    """Names that only a type checker reads may go round."""
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    try:
        graphlib.TopologicalSorter(
            {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
        ).prepare()
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
