"""What has changed from one statement to the next, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.contract import Sentence, joined, say

from native.pytorch.tensor_storage.pictures import Look, Storage


def told(before: Look, now: Look) -> Sentence:
    """The two most telling changes."""
    first, *others = [*changes(before, now)] or [say("Nothing changes in memory")]
    more = [each for each in others if not each.startswith(("Nothing holds", "Without"))][:1]
    return say("{}.", joined("; ", [first, *more]))


def changes(before: Look, now: Look) -> Iterator[Sentence]:
    storages = {each.name: each for each in before.storages}
    views = {each.number: each for each in before.views}
    left = {each.name for each in now.storages}
    for storage in before.storages:
        if storage.name not in left:
            yield say("Nothing holds {} any more, so its {:,} bytes are freed", storage.name, storage.bytes)
    for storage in now.storages:
        if storage.name in storages:
            yield from kept(storages[storage.name], storage, before, now)
        else:
            yield made(storage)
    for view in now.views:
        was = views.get(view.number)
        if was is None and view.storage in storages and "._base" not in view.names[0]:
            yield say("{} reads {} as well: nothing was copied", view.names[0], view.storage)
        elif was and (view.shape, view.strides) != (was.shape, was.strides):
            yield say("{} has shape {} now", view.names[0], plainly(view.shape))
    yield from saved(before, now)


def made(storage: Storage) -> Sentence:
    first = storage.holders[0]
    if "Backward" in first:
        return say("{} keeps {} alive: {:,} bytes that no name leads to", first, storage.name, storage.bytes)
    return say("{} has storage {} of {:,} bytes", first, storage.name, storage.bytes)


def kept(was: Storage, storage: Storage, before: Look, now: Look) -> Iterator[Sentence]:
    if storage.bytes != was.bytes:
        yield say("{} has {:,} bytes now instead of {:,}", storage.name, storage.bytes, was.bytes)
    if gone := [each for each in was.holders if each not in storage.holders]:
        words = "Without {}, {} and its {:,} bytes are held by {}"
        yield say(words, several(gone), storage.name, storage.bytes, several(storage.holders))
    versions = {each.number: each.version for each in before.views}
    up = [
        each
        for each in now.views
        if each.storage == storage.name and each.version > versions.get(each.number, each.version)
    ]
    if up:
        names = several([each.names[0] for each in up])
        words = (
            "{} was written: version {} of {}" if storage.changed else "No number of {} changed: version {} of {}"
        )
        yield say(words, storage.name, up[0].version, names)
    elif storage.cells != was.cells and storage.bytes == was.bytes and "?" not in storage.cells:
        yield say("{} was written, but no version went up", storage.name)


def saved(before: Look, now: Look) -> Iterator[Sentence]:
    known = {(each.node, each.number, each.storage): each for each in before.saves}
    new = {}
    for each in now.saves:
        was = known.get((each.node, each.number, each.storage))
        if was is None and each.storage in {view.storage for view in now.views}:
            new[each.node, each.storage] = each
        elif was and each.now != each.saved and was.now == was.saved:
            words = "{} saved version {}: backward through it will fail"
            yield say(words, each.node, each.saved)
    for node, storage in new:
        yield say("{} saves {} for the backward pass", node, storage)


def several(names: Sequence[str]) -> Sentence:
    *most, last = names
    return say("{} and {}", joined(", ", most), last) if most else Sentence.plain(last)


def plainly(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
