"""From tree to three-address code: statements, functions and the whole program. Types are checked on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from labs.models.c import images, tree, types
from labs.models.c.calls import lowered
from labs.models.c.code import Address, Constant, Routine, Slot, Unit
from labs.models.c.jumps import Jumps
from labs.models.c.library import LIBRARY
from labs.models.c.macros import MOST
from labs.models.c.parse import parse
from labs.models.c.trouble import CError


def compile_c(source: str, most: int = MOST) -> Unit:
    """Three-address code of a program. Raises ``CError`` with the first thing that is wrong, and where."""
    return lower(source, parse(source, most))


def lower(source: str, program: tree.Program) -> Unit:
    """Three-address code of a tree. Raises ``CError``."""
    unit = Unit(source, functions=frozenset(program.functions))
    for variable in program.variables:
        images.place_global(unit, variable, variable.name)
    for definition in program.functions.values():
        routine = Routine(definition.name, lowered(definition.type), definition.place, definition.span)
        unit.routines[definition.name] = routine
        Lowerer(unit, program, routine).define(definition)
    for routine in unit.routines.values():
        for each in routine.body:
            names = [it.of for it in each.operands if isinstance(it, Address) and not it.local]
            names += [each.name] if each.op == "call" and each.name and each.name not in LIBRARY else []
            for name in names:
                if name not in unit.routines and name not in unit.globals:
                    raise CError(f"{name} is declared, and has no body; write one", each.place)
    return unit


@dataclass(frozen=True)
class Way:
    """Where break or continue goes, and how many blocks are open there."""

    label: int
    blocks: int


@dataclass
class Cases:
    """The cases of a switch, by their nodes."""

    outer: int
    """How many scopes are open around it."""
    labels: dict[int, int] = field(default_factory=dict)
    passed: dict[int, list[Slot]] = field(default_factory=dict)
    """Variables whose declarations a jump to the case passes: they exist there, and have no value."""


class Lowerer(Jumps):
    """One function."""

    def __init__(self, unit: Unit, program: tree.Program, routine: Routine) -> None:
        super().__init__(unit, program, routine)
        self.breaks: list[Way] = []
        self.continues: list[Way] = []
        self.cases: list[Cases] = []  # of each switch around
        self.spots, self.gotos = {}, []

    def define(self, definition: tree.Definition) -> None:
        self.returns = definition.type.returns
        self.take(definition)
        self.statement(definition.body)
        end = replace(definition.body, span=(definition.span[1] - 1, definition.span[1]))
        if definition.name == "main" and self.returns == types.INT:
            self.emit(end, "return", types.INT, Constant(0, types.INT))
        else:  # running off the end of a function that promises a value is found when it happens
            self.emit(end, "return", types.VOID)
        self.ways()

    def statement(self, node: tree.Statement) -> None:
        match node:
            case tree.Block():
                self.block(node)
            case tree.Declare():
                for variable in node.variables:
                    self.declare(variable)
            case tree.Evaluate():
                self.emit(node, "statement")
                self.value(node.expression)
            case tree.If():
                self.choose_way(node)
            case tree.Loop():
                self.loop(node)
            case tree.Switch():
                self.switch(node)
            case tree.Case():
                self.case(node)
            case tree.Leave():
                ways = self.breaks if node.keyword == "break" else self.continues
                if not ways:
                    around = "a loop or switch" if node.keyword == "break" else "a loop"
                    self.fail(node, f"{node.keyword} stands outside of {around}")
                self.emit(node, "statement")
                self.end_lives(node, ways[-1].blocks)
                self.emit(node, "jump", label=ways[-1].label)
            case tree.Mark():
                self.mark_spot(node)
            case tree.Goto():
                self.go(node)
            case tree.Return():
                self.give_back(node)

    def block(self, node: tree.Block) -> None:
        self.scopes.append({})
        for each in node.body:
            self.statement(each)
        self.end_lives(node, len(self.scopes) - 1)
        self.scopes.pop()

    def end_lives(self, node: tree.Node, blocks: int) -> None:
        """The variables of all blocks but the outer ones end here."""
        for scope in reversed(self.scopes[blocks:]):
            for slot in scope.values():
                if isinstance(slot, Slot) and not slot.parameter:
                    self.emit(node, "dead", name=slot.key)

    def declare(self, variable: tree.Variable) -> None:
        if variable.name in self.scopes[-1] or (len(self.scopes) == 2 and variable.name in self.scopes[0]):
            self.fail(variable, f"there are two variables {variable.name} in this block")
        if variable.static:
            name = f"{self.routine.name}.{variable.name}"
            while name in self.unit.globals:
                name += "'"
            self.scopes[-1][variable.name] = images.place_global(self.unit, variable, name)
            return
        slot = self.slot(variable.name, variable.type, variable.place)
        self.scopes[-1][variable.name] = slot
        self.emit(variable, "statement")
        self.emit(variable, "live", name=slot.key)
        if variable.initial is not None:
            address = Address(slot.key, local=True, type=types.Pointer(variable.type))
            self.fill(variable.initial, variable.type, address)
        if variable.constant:
            self.constants.add(id(slot))
            self.emit(variable, "constant", name=slot.key)

    def choose_way(self, node: tree.If) -> None:
        yes, no, end = self.new_label(), self.new_label(), self.new_label()
        self.emit(node.condition, "statement")
        self.condition(node.condition, yes, no if node.no else end)
        self.mark(node.yes, yes)
        self.alone(node.yes)
        if node.no:
            self.emit(node.yes, "jump", label=end)
            self.mark(node.no, no)
            self.alone(node.no)
        self.mark(node, end)

    def alone(self, node: tree.Statement) -> None:
        """A statement as a block of its own, as the bodies of if and of loops are."""
        self.block(node if isinstance(node, tree.Block) else tree.Block(node.place, node.span, (node,)))

    def loop(self, node: tree.Loop) -> None:
        body, test, after, end = (self.new_label() for _ in range(4))
        self.scopes.append({})
        if node.first:
            self.statement(node.first)
        if node.keyword != "do":
            self.emit(node, "jump", label=test)
        self.mark(node, body)
        blocks = len(self.scopes)
        self.breaks.append(Way(end, blocks))
        self.continues.append(Way(after, blocks))
        self.alone(node.body)
        self.breaks.pop()
        self.continues.pop()
        self.mark(node, after)
        if node.after:
            self.emit(node.after, "statement")
            self.value(node.after)
        self.mark(node, test)
        if node.condition:
            self.emit(node.condition, "statement")
            self.condition(node.condition, body, end)
        else:
            self.emit(node, "jump", label=body)
        self.mark(node, end)
        self.end_lives(node, len(self.scopes) - 1)
        self.scopes.pop()

    def switch(self, node: tree.Switch) -> None:
        self.emit(node.value, "statement")
        value = self.value(node.value)
        if not isinstance(value.type, types.Integer):
            self.fail(node, f"switch needs a whole number, and this is {value.type}")
        kind = types.promote(value.type)
        assert isinstance(kind, types.Integer)
        value = self.convert(node.value, value, kind)
        end, cases, seen = self.new_label(), Cases(len(self.scopes)), set[int | None]()
        first, otherwise = len(self.routine.body), end
        for case in cases_of(node.body):
            if (number := case.value if case.value is None else kind.wrap(case.value)) in seen:
                self.fail(case, "there are two " + ("defaults" if number is None else f"cases {number}"))
            seen.add(number)
            cases.labels[id(case)] = label = self.new_label()
            if number is None:
                otherwise = label
                continue
            following = self.new_label()
            same = self.put(case, "==", types.INT, value, Constant(number, kind), kind=kind)
            self.emit(case, "branch", types.INT, same, label=label, other=following)
            self.mark(case, following)
        self.emit(node, "jump", label=otherwise)
        last = len(self.routine.body)
        self.cases.append(cases)
        self.breaks.append(Way(end, len(self.scopes)))
        self.alone(node.body)
        self.breaks.pop()
        self.cases.pop()
        self.begin_passed(node, cases, (first, last), end)
        self.mark(node, end)

    def begin_passed(self, node: tree.Switch, cases: Cases, jumps: tuple[int, int], end: int) -> None:
        """Jumps to a case go by way of the beginnings of the variables that they would pass by."""
        ways: dict[int, int] = {}
        for case, slots in cases.passed.items():
            if not ways:
                self.emit(node, "jump", label=end)
            label = cases.labels[case]
            self.mark(node, way := self.new_label())
            ways[label] = way
            for slot in slots:
                self.emit(node, "live", name=slot.key)
            self.emit(node, "jump", label=label)
        for n in range(*jumps):
            jump = self.routine.body[n]
            if jump.op in ("branch", "jump"):
                self.routine.body[n] = replace(jump, label=ways.get(jump.label, jump.label))

    def case(self, node: tree.Case) -> None:
        if not self.cases or id(node) not in self.cases[-1].labels:
            self.fail(node, "case and default stand inside of a switch")
        cases = self.cases[-1]
        passed = [slot for scope in self.scopes[cases.outer :] for slot in scope.values() if isinstance(slot, Slot)]
        if passed:
            cases.passed[id(node)] = passed
        self.mark(node, cases.labels[id(node)])

    def give_back(self, node: tree.Return) -> None:
        self.emit(node, "statement")
        returns = self.returns
        if node.value is None:
            if returns != types.VOID:
                self.fail(node, f"{self.routine.name} promises {returns}; say which value")
            self.emit(node, "return", types.VOID)
            return
        value = self.value(node.value)
        if returns == types.VOID:
            if value.type != types.VOID:
                self.fail(node, f"{self.routine.name} promises no value; leave it out")
            self.emit(node, "return", types.VOID)
            return
        value = self.converted(node.value, value, returns)
        if isinstance(returns, types.Struct):
            self.emit(node, "copy", returns, self.pointed_by(node, self.result), value, size=returns.size)
            self.emit(node, "return", types.VOID)
            return
        self.emit(node, "return", returns, value)


def cases_of(node: tree.Statement) -> Iterator[tree.Case]:
    """The cases of a switch, not those of a switch inside of it."""
    match node:
        case tree.Case():
            yield node
        case tree.Block(body=body):
            for each in body:
                yield from cases_of(each)
        case tree.If(yes=yes, no=no):
            yield from cases_of(yes)
            if no:
                yield from cases_of(no)
        case tree.Loop(body=inner):
            yield from cases_of(inner)
