"""Declarations: from ``unsigned char *rows[3]`` to a name and a type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labs.models.c import tree, types
from labs.models.c.cursor import Scope, shown
from labs.models.c.expressions import Expressions
from labs.models.c.tokens import Token

MOST_BYTES = 1 << 20  # of one variable
SPECIFIERS: dict[tuple[str, ...], types.Type] = {
    ("void",): types.VOID,
    ("_Bool",): types.BOOL,
    ("char",): types.CHAR,
    ("char", "signed"): types.SIGNED_CHAR,
    ("char", "unsigned"): types.UNSIGNED_CHAR,
    ("short",): types.SHORT,
    ("short", "unsigned"): types.UNSIGNED_SHORT,
    ("int",): types.INT,
    ("unsigned",): types.UNSIGNED,
    ("long",): types.LONG,
    ("long", "unsigned"): types.UNSIGNED_LONG,
    ("float",): types.FLOAT,
    ("double",): types.DOUBLE,
}
WORDS = {"void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"}
QUALIFIERS = {"const", "static", "inline", "typedef"}
Wrap = Callable[[types.Type], types.Type]


@dataclass(frozen=True)
class Specified:
    """What stands before the first name: a type, and whether static, const or typedef."""

    type: types.Type
    words: frozenset[str]


@dataclass(frozen=True)
class Declarator:
    """One name and its type; for a function also its parameters, and with a constant pointer or array, that."""

    token: Token | None
    type: types.Type
    parameters: tuple[tree.Parameter, ...] | None
    constant: bool


class Declarations(Expressions):
    def starts_type(self, token: Token) -> bool:
        if token.kind == "keyword":
            return token.text in WORDS | QUALIFIERS | {"struct", "union", "enum"}
        meaning = self.scope.meaning(token.text) if token.kind == "name" else None
        return meaning is not None and not isinstance(meaning, int)

    def type_name(self) -> types.Type:
        """The type in a cast or in sizeof."""
        first = self.token
        specified = self.specifiers()
        if specified.words - {"const"}:
            self.fail("only a type can stand here", first)
        made = self.declarator(specified)
        if made.token:
            self.fail(f"a type has no name here; leave {made.token.text!r} out", made.token)
        return made.type

    def specifiers(self) -> Specified:
        first, words, qualifiers = self.token, list[str](), set[str]()
        found: types.Type | None = None
        while self.starts_type(self.token) and not (self.token.kind == "name" and (found or words)):
            token = self.next()
            if token.text in QUALIFIERS:
                qualifiers.add(token.text)
            elif token.text in ("struct", "union"):
                found = self.struct(token.text)
            elif token.text == "enum":
                found = self.enum()
            elif token.kind == "name":
                meaning = self.scope.meaning(token.text)
                assert not isinstance(meaning, int)
                found = meaning
            else:
                words.append(token.text)
        if words and found:
            self.fail(f"{words[0]} cannot be joined with {found}", first)
        if words:
            found = SPECIFIERS.get(_normal(words))
            if not found:
                self.fail(f"there is no type {' '.join(words)}", first)
        if not found:
            self.fail(f"expected a type, found {shown(self.token)}")
        return Specified(found, frozenset(qualifiers))

    def struct(self, word: str) -> types.Struct:
        tag = self.next() if self.token.kind == "name" else None
        if not self.sees("{"):
            if not tag:
                self.fail(f"expected the name of a {word}, or its members in braces")
            known = self.scope.struct(tag.text)
            if not known:
                known = self.scope.structs[tag.text] = types.Struct(tag.text, union=word == "union")
            if known.word != word:
                self.fail(f"{tag.text} is a {known.word}; write {known}", tag)
            return known
        made = self.scope.structs.get(tag.text) if tag else None
        if made is None:
            made = types.Struct(tag.text if tag else "", union=word == "union")
            if tag:
                self.scope.structs[tag.text] = made
        elif made.complete:
            self.fail(f"{made} has its members already", tag)
        self.next()
        members: list[tuple[str, types.Type]] = []
        while not self.take("}"):
            specified = self.specifiers()
            while True:
                one = self.declarator(specified)
                name = one.token or self.fail(f"expected the name of a member, which {specified.type} needs, too")
                if self.sees(":"):
                    self.fail("this subset of C has no bit-fields; use & and | on an unsigned member")
                self.check_object(one.type, name)
                if members and getattr(members[-1][1], "length", 0) == UNKNOWN:
                    self.fail(f"only the last member of a {word} may be an array without a length", name)
                if any(name.text == other for other, _ in members):
                    self.fail(f"there are two members {name.text}", name)
                members.append((name.text, one.type))
                if not self.take(","):
                    break
            self.expect(";", "after a member")
        if not members:
            self.fail(f"a {word} needs a member")
        if len(members) == 1 and getattr(members[0][1], "length", 0) == UNKNOWN:
            self.fail(f"an array without a length cannot be the only member of a {word}")
        made.define(members)
        return made

    def enum(self) -> types.Type:
        """As in gcc: its constants are int, and it is unsigned unless one of them is negative."""
        tag = self.next() if self.token.kind == "name" else None
        if not self.sees("{"):
            if not tag:
                self.fail("expected the name of an enum, or its constants in braces")
            return self.scope.enum(tag.text) or self.fail(f"enum {tag.text} has no constants yet", tag)
        kind = types.UNSIGNED
        if self.take("{"):
            value = 0
            while not self.take("}"):
                name = self.name("the name of a constant")
                if self.take("="):
                    value = self.constant("the value of an enum's constant")
                self.scope.names[name.text] = types.INT.wrap(value)
                kind = types.INT if types.INT.wrap(value) < 0 else kind
                value += 1
                if not self.take(","):
                    self.expect("}", "after the constants")
                    break
        if tag:
            self.scope.enums[tag.text] = kind
        return kind

    def declarator(self, specified: Specified) -> Declarator:
        self.deeper()
        token, wrap, parameters, constant = self._shape()
        self.depth -= 1
        kind = wrap(specified.type)
        constant = constant or ("const" in specified.words and not isinstance(kind, types.Pointer))
        return Declarator(token, kind, parameters if isinstance(kind, types.Function) else None, constant)

    def _shape(self) -> tuple[Token | None, Wrap, tuple[tree.Parameter, ...] | None, bool]:
        """What stands around a name, as a function from the specified type to the whole: C is read inside out."""
        pointers, constant = 0, False
        while self.take("*"):
            pointers, constant = pointers + 1, False
            while self.take("const"):
                constant = True
        inner: Wrap = _same
        token, parameters = None, None
        if (
            self.sees("(")
            and (self.following().text in ("*", "(") or self.following().kind == "name")
            and not (self.starts_type(self.following()))
        ):
            self.next()
            token, inner, parameters, constant = self._shape()
            self.expect(")", "to close the bracket")
        elif self.token.kind == "name":
            token = self.next()
        suffixes: list[Wrap] = []
        while self.sees("[", "("):
            if self.take("["):
                suffixes.append(self._array())
            else:
                opening = self.next()
                found, variadic = self.parameters()
                parameters = tuple(found)
                suffixes.append(self._function(parameters, variadic, opening))

        def wrap(kind: types.Type) -> types.Type:
            for _ in range(pointers):
                kind = types.Pointer(kind)
            for suffix in reversed(suffixes):
                kind = suffix(kind)
            return inner(kind)

        return token, wrap, parameters, constant

    def _array(self) -> Wrap:
        token = self.token
        length = UNKNOWN if self.sees("]") else self.constant("the length of an array", VARYING)
        self.expect("]", "after the length")
        if length < 1 and length != UNKNOWN:
            self.fail(f"an array has at least one item, not {length}", token)

        def wrap(of: types.Type) -> types.Type:
            if isinstance(of, types.Array) and of.length == UNKNOWN:
                self.fail("only the first length of an array may be left out", token)
            self.check_object(of, token)
            if of.size * length > MOST_BYTES:
                self.fail(f"this array has {of.size * length:,} bytes; a variable may have {MOST_BYTES:,}", token)
            return types.Array(of, length)

        return wrap

    def _function(self, parameters: tuple[tree.Parameter, ...], variadic: bool, opening: Token) -> Wrap:
        def wrap(returns: types.Type) -> types.Type:
            if isinstance(returns, types.Array | types.Function):
                whole = f"a function returns no {returns}"
                self.fail(f"{whole}; hand over a pointer to where it should write that", opening)
            return types.Function(returns, tuple(each.type for each in parameters), variadic)

        return wrap

    def parameters(self) -> tuple[list[tree.Parameter], bool]:
        """Up to the closing bracket, which is taken."""
        found: list[tree.Parameter] = []
        if self.take(")"):
            return found, False
        if self.sees("void") and self.following().text == ")":
            self.next()
            self.next()
            return found, False
        while True:
            if self.take("..."):
                self.fail(
                    "this subset of C has no functions of its own with ...; hand over an array and its length"
                )
            first = self.token
            one = self.declarator(self.specifiers())
            kind = types.decay(one.type)
            self.check_object(kind, first)
            place = (one.token or first).place
            found.append(tree.Parameter(place, self.span(first), one.token.text if one.token else "", kind))
            if not self.take(","):
                break
        self.expect(")", "after the parameters")
        return found, False

    def check_object(self, kind: types.Type, token: Token) -> None:
        """A variable, member or item must have a size."""
        if isinstance(kind, types.Struct) and not kind.complete:
            self.fail(f"{kind} has no members yet; write them before this", token)
        if isinstance(kind, types.Void | types.Function):
            self.fail(f"nothing can be of type {kind}; a pointer to it can", token)

    def inner_scope(self) -> Scope:
        self.scope = Scope(self.scope)
        return self.scope


VARYING = "; take malloc for another, and a pointer for a parameter"
UNKNOWN = -1  # the length of an array that its initialiser will tell


def _same(kind: types.Type) -> types.Type:
    return kind


def _normal(words: list[str]) -> tuple[str, ...]:
    """``unsigned long int`` and ``long unsigned`` are one type; int is implied, signed too, except on char."""
    rest = sorted(words)
    for _ in range(rest.count("long") - 1):
        rest.remove("long")  # long long is as wide as long
    if len(rest) > 1 and "int" in rest:
        rest.remove("int")
    if "signed" in rest and rest != ["char", "signed"]:
        rest.remove("signed")
    return tuple(rest or ["int"])
