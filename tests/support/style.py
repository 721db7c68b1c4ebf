"""The rules of styles/Underhood, which are Vale's, and the words that a reader meets, in which they are looked for.

No package carries Vale's program, so the two kinds of rules in use are read here: `existence` lists what must
not be said, `substitution` says what to write for it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
ENGLISH = [
    file.relative_to(ROOT).as_posix()
    for pattern in (
        "content/*/*.mdx",
        "content/glossary.json",
        "frontend/src/words/en/*.ts",
        "README.md",
        "CONTRIBUTING.md",
    )
    for file in sorted(ROOT.glob(pattern))
    if not file.name.endswith(".de.mdx")
]
ARTICLES = [file for file in ENGLISH if file.endswith(".mdx")]  # whose links into figures are counted
SPOKEN = r"label|title|says|unit|summary|caption|alt"  # attributes that a page shows or says
TAG = re.compile(r"<[A-Za-z/][^<>]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^<>]*)*>")
UNREAD = re.compile(r"```.*?```|\$\$.*?\$\$|`[^`\n]+`|\$[^$\n]+\$|https?://[^\s)\"]+|<!--.*?-->", re.S)
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`')


@dataclass(frozen=True)
class Rule:
    name: str
    pattern: re.Pattern[str]
    message: str
    swap: tuple[tuple[re.Pattern[str], str], ...]  # empty for a rule that only forbids

    def told(self, found: str) -> str:
        better = next((word for pattern, word in self.swap if pattern.fullmatch(found)), "another word")
        return self.message.replace("%[1]s", better).replace("%[2]s", found).replace("%s", found)


def read(file: Path) -> Rule:
    rule = yaml.safe_load(file.read_text("utf-8"))
    flags = re.IGNORECASE if rule.get("ignorecase") else re.NOFLAG
    match rule["extends"]:
        case "existence":
            words, swap = rule["tokens"], ()
        case "substitution":
            words = list(rule["swap"])
            swap = tuple((re.compile(word, flags), better) for word, better in rule["swap"].items())
        case other:
            raise ValueError(f"{file.name} extends {other!r}: existence and substitution are read here")
    return Rule(file.stem, re.compile(rf"\b(?:{'|'.join(words)})\b", flags), rule["message"], swap)


RULES = [read(file) for file in sorted((ROOT / "styles/Underhood").glob("*.yml"))]


def complaints(text: str) -> Iterator[tuple[int, str]]:
    """Line and message of whatever the rules find."""
    for rule in RULES:
        for found in rule.pattern.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, f"{rule.told(found[0])} ({rule.name})"


def prose(file: Path) -> str:
    """What a file tells a reader, in its own lines."""
    text = file.read_text("utf-8")
    match file.suffix:
        case ".mdx" | ".md":
            return article(text)
        case ".json":
            return "\n".join(strings(json.loads(text)))
        case ".py":
            return python(text)
        case _:
            return "\n".join(
                " ".join(one or other for one, other in TEXT.findall(line)) for line in text.split("\n")
            )


def article(text: str) -> str:
    """Without code, formulas, sources and tags, except for what the tags say themselves."""
    text = re.sub(r"^sources:\n(?:[ -].*\n)+", lambda found: blank(found[0]), text, flags=re.M)
    text = UNREAD.sub(lambda found: blank(found[0]), text)
    return TAG.sub(lambda found: said(found[0]), text)


def said(tag: str) -> str:
    for text in re.findall(rf'\b(?:{SPOKEN})(?:=|: )"([^"]*)"', tag):
        tag = tag.replace(f'"{text}"', f"\0{text}\0", 1)
    outside = re.split(r"\0([^\0]*)\0", tag)
    return "".join(f" {part} " if n % 2 else blank(part) for n, part in enumerate(outside))


def blank(text: str) -> str:
    """As many lines, and nothing in them."""
    return "\n" * text.count("\n")


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def python(source: str) -> str:
    """Each string of several words, at its line: labels, sentences, and the docstrings that pages show."""
    lines = [""] * (source.count("\n") + 2)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            for n, part in enumerate(node.value.split("\n")):
                lines[min(node.lineno - 1 + n, len(lines) - 1)] += f" {part}"
    return UNREAD.sub(lambda found: blank(found[0]), "\n".join(lines))
