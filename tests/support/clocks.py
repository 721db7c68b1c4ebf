"""Wall clocks that tests set: each process has its own, and its time may jump while it runs."""

from pathlib import Path

SHIFTED = """
import os, time
real, file = time.time, os.environ["CLOCK"]
def shifted():
    with open(file) as shift:
        return real() + float(shift.read() or 0)
time.time = shifted
time.time_ns = lambda: int(shifted() * 1e9)
"""


class Clock:
    """What ``time.time`` says in processes of this environment."""

    def __init__(self, directory: Path, seconds: float = 0) -> None:
        directory.mkdir()
        (directory / "sitecustomize.py").write_text(SHIFTED)
        self.file = directory / "shift"
        self.directory = directory
        self.set(seconds)

    def set(self, seconds: float) -> None:
        """So many seconds before (below 0) or after the real time, from now on."""
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self.file)

    def environment(self, env: dict[str, str]) -> dict[str, str]:
        return env | {"PYTHONPATH": f"{self.directory}:{env.get('PYTHONPATH', '')}", "CLOCK": str(self.file)}
