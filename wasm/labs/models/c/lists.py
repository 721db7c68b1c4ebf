"""Lists in braces, behind an = or a type in brackets."""

from __future__ import annotations

from labs.models.c import tree, types
from labs.models.c.braces import length
from labs.models.c.declare import MOST_BYTES, UNKNOWN, Declarations
from labs.models.c.tokens import Token


class Lists(Declarations):
    def with_length(self, kind: types.Type, initial: tree.Initial, name: Token) -> types.Type:
        """The type of an array without a length becomes whole by its initialiser."""
        if not isinstance(kind, types.Array) or kind.length != UNKNOWN:
            return kind
        if isinstance(initial, tree.Text) and kind.of.size == 1:
            return types.Array(kind.of, len(initial.data) + 1)
        if isinstance(initial, tree.Braces) and initial.items:
            first = initial.items[0]
            if len(initial.items) == 1 and isinstance(first, tree.Text) and kind.of.size == 1:
                return types.Array(kind.of, len(first.data) + 1)
            found = length(initial, kind.of)
            if found * kind.of.size > MOST_BYTES:
                self.fail(f"this array would have {found:,} items; a variable may have {MOST_BYTES:,} bytes", name)
            return types.Array(kind.of, found)
        self.fail(f"{name.text} needs its items in braces", name)

    def initial(self) -> tree.Initial:
        if not (first := self.take("{")):
            return self.assignment()
        self.deeper()
        items: list[tree.Initial | tree.Designated] = []
        while not self.sees("}"):
            items.append(self.designated() if self.sees(".", "[") else self.initial())
            if not self.take(","):
                break
        self.expect("}", "after the items")
        self.depth -= 1
        return tree.Braces(first.place, self.span(first), tuple(items))

    def designated(self) -> tree.Designated:
        first = self.token
        path: list[str | int] = []
        while op := self.take(".", "["):
            if op.text == ".":
                path.append(self.name("the name of a member after '.'").text)
            else:
                path.append(self.constant("the number of an item"))
                self.expect("]", "after the number of the item")
        self.expect("=", "after the place that is named")
        return tree.Designated(first.place, self.span(first), tuple(path), self.initial())

    def compound(self, first: Token, kind: types.Type) -> tree.Compound:
        initial = self.initial()
        assert isinstance(initial, tree.Braces)
        return tree.Compound(first.place, self.span(first), self.with_length(kind, initial, first), initial)
