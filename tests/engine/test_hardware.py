"""What tells one machine from another: vector extensions, caches and clock, as the system says them."""

from pathlib import Path

from underhood.machine.hardware import caches, clock, hardware
from underhood.machine.provenance import machine, provenance


def cache(core: Path, index: int, level: str, kind: str, size: str) -> None:
    folder = core / "cache" / f"index{index}"
    folder.mkdir(parents=True)
    for name, text in {"level": level, "type": kind, "size": size}.items():
        (folder / name).write_text(f"{text}\n")


def test_the_data_caches_of_a_core(tmp_path: Path) -> None:
    cache(tmp_path, 0, "1", "Data", "48K")
    cache(tmp_path, 1, "1", "Instruction", "32K")
    cache(tmp_path, 2, "2", "Unified", "1024K")
    cache(tmp_path, 3, "3", "Unified", "33792K")
    assert caches(tmp_path) == "L1 48 KiB, L2 1 MiB, L3 33 MiB"


def test_the_clock_where_the_system_knows_it(tmp_path: Path) -> None:
    assert clock(tmp_path) is None
    (tmp_path / "cpufreq").mkdir()
    (tmp_path / "cpufreq" / "cpuinfo_max_freq").write_text("4507000\n")
    assert clock(tmp_path) == "up to 4.5 GHz"


def test_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    assert caches(tmp_path) is None
    assert "" not in hardware().values()


def test_the_name_of_a_machine_says_all_of_it() -> None:
    said = provenance("version")
    assert said["machine"] == machine() == ", ".join(said["hardware"].values())
    assert {"processor", "cores", "system"} <= said["hardware"].keys()
