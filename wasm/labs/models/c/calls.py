"""Calls: by name or through a pointer, with structs handed over whole.

Machines hand over what fits into registers. A struct lies in memory: its caller passes its address, and the
function copies it before anything else; one that is returned is written to a place that the caller has made.
"""

from __future__ import annotations

from abc import abstractmethod

from labs.models.c import tree, types
from labs.models.c.code import Address, Constant, Instruction, Operand, Slot
from labs.models.c.library import LIBRARY
from labs.models.c.operations import Operations
from labs.models.c.types import a

ABSENT = {
    **dict.fromkeys(
        ("fopen", "fclose", "fgetc", "fscanf", "fread", "fwrite", "perror"),
        "this machine has no files; read with scanf or fgets(…, stdin), and write with printf",
    ),
    **dict.fromkeys(("time", "clock"), "this machine has no clock; srand takes any number"),
    "gets": "nothing tells it how much room there is; use fgets(…, stdin)",
    "system": "this machine runs one program; write what it should do",
}
"""What a program may expect of the library, and what to write instead."""


def lowered(kind: types.Function) -> types.Function:
    """With pointers in place of structs, and the place of the one that is returned in front."""
    parameters = [types.Pointer(each) if isinstance(each, types.Struct) else each for each in kind.parameters]
    if not isinstance(kind.returns, types.Struct):
        return types.Function(kind.returns, tuple(parameters), kind.variadic)
    return types.Function(types.VOID, (types.Pointer(kind.returns), *parameters), kind.variadic)


class Calls(Operations):
    returns: types.Type
    """What the function promises."""
    result: Slot
    """Where it finds the place for a struct that it returns."""

    @abstractmethod
    def value(self, node: tree.Expression) -> Operand:
        """Code that computes a value."""

    @abstractmethod
    def fill(self, initial: tree.Initial, kind: types.Type, address: Operand) -> None:
        """Code that gives a new variable its first value."""

    def take(self, definition: tree.Definition) -> None:
        """The parameters: a struct is copied from where its pointer leads."""
        structs: list[tuple[tree.Parameter, Slot]] = []
        if isinstance(self.returns, types.Struct):
            self.result = self.slot("", types.Pointer(self.returns), definition.place, parameter=True)
        for parameter in definition.parameters:
            if isinstance(parameter.type, types.Struct):
                pointer = types.Pointer(parameter.type)
                structs.append((parameter, self.slot("", pointer, parameter.place, parameter=True)))
                continue
            made = self.slot(parameter.name, parameter.type, parameter.place, parameter=True)
            self.scopes[-1][parameter.name] = made
        for parameter, slot in structs:
            made = self.slot(parameter.name, parameter.type, parameter.place)
            self.scopes[-1][parameter.name] = made
            self.emit(parameter, "live", name=made.key)
            self.emit(
                parameter,
                "copy",
                made.type,
                self.address(made),
                self.pointed_by(parameter, slot),
                size=made.type.size,
            )

    def address(self, slot: Slot) -> Address:
        return Address(slot.key, local=True, type=types.Pointer(slot.type))

    def pointed_by(self, node: tree.Node, slot: Slot) -> Operand:
        return self.put(node, "load", slot.type, self.address(slot), kind=slot.type)

    def call(self, node: tree.Call) -> Operand:
        pointer = self.pointer(node)
        kind = pointer.type.to if pointer and isinstance(pointer.type, types.Pointer) else self.function(node.name)
        if not isinstance(kind, types.Function):
            if node.name in ABSENT:
                self.fail(node, f"{node.name} is not here: {ABSENT[node.name]}")
            self.fail(node, f"there is no function {node.name}; define it before it is called, or declare it there")
        name = node.name or "this function"
        fixed = len(kind.parameters)
        if len(node.arguments) != fixed and not (kind.variadic and len(node.arguments) > fixed):
            wants = f"{'at least ' * kind.variadic}{fixed} {'argument' if fixed == 1 else 'arguments'}"
            self.fail(node, f"{name} takes {wants}, and this call has {len(node.arguments)}")
        arguments = [] if pointer is None else [pointer]
        into = None
        if isinstance(kind.returns, types.Struct):
            self.need_complete(node, kind.returns)
            into = self.unnamed(node, kind.returns)
            arguments.append(into)
        for n, each in enumerate(node.arguments):
            found = self.value(each)
            if n < fixed:
                found = self.converted(each, found, kind.parameters[n])
                if isinstance(found.type, types.Struct):
                    found = self.typed(found, types.Pointer(found.type))
                arguments.append(found)
            else:  # behind the dots a float becomes a double, and what is narrower than int an int
                if not types.is_scalar(found.type):
                    self.fail(each, f"{name} takes numbers and pointers, not {a(found.type)}")
                wider = types.DOUBLE if found.type == types.FLOAT else types.promote(found.type)
                arguments.append(self.convert(each, found, wider))
        returns = lowered(kind).returns
        result = None if isinstance(returns, types.Void) else self.temporary(returns)
        called = "" if pointer else node.name
        self.append(Instruction("call", node.place, node.span, returns, result, tuple(arguments), called))
        if into:
            return self.typed(into, kind.returns)
        return result or Constant(0, types.VOID)

    def pointer(self, node: tree.Call) -> Operand | None:
        """What is called, unless it is a function that has a name."""
        if node.callee is None and self.named(node.name) is None:
            return None
        found = self.value(node.callee or tree.Name(node.place, node.span, node.name))
        if not types.points_to_function(found.type):
            self.fail(node, f"{node.name or 'this'} is {a(found.type)}, and only functions are called")
        return found

    def function(self, name: str) -> types.Function | None:
        return self.program.declared.get(name) or (LIBRARY.get(name) if not self.named(name) else None)

    def function_address(self, node: tree.Expression) -> Operand | None:
        """Of a function that is named, with or without an &."""
        name = node.operand if isinstance(node, tree.Unary) else node
        if not isinstance(name, tree.Name) or self.named(name.name) is not None:
            return None
        if name.name in self.program.declared:
            kind = self.program.declared[name.name]
            return Address(name.name, local=False, type=types.Pointer(kind))
        if name.name in LIBRARY:
            self.fail(node, f"{name.name} of the library has no address here; write a function that calls it")
        return None

    def unnamed(self, node: tree.Node, kind: types.Type) -> Operand:
        """The place of a new variable that the program does not name."""
        slot = self.slot("", kind, node.place)
        self.emit(node, "live", name=slot.key)
        return Address(slot.key, local=True, type=types.Pointer(kind))
