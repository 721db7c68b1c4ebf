"""Which item of a braced list goes where (C17, 6.7.9): inner braces may be left out, and items name places."""

from __future__ import annotations

from typing import NoReturn

from labs.models.c import tree, types
from labs.models.c.trouble import CError

Where = tuple[tree.Initial, types.Type, int]
ENDLESS = 1 << 40  # items of an array whose length its list will tell


def spread(braces: tree.Braces, kind: types.Type) -> list[Where]:
    """Items, their types, and how many bytes from the start each lies. A later one may write over an earlier one.

    Raises ``CError`` for one too many, and for a place that is not there.
    """
    items, found = braces.items, list[Where]()
    if isinstance(kind, types.Array) and len(items) == 1 and isinstance(items[0], tree.Text) and kind.of.size == 1:
        return [(items[0], kind, 0)]
    path: list[int] = [0]
    for item in items:
        value: tree.Initial
        if isinstance(item, tree.Designated):
            path, value = designated(item, kind), item.value
        else:
            path, value = advanced(kind, path), item
        while path and not stands_for(value, at(kind, path)[0]):
            path = advanced(kind, [*path, 0])
        if not path:
            refuse(value, f"one item too many: {types.a(kind)} has no place left for it")
        found.append((value, *at(kind, path)))
        path[-1] += 1
    return found


def length(braces: tree.Braces, of: types.Type) -> int:
    """How many items an array has whose list this is."""
    ends = [offset // of.size + 1 for _, _, offset in spread(braces, types.Array(of, ENDLESS))]
    return max(ends, default=0)


def covered(items: list[Where]) -> int:
    """How many bytes are given a value, each counted once."""
    total = end = 0
    for begin, size in sorted((offset, kind.size) for _, kind, offset in items):
        total += max(begin + size - max(begin, end), 0)
        end = max(end, begin + size)
    return total


def designated(item: tree.Designated, kind: types.Type) -> list[int]:
    path: list[int] = []
    for each in item.path:
        if isinstance(each, int):
            if not isinstance(kind, types.Array):
                refuse(item, f"[{each}] names an item of an array, and this is {types.a(kind)}")
            if each < 0:
                refuse(item, f"items are counted from 0, so there is no [{each}]")
            if each >= kind.length:
                refuse(item, f"there is no item {each} in {types.a(kind)}")
            path.append(each)
        else:
            if not isinstance(kind, types.Struct):
                refuse(item, f".{each} names a member of a struct, and this is {types.a(kind)}")
            names = [member.name for member in kind.members]
            if each not in names:
                refuse(item, f"{kind} has no member {each}; it has {', '.join(names)}")
            path.append(names.index(each))
        kind = part(kind, path[-1])[0]
    return path


def advanced(kind: types.Type, path: list[int]) -> list[int]:
    """The path, or the next that leads to a part; empty when there is none."""
    while path and path[-1] >= count(at(kind, path[:-1])[0]):
        path = path[:-1]
        if path:
            path[-1] += 1
    return path


def at(kind: types.Type, path: list[int]) -> tuple[types.Type, int]:
    """The type that a path leads to, and how many bytes from the start it lies."""
    offset = 0
    for n in path:
        kind, inner = part(kind, n)
        offset += inner
    return kind, offset


def count(kind: types.Type) -> int:
    if isinstance(kind, types.Array):
        return max(kind.length, 0)
    return len(kind.members) if isinstance(kind, types.Struct) and not kind.union else 1


def part(kind: types.Type, n: int) -> tuple[types.Type, int]:
    if isinstance(kind, types.Array):
        return kind.of, n * kind.of.size
    if isinstance(kind, types.Struct):
        return kind.members[n].type, kind.members[n].offset
    return kind, 0


def stands_for(item: tree.Initial, kind: types.Type) -> bool:
    """Whether an item gives the whole of a type its value, and not the first of its parts."""
    if isinstance(item, tree.Braces) or not isinstance(kind, types.Array | types.Struct):
        return True
    if isinstance(kind, types.Array):
        return isinstance(item, tree.Text) and kind.of.size == 1
    return not isinstance(item, tree.Constant | tree.Text)  # a struct of that type


def text_for(text: tree.Text, kind: types.Array) -> bytes:
    if kind.of.size != 1:
        refuse(text, f"a string is made of char, not of {kind.of}")
    if len(text.data) > kind.length:
        refuse(
            text, f"this string has {len(text.data)} characters and a final zero; there is room for {kind.length}"
        )
    return text.data


def refuse(node: tree.Node, message: str) -> NoReturn:
    raise CError(message, node.place)
