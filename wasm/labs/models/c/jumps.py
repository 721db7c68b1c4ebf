"""goto: a jump ends the variables of the blocks that it leaves, and begins those whose declarations it passes."""

from __future__ import annotations

from dataclasses import dataclass

from labs.models.c import tree
from labs.models.c.code import Slot
from labs.models.c.initials import Initials


@dataclass(frozen=True)
class Spot:
    """A label or a goto."""

    node: tree.Mark | tree.Goto
    label: int
    live: list[Slot]
    """The variables that exist there."""


class Jumps(Initials):
    spots: dict[str, Spot]
    """By the names of labels."""
    gotos: list[Spot]

    def alive(self) -> list[Slot]:
        known = (slot for scope in self.scopes for slot in scope.values())
        return [slot for slot in known if isinstance(slot, Slot) and not slot.parameter]

    def mark_spot(self, node: tree.Mark) -> None:
        if node.name in self.spots:
            self.fail(node, f"there are two labels {node.name} in this function")
        self.spots[node.name] = Spot(node, self.new_label(), self.alive())
        self.mark(node, self.spots[node.name].label)

    def go(self, node: tree.Goto) -> None:
        """By way of what is written at the end, once it is known where the label stands."""
        self.emit(node, "statement")
        way = Spot(node, self.new_label(), self.alive())
        self.gotos.append(way)
        self.emit(node, "jump", label=way.label)

    def ways(self) -> None:
        for way in self.gotos:
            to = self.spots.get(way.node.name)
            if not to:
                known = ", ".join(self.spots) or "none"
                self.fail(way.node, f"there is no label {way.node.name} in this function; the labels are: {known}")
            self.mark(way.node, way.label)
            for slot in reversed(way.live):
                if slot not in to.live:
                    self.emit(way.node, "dead", name=slot.key)
            for slot in to.live:
                if slot not in way.live:
                    self.emit(way.node, "live", name=slot.key)
            self.emit(way.node, "jump", label=to.label)
