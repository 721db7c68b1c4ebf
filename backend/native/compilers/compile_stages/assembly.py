"""Assembly, line by line with the line of C++ that it comes from, through whatever was inlined in between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from native.models.stages.marks import taken
from native.models.stages.pictures import Row

MOST = 400  # lines of one kernel
LOC = re.compile(r"\s+\.loc\s+(\d+) (\d+)")
CHAIN = re.compile(r"(\S+):(\d+):\d+")  # Clang notes where what it inlined was called
INLINED = re.compile(r"DW_TAG_inlined_subroutine\)(.*?)(?=\(DIE |\Z)", re.DOTALL)
SPAN = re.compile(r"\.uleb128 (\.LBB\d+)-\S+.*\n\s+\.uleb128 (\.LBE\d+)-")


def read(text: str, code: str, source: Path) -> list[Row]:
    """The function ``kernel`` of an assembly file, marked as the lines of the C++ that it was made from."""
    marks = [taken(line)[1] for line in code.splitlines()]
    body = _body(text)
    where = dict(_places(body, text, source.name))
    rows = []
    for number, line in enumerate(body):
        shown = re.sub(r"\s*#.*", "", line).rstrip()
        label = re.match(r"(\.L\d+|\.LBB\d+_\d+):", shown)
        if label:
            if any(re.search(rf"{re.escape(label[1])}\b(?!:)", other) for other in body if "\tj" in other):
                rows.append(Row(label[0], head=True))
        elif shown.startswith("\t") and not shown.startswith("\t."):
            at = where.get(number, 0)
            operation, _, rest = shown.strip().partition("\t")
            rows.append(Row(f"  {operation:<11} {rest}".rstrip(), marks[at - 1] if 0 < at <= len(marks) else ()))
    if len(rows) > MOST:
        rows = [*rows[:MOST], Row(f"… and {len(rows) - MOST:,} more lines", head=True)]
    return rows


def _body(text: str) -> list[str]:
    lines = text.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("kernel:"))
    end = next(number for number, line in enumerate(lines) if number > begin and ".size\tkernel" in line)
    return lines[begin + 1 : end]


def _places(body: list[str], text: str, name: str) -> Iterator[tuple[int, int]]:
    """The number of each line and the line of the C++ that it comes from."""
    files = {number for number, quoted in re.findall(r"\.file\s+(\d+) (.*)", text) if name in quoted}
    at = 0
    inlined = dict(_inlined(body, text, name))
    for number, line in enumerate(body):
        if found := LOC.match(line):
            chain = [int(row) for file, row in CHAIN.findall(line.partition("#")[2]) if file.endswith(name)]
            at = int(found[2]) if found[1] in files else (chain[-1] if chain else 0)
        yield number, at or inlined.get(number, 0)


def _inlined(body: list[str], text: str, name: str) -> Iterator[tuple[int, int]]:
    """GCC says it elsewhere: which runs of lines are another function's, and from which line that is called."""
    labels = {line[:-1]: number for number, line in enumerate(body) if re.match(r"\.LB[BE]\d+:$", line)}
    if not labels:
        return
    ranges = {part.partition(":")[0]: part for part in re.split(r"\n(?=\.LLRL\d+:)", text)}
    for found in INLINED.findall(text):
        if not re.search(rf"DW_AT_call_file \(\S*{re.escape(name)}\)", found):
            continue
        line = re.search(r"\.\w+\s+(0x[\da-f]+|\d+)\s+# DW_AT_call_line", found)
        spans = re.findall(r"\.quad\s+(\.LBB\d+)\s+# DW_AT_low_pc\n\s+\.quad\s+(\.LBE\d+)-", found)
        if many := re.search(r"(\.LLRL\d+)\s+# DW_AT_ranges", found):
            spans = SPAN.findall(ranges.get(many[1], "").partition("DW_RLE_end_of_list")[0])
        for first, last in spans if line else ():
            for number in range(labels.get(first, 0), labels.get(last, 0)):
                yield number, int(line[1], 0)  # type: ignore[index]
