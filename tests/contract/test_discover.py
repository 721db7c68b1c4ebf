"""Finding labs: in packages made for the occasion, so that each mistake can be made once."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from labs import discover

LAB = '''
    """Demo: a lab made for a test."""

    from collections.abc import Iterator
    from dataclasses import dataclass
    from typing import Literal

    from labs.contract import Event


    @dataclass(frozen=True)
    class Params:
        n: int = 1


    @dataclass(frozen=True, kw_only=True)
    class Tick(Event):
        kind: Literal["tick"] = "tick"


    @dataclass(frozen=True, kw_only=True)
    class Tock(Event):
        kind: Literal["tock"] = "tock"


    def run(params: Params) -> Iterator[Tick | Tock]:
        yield Tick(text="Tick.")
    '''

Make = Callable[[dict[str, str]], str]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Writes files below tmp_path and imports them afresh; returns the package's name. Call again after an edit."""
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)

    def forget() -> None:
        for name in set(sys.modules) - known:
            if name.partition(".")[0] in ("made", "other"):
                del sys.modules[name]
        discover._version.cache_clear()
        importlib.invalidate_caches()

    def write(files: dict[str, str]) -> str:
        for name, source in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            for folder in path.relative_to(tmp_path).parents[:-1]:
                (tmp_path / folder / "__init__.py").touch()
            path.write_text(dedent(source), encoding="utf-8")
        forget()
        return "made"

    yield write
    forget()


def test_a_lab_is_a_module_with_params_and_run(make: Make) -> None:
    package = make({"made/series/demo.py": LAB, "made/series/notes.py": '"""Not a lab."""\n'})
    found = discover.find((package,))
    assert list(found) == ["series/demo"]
    lab = found["series/demo"]
    assert (lab.title, lab.summary) == ("Demo", "a lab made for a test.")
    assert [event.__name__ for event in lab.events] == ["Tick", "Tock"]
    assert lab.runs_on == ("cpu",)
    assert not lab.measures
    assert [event.text for event in lab.run(lab.params())] == ["Tick."]


def test_labs_come_in_alphabetical_order(make: Make) -> None:
    package = make({"made/b/one.py": LAB, "made/a/two.py": LAB, "made/a/one.py": LAB})
    assert list(discover.find((package,))) == ["a/one", "a/two", "b/one"]


def test_a_device_parameter_says_where_a_lab_runs(make: Make) -> None:
    source = LAB.replace("n: int = 1", 'device: Literal["cpu", "cuda"] = "cpu"')
    lab = discover.find((make({"made/series/demo.py": source}),))["series/demo"]
    assert lab.runs_on == ("cpu", "cuda")


def test_a_lab_that_measures_says_so(make: Make) -> None:
    package = make({"made/series/demo.py": LAB + "\n    MEASURES = True\n"})
    assert discover.find((package,))["series/demo"].measures


def test_a_lab_whose_runs_are_remembered_says_so(make: Make) -> None:
    package = make({"made/series/demo.py": LAB, "made/series/kept.py": LAB + "\n    HISTORY = True\n"})
    assert {name: lab.history for name, lab in discover.find((package,)).items()} == {
        "series/demo": False,
        "series/kept": True,
    }


def test_a_lab_that_shows_its_python_says_so(make: Make) -> None:
    package = make({"made/series/demo.py": LAB + "\n    SHOWS_PYTHON = True\n"})
    assert discover.find((package,))["series/demo"].shows_python


def test_a_parameter_called_device_says_where_a_lab_runs(make: Make) -> None:
    package = make({"made/series/demo.py": LAB.replace("n: int = 1", "device: int = 768")})
    with pytest.raises(ValueError, match="call this another name"):
        discover.find((package,))


def test_a_lab_that_waits_for_a_device_runs_in_browsers_alone(make: Make) -> None:
    assert [lab.id for lab in discover.find().values() if lab.on_device] == ["speed/matmul_device"]
    waiting = LAB.replace("def run", "async def run").replace("Iterator[Tick", "AsyncIterator[Tick")
    package = make({"made/series/demo.py": waiting.replace("import Iterator", "import AsyncIterator")})
    with pytest.raises(ValueError, match="only a lab for browsers may be an async generator"):
        discover.find((package,))


