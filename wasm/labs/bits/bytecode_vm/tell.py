"""What one instruction did, in a sentence."""

from __future__ import annotations

from labs.bits.bytecode_vm.machine import Did, Machine
from labs.bits.bytecode_vm.show import show
from labs.bits.bytecode_vm.state import NULL


def tell(machine: Machine, did: Did) -> str:
    name, value = did.instruction.name, did.instruction.value
    taken = [show(each) for each in did.popped]
    put = [show(each) for each in did.frame.stack[len(did.frame.stack) - did.pushed :]]
    if did.raised is not None:
        return raised(machine, did)
    if did.called:
        given = ", ".join(f"{key} = {show(each)}" for key, each in did.called.fast.items())
        return f"{name} opens a frame for {did.called.listing.name}{f', with {given}' if given else ''}."
    if did.result is not NULL:
        rest = f"and {machine.frames[-1].listing.name} goes on" if machine.frames else "and the program ends"
        return f"{name} gives {show(did.result)} back, {rest}."
    match name:
        case "RESUME":
            return f"RESUME marks the beginning of {did.frame.listing.name}."
        case "LOAD_CONST" | "LOAD_SMALL_INT":
            return f"{name} puts the constant {put[-1]} on the stack."
        case "PUSH_NULL":
            return "PUSH_NULL keeps a place on the stack free, which a method would use for its object."
        case "POP_TOP" | "POP_ITER" | "END_FOR":
            return f"{name} drops {taken[-1]}, which nobody needs."
        case "FOR_ITER" if did.jumped:
            return f"FOR_ITER finds nothing left to walk over, and the loop ends at offset {offset(did)}."
        case "FOR_ITER":
            return f"FOR_ITER asks the iterator for its next value and puts it on the stack: {put[-1]}."
        case "BINARY_OP" | "COMPARE_OP" | "IS_OP" | "CONTAINS_OP" | "BINARY_SUBSCR":
            sign = did.instruction.says.replace("bool(", "").rstrip(")")
            middle = f" {sign} " if sign and name in ("BINARY_OP", "COMPARE_OP") and sign != "[]" else " and "
            return f"{name} takes {middle.join(taken)} off the stack and puts {put[-1]} back."
        case "CALL" | "CALL_KW":
            return f"{name} lets {called(did)} do its work and puts {put[-1]} on the stack."
        case "GET_ITER":
            return f"GET_ITER makes an iterator of {taken[-1]}."
    if "JUMP" in name:
        where = f"goes to offset {offset(did)}" if did.jumped else "goes straight on"
        return f"{name} {'takes ' + taken[-1] + ' and ' if taken else ''}{where}."
    if name.startswith("LOAD") and isinstance(value, str) and len(put) == 1:
        return f"{name} puts {value} on the stack: {put[-1]}."
    if name.startswith("LOAD") and put:
        return f"{name} puts {did.instruction.says.replace('NULL|self', 'self')} on the stack: {' and '.join(put)}."
    if name.startswith("STORE") and isinstance(value, str):
        return f"{name} takes {taken[-1]} off the stack and calls it {value}."
    return in_general(name, taken, put)


def in_general(name: str, taken: list[str], put: list[str]) -> str:
    if taken and put:
        return f"{name} takes {', '.join(taken)} off the stack and puts {', '.join(put)} on it."
    if taken or put:
        return (
            f"{name} takes {', '.join(taken)} off the stack." if taken else f"{name} puts {', '.join(put)} on it."
        )
    return f"{name} changes nothing on the stack."


def called(did: Did) -> str:
    found = next((each for each in did.popped if each is not NULL), None)
    return getattr(found, "name", type(found).__name__)


def offset(did: Did) -> int:
    return did.frame.listing.instructions[did.frame.next].offset


def raised(machine: Machine, did: Did) -> str:
    problem = f"{type(did.raised).__name__} ({str(did.raised)[:80].partition('. ')[0].rstrip('.')})"
    if not machine.frames:
        return f"{did.instruction.name} raises {problem}, which nothing catches."
    top = machine.frames[-1]
    where = f"the handler at offset {top.listing.instructions[top.next].offset}"
    return f"{did.instruction.name} raises {problem}, and {where} of {top.listing.name} takes over."
