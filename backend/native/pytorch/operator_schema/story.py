"""Tells an operator: slot by slot, then a call, its kernels, and one road after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from labs.contract import Sentence, joined, say

from native.pytorch.operator_schema.cases import Case, native, own
from native.pytorch.operator_schema.keys import registered
from native.pytorch.operator_schema.ours import SCHEMAS, Ours
from native.pytorch.operator_schema.pictures import Place, Registered, Road, Slot
from native.pytorch.operator_schema.proof import Proof
from native.pytorch.operator_schema.roads import Roads, first, said, waiting
from native.pytorch.operator_schema.schemas import slots

if TYPE_CHECKING:
    from native.pytorch.operator_schema import Params


class Story:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.schema = first(str(case.call._schema))
        self.slots = slots(case.call._schema)
        self.keys: list[Registered] = []
        self.roads = waiting(case.ours is not None)
        self.places: list[Place] = []

    def picture(self, stage: str, text: Sentence, at: int = -1, road: int = -1) -> dict[str, Any]:
        return {
            "stage": stage,
            "text": text,
            "schema": self.schema,
            "program": self.case.source,
            "slots": self.slots,
            "at": at,
            "places": [*self.places],
            "keys": [*self.keys],
            "roads": [*self.roads],
            "road": road,
            "lies": sum(each.lie != "" for each in self.places),
            "fails": sum(each.state in ("fails", "differs") for each in self.roads),
        }

    def tell(self) -> Iterator[dict[str, Any]]:
        refused = self.case.ours.refused if self.case.ours else ""
        self.keys = registered(self.case.call.name(), first(refused))
        proof = Proof(self.case, self.slots)
        self.places = proof.waiting
        for at, slot in enumerate(self.slots):
            yield self.picture("result" if slot.result else "argument", described(slot, self.slots), at)
        self.places = proof.places()
        yield self.picture("call", called(self.places, self.slots, proof.error))
        yield self.picture("kernels", kernels(self.keys))
        roads = Roads(self.case)
        for at, road in enumerate(self.roads):
            self.roads[at] = roads.take(road)
            yield self.picture(road.name, travelled(self.roads[at], self.roads[0]), road=at)


def story(params: Params) -> Iterator[dict[str, Any]]:
    if params.operator not in SCHEMAS:
        yield from Story(native(params.operator)).tell()
        return
    ours = Ours(params.operator, params.kernel, params.meta, params.autograd)
    try:
        yield from Story(own(ours)).tell()
    finally:
        ours.close()


def described(slot: Slot, slots: list[Slot]) -> Sentence:
    letter = slot.mark.partition(" ")[0].rstrip("!")
    if slot.result:
        name = slot.name if slot.name.startswith("result") else f"result {slot.name}"
        sources = [each.name for each in slots if not each.result and each.mark.startswith(letter or "-")]
        if not slot.mark:
            return say("{} is {}, and shares no memory with an argument.", name, _a(slot))
        return say("{} is in set {}: it may share the memory of {}.", name, letter, ", ".join(sources))
    if "!" in slot.mark:
        return say("{} is {} of set {}, and “!” says that the operator writes to it.", slot.name, _a(slot), letter)
    if "*" in slot.mark:
        return say("{} is {} of set {}, and several results may share its memory.", slot.name, _a(slot), letter)
    if slot.mark:
        return say("{} is {} of set {}: a result of that set may share its memory.", slot.name, _a(slot), letter)
    if slot.tensor:
        return say(
            "{} is {} without a mark: it is only read, and no result shares its memory.", slot.name, _a(slot)
        )
    if slot.default:
        return say("{} is {}; {} is its default.", slot.name, _a(slot), slot.default)
    return say("{} is {}.", slot.name, _a(slot))


def _a(slot: Slot) -> str:
    return ("an " if slot.type[0] in "aeioAEIO" else "a ") + slot.type


def called(places: list[Place], slots: list[Slot], error: Exception | None) -> Sentence:
    if error is not None:
        return say("The call fails: {}.", said(error))
    names = {each.key: each.name for each in slots}
    for place in places:
        name = names[place.slots[0]]
        if place.lie == "written" and place.before == place.after:
            return say(
                "The call changes {}, which has no mark for it, and its version stays {}.", name, place.after
            )
        if place.lie == "written":
            return say("The call changes {}, which has no mark for it.", name)
        if place.lie == "shared":
            return say("The result lies in the storage of {}, and the schema says that it does not.", name)
    changed = dict.fromkeys(names[each.slots[0]] for each in places if each.changed)
    if changed:
        return say("The call changes {}, as the schema says.", joined(" and ", changed))
    shared = [each for each in places if len(each.slots) > 1]
    if shared:
        return say("The result lies in the storage of {}, as the schema allows.", names[shared[0].slots[0]])
    if any("!" in each.mark for each in slots):
        return say("The call changes nothing: the schema allows it to write, and does not demand it.")
    if any(each.mark for each in slots):
        return say("The result has a storage of its own: the schema allows sharing, and does not demand it.")
    return say("No argument is changed, and the result has a storage of its own, as the schema says.")


def kernels(keys: list[Registered]) -> Sentence:
    for each in keys:
        if each.refused:
            return say("Torch refuses the formula for backward: {}.", each.refused)
    missing = [each.key for each in keys if not each.kind]
    if missing:
        return say("No kernel is registered for {}.", joined(", ", missing))
    return say("Kernels are registered for CPU, Meta and Autograd.")


def travelled(road: Road, eager: Road) -> Sentence:
    opcheck, fake = road.name.startswith("test_"), road.name == "fake tensors"
    if road.state == "fails":
        if fake:
            return say("With fake tensors the call fails: {}.", road.says)
        return say("opcheck’s {} fails: {}." if opcheck else "{} fails: {}.", road.name, road.says)
    if opcheck and road.says:
        return say("opcheck’s {} passes, and warns: {}.", road.name, road.says)
    if opcheck:
        return say("opcheck’s {} passes.", road.name)
    if fake:
        right = road.state == "works"
        words = "Fake tensors predict {}." if right else "Fake tensors predict {}, but the real result differs."
        return say(words, road.result)
    if road.state == "warns":
        return say("{} gives {}, and warns: {}.", road.name, road.result, road.says)
    if road.state == "differs" and road.name == "backward":
        return say("backward gives {}, but finite differences give another gradient.", road.result)
    if road.state == "differs" and road.says:
        words = "{} gives {} where eager gives {}, and warns: {}."
        return say(words, road.name, road.result, eager.result, road.says)
    if road.state == "differs":
        return say("{} gives {} where eager gives {}, and nothing says so.", road.name, road.result, eager.result)
    return say("{} gives {}.", road.name, road.result)
