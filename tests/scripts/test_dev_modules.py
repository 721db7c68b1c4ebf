"""What `make dev` drops when a file changes is all that knows what was in it, and no more."""

import sys
from pathlib import Path
from types import ModuleType

from labs.discover import find

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import dev_modules
from dev_modules import ROOT


def test_whoever_holds_something_of_a_module_is_old_with_it() -> None:
    find()
    modules = dev_modules.loaded()
    held = {
        (of, name)
        for name in modules
        for value in vars(sys.modules[name]).values()
        if (of := value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None))
        in modules
        and not of.startswith(
            f"{name}."
        )  # a package has what lies in it as an attribute, and forget() deletes that
    }
    assert len(held) > len(modules)
    for module in {of for of, _ in held}:
        old = dev_modules.old({modules[module].file}, modules)
        assert {name for of, name in held if of == module} <= old


def test_what_has_nothing_to_do_with_it_stays() -> None:
    find()
    modules = dev_modules.loaded()
    lab, helper = (ROOT / "wasm" / "labs" / path for path in ("learning/number_line.py", "models/quantize.py"))
    assert dev_modules.old({str(lab)}, modules) == {"labs.learning.number_line"}
    users = dev_modules.old({str(helper)}, modules)
    assert {"labs.models.quantize", "labs.learning.number_line"} <= users
    assert not [name for name in users if name.startswith("labs.bits.")]
    assert dev_modules.old({str(ROOT / "wasm" / "labs" / "learning" / "new.py")}, modules) == set()


def test_a_file_that_is_saved_made_or_deleted_differs() -> None:
    before = {"saved": (1, 5), "grown": (1, 5), "deleted": (1, 5), "same": (1, 5)}
    now = {"saved": (2, 5), "grown": (1, 6), "made": (2, 5), "same": (1, 5)}
    assert dev_modules.differing(before, now) == {"saved", "grown", "deleted", "made"}
