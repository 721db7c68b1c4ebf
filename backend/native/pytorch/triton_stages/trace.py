"""Lines of a stage, and the line of the source that each was made from, as the compiler wrote it down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from native.pytorch.triton_stages.source import FILE, Source

LOCATION = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
PLACE = re.compile(rf'/{re.escape(FILE.name)}":(\d+):')
DEBUG = re.compile(r"^!(\d+) = !DILocation\(line: (\d+), .*?(?:inlinedAt: !(\d+))?\)$", re.MULTILINE)
REFERENCE = re.compile(r"#loc\d*")
INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?$")


@dataclass(frozen=True)
class Line:
    text: str
    line: int
    """Of the source, from 1; 0 for none"""


@dataclass
class Trace:
    source: Source
    inlined: dict[str, set[int]] = field(default_factory=dict)
    """Lines of Triton's own functions, and the lines of the source that call them, as PTX has them"""

    def lines(self, stage: str, text: str) -> list[Line]:
        match stage:
            case "ttir" | "ttgir":
                return self.mlir(text)
            case "llir":
                return list(self.llvm(text))
            case "ptx":
                return list(self.ptx(text))
        return list(self.sass(text))

    def shown(self, line: int) -> int:
        """Of the lines that are shown, from a line of the file."""
        at = line - self.source.first + 1
        return at if 1 <= at <= len(self.source.lines) else 0

    def mlir(self, text: str) -> list[Line]:
        found = {match[1]: match[2] for each in text.splitlines() if (match := LOCATION.match(each))}

        def place(said: str) -> int:
            if said.startswith("callsite("):
                return place(said.rpartition(" at ")[2].rstrip(")"))  # who called counts, and not what was called
            if match := PLACE.search(said):
                return self.shown(int(match[1]))
            name = REFERENCE.search(said)
            return place(found[name[0]]) if name else 0

        lines: list[Line] = []
        opened: list[int] = []
        for each in text.splitlines():
            if each.strip() and not LOCATION.match(each):
                plain, said = without_locations(each)
                line = place(said)
                if plain.lstrip().startswith("}") and opened and line:
                    at = opened.pop()  # what holds others says where it comes from at its end
                    lines[at] = Line(lines[at].text, line)
                if plain.endswith("{"):
                    opened.append(len(lines))
                lines.append(Line(re.sub(r" \{tt\.divisibility = \d+ : i32\}", "", plain), line))
        return lines

    def llvm(self, text: str) -> Iterator[Line]:
        found = {number: (int(line), outer) for number, line, outer in DEBUG.findall(text)}
        body = text[text.index("\ndefine ") + 1 :]
        for each in body[: body.index("\n}") + 2].splitlines():
            plain = re.sub(r"(, !dbg !\d+)?(, !\S+ !\d+)*$", "", re.sub(r"\s*; preds = .*", "", each))
            line, outer = 0, (re.search(r"!dbg !(\d+)", each) or ["", ""])[1]
            while outer in found:
                line, outer = found[outer]
            if plain.strip():
                yield Line(re.sub(r" #\d+$", "", plain), self.shown(line))

    def ptx(self, text: str) -> Iterator[Line]:
        line = 0
        body = text[text.index(".visible .entry") :]
        for each in body.partition("$L__func_end0:")[0].splitlines():  # braces stand in the middle, too
            plain, _, comment = (part.strip() for part in each.partition("//"))
            if plain.startswith(".loc"):
                places = re.findall(r"([\w.]+):(\d+):\d+", comment)
                ours = bool(places) and places[-1][0] == FILE.name
                line = self.shown(int(places[-1][1])) if ours else 0
                if line and places[0][0] != FILE.name:
                    self.inlined.setdefault(":".join(places[0]), set()).add(line)
            elif plain and not plain.startswith(("$L__tmp", "$L__func")):
                yield Line(" ".join(plain.split()), 0 if plain.startswith((".", "$")) else line)

    def sass(self, text: str) -> Iterator[Line]:
        line = 0
        for each in text[text.index("\n.text.") :].splitlines()[2:]:
            if match := re.search(r'//## File ".*?([^/"]+)", line (\d+)', each):
                line = self.shown(int(match[2])) if match[1] == FILE.name else self.caller(match[1], match[2])
            elif match := INSTRUCTION.match(each):
                yield Line(f"{match[1]}  {match[2]}", line)
            elif each.startswith(".L"):
                yield Line(each, 0)
            elif each.startswith("\t.section"):
                return

    def caller(self, file: str, line: str) -> int:
        """SASS does not say who called; where there is one caller alone, it was this."""
        known = self.inlined.get(f"{file}:{line}", set())
        return next(iter(known)) if len(known) == 1 else 0


def without_locations(text: str) -> tuple[str, str]:
    """A line of MLIR without its ``loc(…)``, and what the last of them says."""
    kept, said = "", ""
    while (at := text.find(" loc(")) >= 0:
        end, depth = at + 5, 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        kept, said, text = kept + text[:at], text[at + 5 : end - 1], text[end:]
    return kept + text, said
