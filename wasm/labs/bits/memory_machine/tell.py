"""What a statement did, in words: from two portraits and the machine between them."""

from __future__ import annotations

import re

from labs.bits.memory_machine.portrait import Piece, Portrait, Seen
from labs.contract import Sentence, say
from labs.models.c.trouble import count

MOST = 3  # changes that a sentence names


def tell(before: Portrait | None, now: Portrait, line: int, following: int, printed: bytes) -> Sentence:
    """One sentence on what line ``line`` did, before the line that follows, or 0 at the end."""
    if before is None:
        return say("The program is loaded, and main is about to start at line {}.", line)
    said = [*calls(before, now), *pieces(before, now), *values(before, now)]
    if printed:
        said.append(prints(printed))
    if not said and not following:
        return say("Line {} changes no variable.", line)
    if not said:
        return say("Line {} changes no variable and leads to line {}.", line, following)
    if len(said) > MOST:
        rest = len(said) - MOST + 1
        said = [*said[: MOST - 1], f"{rest} more changes"]
    return say("Line {}: {}.", line, ", ".join(said))


def calls(before: Portrait, now: Portrait) -> list[str]:
    old, new = ({call.number: call for call in each.calls} for each in (before, now))
    ended = [call.name for number, call in old.items() if number not in new and number > max(new, default=0)]
    begun = [call for number, call in new.items() if number > max(old, default=0)]
    said = [f"{name} returns" for name in reversed(ended)]
    for call in begun:
        given = ", ".join(f"{cell.name} = {cell.value}" for piece in call.pieces for cell in piece.cells[:1])
        said.append(f"{call.name} is called" + (f" with {given}" if given else ""))
    return said


def pieces(before: Portrait, now: Portrait) -> list[str]:
    old = {piece.number: piece for piece in before.heap}
    new = {piece.number: piece for piece in now.heap}
    fresh = [piece for number, piece in new.items() if number not in old]
    freed = [piece for number, piece in new.items() if piece.state == "freed" and was_live(old.get(number))]
    freed += [piece for number, piece in old.items() if number not in new and piece.state == "live"]
    said = [f"free gives back {count(piece.size)} at {piece.address:#x}" for piece in freed]
    return said + [f"malloc gives {count(piece.size)} at {piece.address:#x}" for piece in fresh]


def was_live(piece: Piece | None) -> bool:
    return piece is None or piece.state == "live"


def values(before: Portrait, now: Portrait) -> list[str]:
    old = max((call.number for call in before.calls), default=0)
    pieces = [piece for call in reversed(now.calls) if call.number <= old for piece in call.pieces]
    pieces += [*now.globals, *(piece for piece in now.heap if piece.state == "live")]
    return [
        becomes(piece, cell) for piece in pieces for cell in piece.cells if cell.changed and cell.type != "void"
    ]


def told(piece: Piece, cell: Seen) -> bool:
    """What malloc gives has no values, and that goes without saying."""
    return cell.changed and cell.type != "void" and (cell.known or piece.segment != "heap")


def becomes(piece: Piece, cell: Seen) -> str:
    name = f"{cell.name or cell.type} at {cell.address:#x}" if piece.segment == "heap" else cell.name
    if not cell.known and not cell.value.startswith('"'):
        return f"{name} has no value yet"
    return f"{name} is {cell.value}" if plain(cell.value) else f"{name} has changed"


def plain(words: str) -> bool:
    """Whether a sentence can quote it and stay one."""
    return bool(re.fullmatch(r"([^.!?\x00-\x1f]|[.!?](?!\s)){1,60}", words))


def prints(output: bytes) -> str:
    words = output.decode("utf-8", "replace").replace("\n", "\\n")
    return f'prints "{words}"' if plain(words) else f"prints {count(len(output))}"
