"""A lab is one room: what it alone uses lies in its package, and ``models`` holds what two or more labs reach."""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from labs.discover import Lab, find, sources

ROOT = Path(__file__).parents[2]
TREES = (ROOT / "wasm" / "labs", ROOT / "backend" / "native")
FOR_THE_SITE = {"native.models.device_kernel"}  # what the build compiles for browsers; no lab of a server runs it
LABS = find()


def modules_below(folder: Path) -> set[str]:
    """The modules in a folder; packages hold their modules together and are used with them, and a program that a
    lab starts by the name of its room is imported by nobody."""
    tree = next(tree for tree in TREES if folder.is_relative_to(tree))
    files = (
        path.relative_to(tree.parent)
        for path in folder.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
    )
    return {".".join(path.with_suffix("").parts) for path in files}


def room(lab: Lab) -> set[str]:
    own = Path(str(sys.modules[lab.module].__file__))
    return modules_below(own.parent) if own.name == "__init__.py" else set()


def misplaced(models: Iterable[str], needed: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Which modules fewer than two labs reach, and which lab that is; ``needed`` says what each lab reaches."""
    users = defaultdict[str, list[str]](list)
    for lab, names in needed.items():
        for name in names:
            users[name].append(lab)
    return {name: users[name] for name in models if len(users[name]) < 2}


def test_models_holds_what_two_or_more_labs_reach() -> None:
    models = {name for tree in TREES for name in modules_below(tree / "models")} - FOR_THE_SITE
    alone = misplaced(models, {lab.id: sources(lab.module) for lab in LABS.values()})
    assert not alone, f"move each into the room of its lab: {alone}"


def test_a_module_of_one_lab_is_named_with_it() -> None:
    needed = {"a/b": ["models.shared", "models.lonely"], "a/c": ["models.shared"]}
    assert misplaced(["models.shared", "models.lonely", "models.unused"], needed) == {
        "models.lonely": ["a/b"],
        "models.unused": [],
    }


def test_a_series_holds_labs_and_nothing_else() -> None:
    """What lies beside the labs would be in no room, and discovery would import it every time."""
    beside = {path for tree in TREES for path in (*tree.glob("*/[!_]*.py"), *tree.glob("*/*/__init__.py"))}
    labs = {sources(lab.module)[lab.module] for lab in LABS.values()}
    assert {path for path in beside if "models" not in path.parts} == labs


@pytest.mark.parametrize("lab", [lab for lab in LABS.values() if room(lab)], ids=lambda lab: lab.id)
def test_a_room_holds_what_its_lab_uses(lab: Lab) -> None:
    assert room(lab) <= {*sources(lab.module)}


@pytest.mark.parametrize("lab", [lab for lab in LABS.values() if room(lab)], ids=lambda lab: lab.id)
def test_no_part_takes_the_name_of_something_in_its_lab(lab: Lab) -> None:
    """Python puts a part that is imported into the package, by its name: over a ``run`` that the lab defines."""
    module = sys.modules[lab.module]
    own = {name for name, value in vars(module).items() if getattr(value, "__module__", None) == lab.module}
    assert not own & {name.rpartition(".")[2] for name in room(lab)}