def test_a_package_that_is_not_installed_is_skipped() -> None:
    assert discover.find(("no_such_package",)) == {}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"""Demo: a lab made for a test."""', "", 'must open with "Title: summary."'),
        ('"""Demo: a lab made for a test."""', '"""A lab without a title."""', 'must open with "Title: summary."'),
        ("params: Params", "params: dict", "signature must be run"),
        ("(params: Params)", "(other: Params)", "signature must be run"),
        (" -> Iterator[Tick | Tock]", "", "must say which events"),
    ],
)
def test_what_is_missing_is_named_with_the_module(make: Make, old: str, new: str, complaint: str) -> None:
    package = make({"made/series/demo.py": LAB.replace(old, new)})
    with pytest.raises(ValueError, match=complaint) as caught:
        discover.find((package,))
    assert "made.series.demo" in str(caught.value)


def test_two_labs_of_one_name_are_refused(make: Make) -> None:
    make({"made/series/demo.py": LAB, "other/series/demo.py": LAB})
    with pytest.raises(ValueError, match=r"made\.series\.demo and other\.series\.demo"):
        discover.find(("made", "other"))


USES = LAB.replace(
    "from labs.contract import Event", "from labs.contract import Event\n    from made.models.tape import UNIT"
)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discover, "SHARED", ("labs.contract", "made.models"))


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("edited", ["made/series/demo.py", "made/models/tape.py", "made/models/units.py"])
def test_the_version_follows_the_source_of_a_lab_and_of_what_it_shares(make: Make, edited: str) -> None:
    files = {
        "made/series/demo.py": USES,
        "made/series/neighbour.py": LAB,
        "made/models/tape.py": "from made.models import units\nUNIT = units.ONE\n",
        "made/models/units.py": "ONE = 1\n",
        "made/models/unused.py": "TWO = 2\n",
    }
    before = discover.find((make(files),))
    make({"made/models/unused.py": "TWO = 3\n"})
    assert discover.find(("made",))["series/demo"].version == before["series/demo"].version
    make({edited: dedent(files[edited]) + "# edited\n"})
    after = discover.find(("made",))
    assert after["series/demo"].version != before["series/demo"].version
    assert after["series/neighbour"].version == before["series/neighbour"].version


ROOM = {
    "made/series/demo/__init__.py": USES.replace(
        "from made.models.tape import UNIT",
        "from made.series.demo.parts import TWO\n    from made.models.tape import UNIT",
    ),
    "made/series/demo/parts.py": "from made.series.demo import more\nTWO = more.TWO\n",
    "made/series/demo/more.py": "TWO = 2\n",
    "made/series/demo/unused.py": "raise RuntimeError('nobody imports it')\n",
    "made/models/tape.py": "UNIT = 1\n",
}


@pytest.mark.usefixtures("shared")
def test_a_lab_may_be_a_room_and_what_lies_in_it_is_no_lab(make: Make) -> None:
    package = make({**ROOM, "made/series/demo/parts.py": LAB + "\n    TWO = 2\n", "made/other/demo.py": LAB})
    found = discover.find((package,))
    assert list(found) == ["other/demo", "series/demo"]
    assert [event.text for event in found["series/demo"].run(found["series/demo"].params())] == ["Tick."]


@pytest.mark.usefixtures("shared")
def test_the_sources_of_a_room_are_its_lab_its_parts_and_what_it_shares(make: Make) -> None:
    make(ROOM)
    found = [name for name in discover.sources("made.series.demo") if not name.startswith("labs.")]
    lab = "made.series.demo"
    assert found == [lab, f"{lab}.more", f"{lab}.parts", "made.models.tape"]


@pytest.mark.usefixtures("shared")
def test_the_version_of_a_room_follows_its_parts(make: Make) -> None:
    before = discover.find((make(ROOM),))["series/demo"].version
    make({"made/series/demo/more.py": "TWO = 1 + 1\n"})
    assert discover.find(("made",))["series/demo"].version != before


@pytest.mark.usefixtures("shared")
def test_a_shared_module_is_no_lab(make: Make) -> None:
    assert list(discover.find((make({"made/models/engine.py": LAB, "made/series/demo.py": LAB}),))) == [
        "series/demo"
    ]
