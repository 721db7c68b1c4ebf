"""Tells an operator: slot by slot, then a call, its kernels, and one road after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from labs.contract import Sentence, joined, say

from native.pytorch.operator_schema.cases import Case, native, own
from native.pytorch.operator_schema.keys import registered
from native.pytorch.operator_schema.ours import SCHEMAS, Ours
from native.pytorch.operator_schema.pictures import Place, Registered, Road, Slot
from native.pytorch.operator_schema.promised import Promised, uncalled
from native.pytorch.operator_schema.proof import Proof
from native.pytorch.operator_schema.roads import Roads, first, said, waiting
from native.pytorch.operator_schema.schemas import sets, slots
from native.pytorch.operator_schema.typed import read

if TYPE_CHECKING:
    from native.pytorch.operator_schema import Params


class Story:
    """Without a case the schema is drawn, and nothing called, for the given reason."""

    def __init__(self, schema: Any, case: Case | None, why: Sentence | None = None) -> None:
        self.case = case
        self.why = why
        self.schema = re.sub(r"^ours\d+::", "ours::", str(schema))
        self.slots = slots(schema)
        self.keys: list[Registered] = []
        self.roads = waiting(case.ours is not None) if case else []
        self.places: list[Place] = []

    def picture(self, stage: str, text: Sentence, at: int = -1, road: int = -1) -> dict[str, Any]:
        return {
            "stage": stage,
            "text": text,
            "schema": self.schema,
            "program": self.case.source if self.case else [],
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
        proof = None
        if self.case:
            refused = self.case.ours.refused if self.case.ours else ""
            self.keys = registered(self.case.call.name(), first(refused))
            proof = Proof(self.case, self.slots)
            self.places = proof.waiting
        for at, slot in enumerate(self.slots):
            yield self.picture("result" if slot.result else "argument", described(slot, self.slots), at)
        if self.case and proof:
            yield from self._called(self.case, proof)
        elif self.why:
            yield self.picture("call", self.why)

    def _called(self, case: Case, proof: Proof) -> Iterator[dict[str, Any]]:
        self.places = proof.places()
        yield self.picture("call", called(self.places, self.slots, proof.error))
        yield self.picture("kernels", kernels(self.keys))
        roads = Roads(case)
        for at, road in enumerate(self.roads):
            self.roads[at] = roads.take(road)
            yield self.picture(road.name, travelled(self.roads[at], self.roads[0]), road=at)


def story(params: Params) -> Iterator[dict[str, Any]]:
    ours: Ours | Promised
    if params.own.strip():
        schema = read(params.own)
        if why := uncalled(schema):
            yield from Story(schema, None, why).tell()
            return
        ours = Promised(schema, params.kernel, params.meta)
        case = ours.case()
    elif params.operator in SCHEMAS:
        ours = Ours(params.operator, params.kernel, params.meta, params.autograd)
        case = own(ours)
    else:
        case = native(params.operator)
        yield from Story(case.call._schema, case).tell()
        return
    try:
        yield from Story(case.call._schema, case).tell()
    finally:
        ours.close()


def described(slot: Slot, slots: list[Slot]) -> Sentence:
    letters = slot.mark.partition(" ")[0].replace("!", "")
    if slot.result:
        name = slot.name if slot.name.startswith("result") else f"result {slot.name}"
        sources = [each.name for each in slots if not each.result and sets(each.mark) & sets(slot.mark)]
        if not slot.tensor:
            return say("{} is {}.", name, _a(slot))
        if not slot.mark:
            return say("{} is {} that shares no memory with an argument.", name, _a(slot))
        if letters == "*":
            return say("{} is in alias set *, which stands for any: it may share memory with all arguments.", name)
        if not sources:
            return say(
                "{} is in alias set {}, and no argument is: it shares no memory with any of them.", name, letters
            )
        return say("{} is in alias set {}: it may share the memory of {}.", name, letters, ", ".join(sources))
    if "!" in slot.mark:
        return say(
            "{} is {} in alias set {}, and “!” says that the operator may write to it.",
            slot.name,
            _a(slot),
            letters,
        )
    if letters == "*":
        return say(
            "{} is {} in alias set *, which stands for any: all results may share its memory.", slot.name, _a(slot)
        )
    if "*" in slot.mark:
        return say(
            "{} is {} in alias set {}, and several results may share its memory.", slot.name, _a(slot), letters
        )
    if slot.mark:
        return say(
            "{} is {} in alias set {}: a result in that set may share its memory.", slot.name, _a(slot), letters
        )
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
                "The call changes {}, which is not marked as written, and its version stays {}.", name, place.after
            )
        if place.lie == "written":
            return say("The call changes {}, which is not marked as written.", name)
        if place.lie == "shared":
            return say("The result lies in the storage of {}, but the schema says that it does not.", name)
    changed = dict.fromkeys(names[each.slots[0]] for each in places if each.changed)
    if changed:
        return say("The call changes {}, as the schema says.", joined(" and ", changed))
    shared = [each for each in places if len(each.slots) > 1]
    if shared:
        return say("The result lies in the storage of {}, as the schema allows.", names[shared[0].slots[0]])
    if any("!" in each.mark for each in slots):
        return say("The call changes nothing: the schema allows it to write, but does not require it.")
    if any(each.mark for each in slots):
        return say("The result has a storage of its own: the schema allows sharing, but does not require it.")
    if not any(each.result and each.tensor for each in slots):
        return say("No argument is changed, as the schema says.")
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
