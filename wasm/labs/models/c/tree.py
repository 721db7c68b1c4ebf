"""The syntax tree: what the parser found, before anybody asked for types of expressions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from labs.models.c.trouble import Place
from labs.models.c.types import Function, Type


@dataclass(frozen=True)
class Node:
    place: Place
    span: tuple[int, int]
    """First character and the one after the last, in the source."""


# -- expressions -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant(Node):
    value: int | float
    type: Type


@dataclass(frozen=True)
class Text(Node):
    data: bytes
    """Without the final zero."""


@dataclass(frozen=True)
class Name(Node):
    name: str


@dataclass(frozen=True)
class Unary(Node):
    """``+ - ~ ! * &`` before an operand."""

    op: str
    operand: Expression


@dataclass(frozen=True)
class Step(Node):
    """``++`` and ``--``, before or after."""

    op: str
    operand: Expression
    before: bool


@dataclass(frozen=True)
class Binary(Node):
    """Also ``&&``, ``||`` and the comma."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Assign(Node):
    """``op`` is ``=`` or the operator of ``+=`` and its like."""

    op: str
    target: Expression
    value: Expression


@dataclass(frozen=True)
class Choice(Node):
    """``condition ? yes : no``."""

    condition: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True)
class Cast(Node):
    type: Type
    operand: Expression


@dataclass(frozen=True)
class SizeOf(Node):
    of: Expression | Type
    known: Type | None = None
    """The type of the expression, where it can be told before functions are lowered."""


@dataclass(frozen=True)
class Call(Node):
    """Of a function by its name, or of what ``callee`` points to."""

    name: str
    arguments: tuple[Expression, ...]
    callee: Expression | None = None


@dataclass(frozen=True)
class Compound(Node):
    """``(struct point){1, 2}``: a variable without a name."""

    type: Type
    initial: Braces


@dataclass(frozen=True)
class Index(Node):
    base: Expression
    index: Expression


@dataclass(frozen=True)
class Access(Node):
    """``base.member``, or ``base->member`` with ``arrow``."""

    base: Expression
    member: str
    arrow: bool


Expression: TypeAlias = (
    Constant
    | Text
    | Name
    | Unary
    | Step
    | Binary
    | Assign
    | Choice
    | Cast
    | SizeOf
    | Call
    | Compound
    | Index
    | Access
)


@dataclass(frozen=True)
class Braces(Node):
    """``{1, 2, {3}}`` behind an ``=``."""

    items: tuple[Initial | Designated, ...]


@dataclass(frozen=True)
class Designated(Node):
    """``.x = 1`` or ``[3].y = 2`` among the items of a list."""

    path: tuple[str | int, ...]
    value: Initial


Initial: TypeAlias = Expression | Braces

# -- statements --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variable(Node):
    name: str
    type: Type
    initial: Initial | None
    static: bool = False
    constant: bool = False


@dataclass(frozen=True)
class Declare(Node):
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Evaluate(Node):
    expression: Expression


@dataclass(frozen=True)
class Block(Node):
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class If(Node):
    condition: Expression
    yes: Statement
    no: Statement | None


@dataclass(frozen=True)
class Loop(Node):
    """while, do and for are one thing: ``first``, then while ``condition`` holds ``body`` and ``after``."""

    keyword: str
    first: Statement | None
    condition: Expression | None
    after: Expression | None
    body: Statement


@dataclass(frozen=True)
class Switch(Node):
    value: Expression
    body: Statement


@dataclass(frozen=True)
class Case(Node):
    """``case value:``; without a value it is ``default:``."""

    value: int | None


@dataclass(frozen=True)
class Leave(Node):
    """``break`` or ``continue``."""

    keyword: str


@dataclass(frozen=True)
class Mark(Node):
    """``name:``, where a goto may lead."""

    name: str


@dataclass(frozen=True)
class Goto(Node):
    name: str


@dataclass(frozen=True)
class Return(Node):
    value: Expression | None


Statement: TypeAlias = Declare | Evaluate | Block | If | Loop | Switch | Case | Leave | Mark | Goto | Return

# -- the whole ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter(Node):
    name: str
    type: Type


@dataclass(frozen=True)
class Definition(Node):
    """A function with its body."""

    name: str
    type: Function
    parameters: tuple[Parameter, ...]
    body: Block


@dataclass
class Program:
    variables: list[Variable] = field(default_factory=list)
    functions: dict[str, Definition] = field(default_factory=dict)
    declared: dict[str, Function] = field(default_factory=dict)
    """Every function whose type is known, defined or not."""
