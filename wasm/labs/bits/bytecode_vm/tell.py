"""What one instruction did, in a sentence."""

from __future__ import annotations

from labs.bits.bytecode_vm.machine import Did, Machine
from labs.bits.bytecode_vm.show import show
from labs.bits.bytecode_vm.state import NULL
from labs.contract import Sentence, joined, say


def tell(machine: Machine, did: Did) -> Sentence:
    name, value = did.instruction.name, did.instruction.value
    taken = [show(each) for each in did.popped]
    put = [show(each) for each in did.frame.stack[len(did.frame.stack) - did.pushed :]]
    if did.raised is not None:
        return raised(machine, did)
    if did.called:
        given = joined(", ", (say("{} = {}", key, show(each)) for key, each in did.called.fast.items()))
        return say(
            "{} opens a frame for {}{}.", name, did.called.listing.name, say(", with {}", given) if given else ""
        )
    if did.result is not NULL:
        rest = say("and {} goes on", machine.frames[-1].listing.name) if machine.frames else "and the program ends"
        return say("{} returns {}, {}.", name, show(did.result), rest)
    match name:
        case "RESUME":
            return say("RESUME marks the beginning of {}.", did.frame.listing.name)
        case "LOAD_CONST" | "LOAD_SMALL_INT":
            return say("{} puts the constant {} on the stack.", name, put[-1])
        case "PUSH_NULL":
            return say("PUSH_NULL leaves a place on the stack empty, which a method call would use for its object.")
        case "POP_TOP" | "POP_ITER" | "END_FOR":
            return say("{} drops {}, which nobody needs.", name, taken[-1])
        case "FOR_ITER" if did.jumped:
            return say("FOR_ITER finds no item left, and the loop ends at offset {}.", offset(did))
        case "FOR_ITER":
            return say("FOR_ITER asks the iterator for its next value and puts it on the stack: {}.", put[-1])
        case "BINARY_OP" | "COMPARE_OP" | "IS_OP" | "CONTAINS_OP" | "BINARY_SUBSCR":
            sign = did.instruction.says.replace("bool(", "").rstrip(")")
            middle = f" {sign} " if sign and name in ("BINARY_OP", "COMPARE_OP") and sign != "[]" else " and "
            return say("{} takes {} off the stack and puts {} back.", name, middle.join(taken), put[-1])
        case "CALL" | "CALL_KW":
            return say("{} calls {} and puts the result {} on the stack.", name, called(did), put[-1])
        case "GET_ITER":
            return say("GET_ITER makes an iterator of {}.", taken[-1])
    if "JUMP" in name:
        where = say("goes to offset {}", offset(did)) if did.jumped else "goes straight on"
        return say("{} {}{}.", name, "takes " + taken[-1] + " and " if taken else "", where)
    if name.startswith("LOAD") and isinstance(value, str) and len(put) == 1:
        return say("{} puts {} on the stack: {}.", name, value, put[-1])
    if name.startswith("LOAD") and put:
        return say(
            "{} puts {} on the stack: {}.",
            name,
            did.instruction.says.replace("NULL|self", "self"),
            " and ".join(put),
        )
    if name.startswith("STORE") and isinstance(value, str):
        return say("{} takes {} off the stack and calls it {}.", name, taken[-1], value)
    return in_general(name, taken, put)


def in_general(name: str, taken: list[str], put: list[str]) -> Sentence:
    if taken and put:
        return say("{} takes {} off the stack and puts {} on it.", name, ", ".join(taken), ", ".join(put))
    if taken or put:
        return (
            say("{} takes {} off the stack.", name, ", ".join(taken))
            if taken
            else say("{} puts {} on the stack.", name, ", ".join(put))
        )
    return say("{} changes nothing on the stack.", name)


def called(did: Did) -> str:
    found = next((each for each in did.popped if each is not NULL), None)
    return getattr(found, "name", type(found).__name__)


def offset(did: Did) -> int:
    return did.frame.listing.instructions[did.frame.next].offset


def raised(machine: Machine, did: Did) -> Sentence:
    problem = say("{} ({})", type(did.raised).__name__, str(did.raised)[:80].partition(". ")[0].rstrip("."))
    if not machine.frames:
        return say("{} raises {}, which nothing catches.", did.instruction.name, problem)
    top = machine.frames[-1]
    where = say("the handler at offset {}", top.listing.instructions[top.next].offset)
    return say("{} raises {}, and {} of {} takes over.", did.instruction.name, problem, where, top.listing.name)
