"""Statements, functions and the whole program."""

from __future__ import annotations

from labs.models.c import tree, types
from labs.models.c.cursor import shown
from labs.models.c.declare import UNKNOWN, Declarator, Specified
from labs.models.c.library import LIBRARY
from labs.models.c.lists import Lists
from labs.models.c.macros import MOST
from labs.models.c.tokens import Token


def parse(source: str, most: int = MOST) -> tree.Program:
    """The tree of a program. Raises ``CError`` at the first thing that is not C, or not in this subset."""
    return Parser(source, most).program()


class Parser(Lists):
    def __init__(self, source: str, most: int) -> None:
        super().__init__(source, most)
        self.library: list[Token] = []
        """Names of the library that are declared with another type: right only if a body follows."""

    def program(self) -> tree.Program:
        program = tree.Program()
        while self.token.kind != "end":
            self.outermost(program)
        for token in self.library:
            if token.text not in program.functions:
                self.fail(f"{token.text} of the library is {LIBRARY[token.text]}", token)
        return program

    def outermost(self, program: tree.Program) -> None:
        """A function, or variables outside of functions."""
        first = self.token
        if not self.starts_type(first):
            if self.take("_Static_assert"):
                return self.asserted(first)
            self.fail(f"expected a function or a variable, which begin with a type; found {shown(first)}")
        specified = self.specifiers()
        if self.take(";"):
            return
        one = self.declarator(specified)
        named = "typedef" in specified.words
        if isinstance(one.type, types.Function) and self.sees("{"):
            self.define(program, one, first)
            return
        while True:
            if isinstance(one.type, types.Function) and not named:
                self.declare_function(program, one)
            elif found := self.variable(specified, one, first):
                if any(found.name == other.name for other in program.variables):
                    self.fail(f"there are two variables {found.name}", one.token)
                program.variables.append(found)
            if not self.take(","):
                break
            one = self.declarator(specified)
        self.expect(";", "after the declaration")

    def declare_function(self, program: tree.Program, one: Declarator) -> None:
        if not one.token:
            self.fail("expected the name of a function")
        assert isinstance(one.type, types.Function)
        known = program.declared.get(one.token.text)
        if known and known != one.type:
            self.fail(f"{one.token.text} was declared as {known} before", one.token)
        if LIBRARY.get(one.token.text, one.type) != one.type:
            self.library.append(one.token)
        program.declared[one.token.text] = one.type
        self.scope.names[one.token.text] = None

    def define(self, program: tree.Program, one: Declarator, first: Token) -> None:
        self.declare_function(program, one)
        assert one.token
        assert isinstance(one.type, types.Function)
        if one.token.text in program.functions:
            self.fail(f"{one.token.text} has a body already", one.token)
        outer, scope = self.scope, self.inner_scope()
        for parameter in one.parameters or ():
            if not parameter.name:
                self.fail(f"the parameters of {one.token.text} need names", one.token)
            if parameter.name in scope.names:
                self.fail(f"{one.token.text} has two parameters {parameter.name}", one.token)
            scope.names[parameter.name] = None
            scope.kinds[parameter.name] = parameter.type
        body = self.block(own_scope=False)
        self.scope = outer
        program.functions[one.token.text] = tree.Definition(
            one.token.place, self.span(first), one.token.text, one.type, one.parameters or (), body
        )

    def variable(self, specified: Specified, one: Declarator, first: Token) -> tree.Variable | None:
        """A variable with its initialiser, or None for a typedef, which only names a type."""
        name = one.token or self.fail(f"expected a name, found {shown(self.token)}")
        if "typedef" in specified.words:
            self.scope.names[name.text] = one.type
            return None
        self.scope.names[name.text] = None
        kind, initial = one.type, None
        if self.take("="):
            initial = self.initial()
            kind = self.with_length(kind, initial, name)
        elif isinstance(kind, types.Array) and kind.length == UNKNOWN:
            self.fail(f"write how many items {name.text} has, between the brackets", name)
        self.check_object(kind, name)
        self.scope.kinds[name.text] = kind
        return tree.Variable(
            name.place, self.span(first), name.text, kind, initial, "static" in specified.words, one.constant
        )

    def block(self, own_scope: bool = True) -> tree.Block:
        first = self.expect("{", "to begin a block")
        self.deeper()
        outer = self.scope
        if own_scope:
            self.inner_scope()
        body: list[tree.Statement] = []
        while not self.take("}"):
            if self.token.kind == "end":
                self.fail("this block has no end; close it with }", first)
            body.append(self.statement())
        self.scope = outer
        self.depth -= 1
        return tree.Block(first.place, self.span(first), tuple(body))

    def statement(self) -> tree.Statement:
        first = self.token
        self.deeper()
        if self.starts_type(first) and not (first.kind == "name" and self.following().text == ":"):
            found = self.declaration()
        elif first.kind == "keyword" and (parse := getattr(self, f"_{first.text}", None)):
            self.next()
            found = parse(first)
        elif self.take("_Static_assert"):
            self.asserted(first)
            found = tree.Block(first.place, self.span(first), ())
        elif self.sees("{"):
            found = self.block()
        elif self.take(";"):
            found = tree.Block(first.place, self.span(first), ())
        elif first.kind == "name" and self.following().text == ":":
            self.next()
            self.next()
            found = tree.Mark(first.place, self.span(first), first.text)
        else:
            expression = self.expression()
            self.expect(";", "after the statement")
            found = tree.Evaluate(first.place, self.span(first), expression)
        self.depth -= 1
        return found

    def asserted(self, first: Token) -> None:
        """The rest of a _Static_assert: it holds, or is refused."""
        self.expect("(", "after _Static_assert")
        held = self.constant("what is asserted")
        said = self.next() if self.take(",") else first
        self.expect(")", "after what is asserted")
        self.expect(";", "after _Static_assert ( )")
        if not held:
            self.fail(f"this does not hold: {said.data.decode(errors='replace') or 'the assertion is 0'}", first)

    def declaration(self) -> tree.Statement:
        first = self.token
        specified = self.specifiers()
        found: list[tree.Variable] = []
        while not self.sees(";"):
            one = self.declarator(specified)
            if isinstance(one.type, types.Function):
                self.fail("declare functions outside of functions", one.token)
            if made := self.variable(specified, one, first):
                found.append(made)
            if not self.take(","):
                break
        self.expect(";", "after the declaration")
        return tree.Declare(first.place, self.span(first), tuple(found))

    def condition(self, keyword: str) -> tree.Expression:
        self.expect("(", f"after {keyword}")
        found = self.expression()
        self.expect(")", f"after the condition of {keyword}")
        return found

    def _if(self, first: Token) -> tree.Statement:
        condition = self.condition("if")
        yes = self.statement()
        no = self.statement() if self.take("else") else None
        return tree.If(first.place, self.span(first), condition, yes, no)

    def _else(self, first: Token) -> tree.Statement:
        self.fail("this else has no if before it", first)

    def _while(self, first: Token) -> tree.Statement:
        condition = self.condition("while")
        return tree.Loop(first.place, self.span(first), "while", None, condition, None, self.statement())

    def _do(self, first: Token) -> tree.Statement:
        body = self.statement()
        self.expect("while", "after the body of do")
        condition = self.condition("while")
        self.expect(";", "after do … while ( )")
        return tree.Loop(first.place, self.span(first), "do", None, condition, None, body)

    def _for(self, first: Token) -> tree.Statement:
        self.expect("(", "after for")
        outer = self.scope
        self.inner_scope()
        before: tree.Statement | None = None
        if self.starts_type(self.token):
            before = self.declaration()
        elif not self.take(";"):
            token = self.token
            before = tree.Evaluate(token.place, self.span(token), self.expression())
            self.expect(";", "after the first part of for")
        condition = None if self.sees(";") else self.expression()
        self.expect(";", "after the condition of for")
        after = None if self.sees(")") else self.expression()
        self.expect(")", "after the last part of for")
        body = self.statement()
        self.scope = outer
        return tree.Loop(first.place, self.span(first), "for", before, condition, after, body)

    def _switch(self, first: Token) -> tree.Statement:
        value = self.condition("switch")
        return tree.Switch(first.place, self.span(first), value, self.statement())

    def _case(self, first: Token) -> tree.Statement:
        value = self.constant("the value of a case")
        self.expect(":", "after the value of a case")
        return tree.Case(first.place, self.span(first), value)

    def _default(self, first: Token) -> tree.Statement:
        self.expect(":", "after default")
        return tree.Case(first.place, self.span(first), None)

    def _goto(self, first: Token) -> tree.Statement:
        name = self.name("the name of a label after goto")
        self.expect(";", "after the label")
        return tree.Goto(first.place, self.span(first), name.text)

    def _break(self, first: Token) -> tree.Statement:
        self.expect(";", "after break")
        return tree.Leave(first.place, self.span(first), "break")

    def _continue(self, first: Token) -> tree.Statement:
        self.expect(";", "after continue")
        return tree.Leave(first.place, self.span(first), "continue")

    def _return(self, first: Token) -> tree.Statement:
        value = None if self.sees(";") else self.expression()
        self.expect(";", "after return")
        return tree.Return(first.place, self.span(first), value)
