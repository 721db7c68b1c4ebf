"""Which wheel is installed: our platforms against those that packaging finds there, winners by the rule."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from labs.contract import LabError
from native.pytorch.wheel_tags import Params, Resolve, run
from native.pytorch.wheel_tags.platforms import accepted, manylinux, platforms
from packaging import _manylinux, _musllinux
from packaging.tags import parse_tag

PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("glibc", [5, 12, 16, 17, 28, 36, 44])
def test_the_platforms_of_linux_are_those_of_packaging(machine: str, glibc: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(_manylinux, "_get_glibc_version", lambda: (2, glibc))
    monkeypatch.setattr(_manylinux, "_have_compatible_abi", lambda *_: True)
    assert list(manylinux(glibc, machine)) == list(_manylinux.platform_tags([machine]))


def test_the_platforms_of_musl_are_those_of_packaging(monkeypatch: Any) -> None:
    monkeypatch.setattr(_musllinux, "_get_musl_version", lambda _: _musllinux._MuslVersion(1, 2))
    ours = list(platforms(Params(system="Linux, musl")))
    assert ours == ["linux_x86_64", *_musllinux.platform_tags(["x86_64"])]


SETTINGS = [
    Params(python, system, glibc, machine, threaded, wheels)  # type: ignore[arg-type]
    for (python, system, threaded), (glibc, machine, wheels) in zip(
        itertools.product(PYTHONS, ("Linux, glibc", "Linux, musl", "macOS", "Windows"), (False, True)),
        itertools.cycle(
            itertools.product((12, 17, 28, 44), ("x86_64", "arm64"), ("all", "stable ABI", "Python alone"))
        ),
        strict=False,
    )
    if not threaded or python in ("3.13", "3.14")
]


def best(event: Resolve, params: Params) -> str:
    """Said by the rule: the first accepted tag that any file bears; the files' tags read by packaging."""
    for tag in accepted(params):
        for wheel in event.wheels:
            if tag in parse_tag(f"{wheel.python}-{wheel.abi}-{wheel.platform}"):
                return wheel.file
    return ""


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_the_wheel_with_the_earliest_triple_wins(params: Params) -> None:
    events = list(run(params))
    end = events[-1]
    assert end.chosen == best(end, params)
    assert sum(band.count for band in end.bands) == end.count == len(accepted(params)) == len(set(accepted(params)))
    ranks = [wheel.rank for wheel in end.wheels if wheel.state == "fits"]
    assert ranks == sorted(ranks) and all(wheel.rank < 0 for wheel in end.wheels[len(ranks) :])
    for wheel in end.wheels:
        known = wheel.python_known and wheel.abi_known and wheel.platform_known
        assert known == (wheel.state == "fits")
    assert len(events) == len(end.wheels) + 2


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_a_place_on_the_map_is_a_rank(params: Params) -> None:
    """Row after row, from left to right: so the figure draws them."""
    *_, end = run(params)
    rows = {(band.python, band.abi): band for band in reversed(end.bands)}
    assert {band.count for band in rows.values()} == {len(end.platforms)}
    for wheel in end.wheels:
        columns = [end.platforms.index(each) for each in wheel.platform.split(".") if each in end.platforms]
        row = rows.get((wheel.python, wheel.abi))
        if row and columns:
            assert wheel.rank == row.first + min(columns)
        else:
            assert wheel.platform == "any" or wheel.state == "refused"


def test_a_build_that_never_was_is_refused() -> None:
    with pytest.raises(LabError, match=r"3\.13 or newer"):
        list(run(Params("3.12", free_threaded=True)))
