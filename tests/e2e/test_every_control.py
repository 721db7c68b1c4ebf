"""Every control and every handle of every figure, by keyboard alone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from extent import ALL
from labs.discover import find
from playwright.sync_api import ElementHandle, Locator, expect
from reader import Figure, Open, Reader
from test_keyboard import ENABLED
from underhood.machine.provenance import has_cuda

PORTABLE = {lab.id for lab in find(("labs",)).values() if not (lab.on_device or lab.measures)}
LABS = sorted(lab.id for lab in find().values() if has_cuda() or lab.runs_on != ("cuda",))

# Of many that are alike, say the cells of a table, so many are tried; the keyboard must reach them all.
ALIKE = 10**9 if ALL else 3

# What takes the focus from now on: its place among what can be used, and whether one can see that it does.
TAKES_FOCUS = f"""async (figure) => {{
  await document.fonts.ready;  // in other letters something may be too large, and scroll
  window.took = [];
  document.addEventListener("focusin", ({{ target }}) => window.took.push([({ENABLED})(figure).indexOf(target),
    getComputedStyle(target).outlineStyle !== "none", target.outerHTML.slice(0, 90)]));
  return ({ENABLED})(figure).length;
}}"""

# What is on its way out of the picture is inert: neither a key nor a pointer reaches it.
SEEN = "(each) => !each.disabled && !each.closest('[inert]') && each.getClientRects().length > 0"
# Of the hundreds of cells of a surface's table only the one with the tab stop: test_surface.py walks to the others.
BUTTONS = f"""(picture) => [...picture.querySelectorAll("button:not(.values [tabindex='-1'])")].filter({SEEN})"""
STOPS = f"""(picture) => [...picture.querySelectorAll('button, input, select, [tabindex]')]
  .filter({SEEN}).filter((each) => each.tabIndex >= 0)"""
# What a pointer drags or types into; buttons may instead be reached by arrow keys.
UNREACHED = f"""(picture) => [...picture.querySelectorAll('[role=slider], input, select, textarea')]
  .filter({SEEN}).filter((each) => each.tabIndex < 0).map((each) => each.outerHTML.slice(0, 120))"""
AT = f"(picture) => ({BUTTONS})(picture).indexOf(document.activeElement)"
UNTABBED = f"""(picture) => [...({BUTTONS})(picture).entries()]
  .filter(([, each]) => each.tabIndex < 0).map(([index]) => index)"""
KIND = """(each) => [each, each.parentElement]
  .map((one) => `${one.tagName} ${one.getAttribute("role")} ${one.getAttribute("class")}`).join(" in ")"""
# What a key can change: what is drawn, where the focus is, how far something is scrolled.
STATE = """(picture) => {
  const scrolled = [...picture.querySelectorAll("[tabindex]")].map((each) => [each.scrollTop, each.scrollLeft]);
  const focused = [...picture.querySelectorAll("*")].indexOf(document.activeElement);
  return JSON.stringify([picture.innerHTML, focused, scrolled]);
}"""
RUNS = "(picture) => picture.closest('figure').dataset.status !== 'idle'"
# What is drawn is kept in the page: hundreds of times it would cross to the test and back as half a megabyte.
KEEP = "(picture) => { window.kept = (WHAT)(picture); window.ran = (RUNS)(picture); }"
DIFFERS = "(picture) => (WHAT)(picture) !== window.kept"
# Resolves once the picture is no longer what was kept; false if it stays so for some frames and nothing runs.
# Nobody waits seconds for what a server measures: that it is asked is enough.
CHANGED = """async (picture, enough) => {
  const loading = () => picture.querySelector("[aria-busy=true]");
  for (let n = 0; n < 6 || loading() || (RUNS)(picture); n++) {
    if (!loading() && (WHAT)(picture) !== window.kept) return true;
    if (enough && !window.ran && (RUNS)(picture)) return true;
    await new Promise(requestAnimationFrame);
  }
  return (WHAT)(picture) !== window.kept;
}"""
# Focuses one of the buttons, and keeps what was drawn while nothing had the focus.
FOCUS = f"""(picture, index) => {{
  document.activeElement.blur();
  window.kept = picture.innerHTML;
  window.ran = ({RUNS})(picture);
  ({BUTTONS})(picture)[index]?.focus();
}}"""
# A part that can scroll takes the focus even where it need not.
FITS = """(each) => !each.matches("button, input, select") &&
  each.scrollHeight <= each.clientHeight + 1 && each.scrollWidth <= each.clientWidth + 1"""
# What sets a parameter: a listing that is the editor stays part of what is drawn.
SET = ":is(input, select, textarea, button):not(.reading *)"
# As far as it tells how it is driven; what is named by its own words says them.
CONTROL = "(each) => each.type === 'button' || each.type === 'submit' ? `button ${each.innerText}` : each.type"
DRAWN = "(picture) => picture.innerHTML"
ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")
PRESSES = (1, 3, 9, *30 * (13,))  # of one key in one direction, between two looks at whether the focus still moves
# What has the focus in the picture from now on, beginning with what has it.
FOLLOW = """(picture) => {
  window.followed = [document.activeElement];
  window.following?.abort();
  window.following = new AbortController();
  const { signal } = window.following;
  picture.addEventListener("focusin", ({ target }) => window.followed.push(target), { signal });
}"""
FOLLOWED = f"""(picture) => {{
  const buttons = ({BUTTONS})(picture);
  return window.followed.map((each) => buttons.indexOf(each)).filter((at) => at >= 0);
}}"""


@pytest.mark.parametrize("lab", LABS)
def test_everything_can_be_done_by_keyboard(lab: str, read: Open) -> None:
    """What a key does hangs on no place: on the server a lab starts at once, while each page has its own Python."""
    on = f"?{lab.partition('/')[2]}.on=cpu" if lab in PORTABLE else ""
    reader = read(f"/labs/{lab}/{on}")
    shown = reader.figure()
    if lab in PORTABLE:
        shown.settled(0)  # while the server's run arrives, what can be pressed comes and goes
    tab_reaches_everything(reader, shown)
    what_is_drawn_can_be_handled(Drawn(reader, shown, measured=lab not in PORTABLE))
    every_parameter_can_be_set(reader, shown)


def tab_reaches_everything(reader: Reader, shown: Figure) -> None:
    shown.host.locator("a.title").focus()
    reader.page.keyboard.press("Shift+Tab")
    count = shown.element.evaluate(TAKES_FOCUS)
    for _ in range(count):
        reader.page.keyboard.press("Tab")
    took = reader.page.evaluate("() => window.took")
    assert len(took) == count, f"after {took[-1:]} the focus stays"
    for place, (at, visible, words) in enumerate(took):
        assert at == place, f"element {place} is not reached: focus is on {words}"
        assert visible, f"nothing shows that {words} has the focus"


def every_parameter_can_be_set(reader: Reader, shown: Figure) -> None:
    """One of each kind of control, unless all are asked for: those of a kind are one component."""
    controls = shown.host.locator(".control").all()
    assert controls
    driven: set[str] = set()
    for control in controls:
        for field in control.locator(SET).all():
            kind = field.evaluate(CONTROL)
            if ALL or kind not in driven:
                drive(reader, shown, field)
            driven.add(kind)
    shown.button("Reset").focus()
    reader.page.keyboard.press("Enter")
    shown.settled()
    expect(shown.host.get_by_role("alert")).to_have_count(0)


def drive(reader: Reader, shown: Figure, field: Locator) -> None:
    """Change it as its kind is changed, and see that it keeps to that."""
    press = reader.page.keyboard.press
    kind = field.evaluate("(each) => each.type")
    value = "(each) => each.type === 'checkbox' ? each.checked : each.value"
    field.focus()
    before = field.evaluate(value)
    if kind == "checkbox":
        press("Space")
        expect(field).to_be_checked(checked=not before)
    elif kind in ("range", "select-one"):
        forth, back = ("ArrowRight", "ArrowLeft") if kind == "range" else ("ArrowDown", "ArrowUp")
        press(forth)
        if field.evaluate(value) == before:
            press(back)
        assert field.evaluate(value) != before
    elif kind == "textarea":
        press("Control+End")
        press("Space")
        expect(field).to_have_value(f"{before} ")
    elif kind == "text":
        press("End")
        press("Backspace" if before else "7")
        expect(field).not_to_have_value(before)
        if before:
            reader.page.keyboard.type(before[-1])
        else:
            press("Backspace")
        press("Enter")
        expect(field).to_have_value(before)
        expect(field).not_to_have_attribute("aria-invalid", "true")
    elif field.inner_text() in ("Edit", "Done"):
        expect(field).to_have_attribute("aria-busy", "false")
        if field.inner_text() == "Done":  # it was opened among what is drawn
            press("Enter")
        press("Enter")
        editor = field.locator("xpath=../..").get_by_role("textbox")
        expect(editor).to_be_focused()
        press("Control+End")
        reader.page.keyboard.type(" ")
        shown.settled()
        field.focus()
        press("Enter")
        expect(editor).to_have_count(0)
        expect(field).to_be_focused()
    else:  # it rolls another seed
        seed = field.locator("xpath=following-sibling::input")
        before = seed.input_value()
        press("Enter")
        expect(seed).not_to_have_value(before)
        seed.fill(before)
        seed.press("Enter")


@dataclass
class Drawn:
    """What is drawn of a figure; whether it is measured on a server, which takes seconds."""

    reader: Reader
    shown: Figure
    measured: bool

    def __post_init__(self) -> None:
        self.picture = self.shown.host.locator(".picture").element_handle()  # asked hundreds of times, found once

    def evaluate(self, script: str, what: str = "", argument: object = None) -> Any:
        return self.picture.evaluate(script.replace("WHAT", what).replace("RUNS", RUNS), argument)

    def stop(self, n: int) -> ElementHandle | None:
        """What has the tab stop of this number."""
        return self.picture.evaluate_handle(STOPS).get_property(str(n)).as_element()

    def buttons(self) -> set[int]:
        return set(range(self.evaluate(f"(picture) => ({BUTTONS})(picture).length")))

    def walk(self) -> set[int]:
        """The buttons that arrow keys lead to from where the focus is, by their numbers."""
        self.evaluate(FOLLOW)
        for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
            for presses in PRESSES:
                before = self.evaluate("() => window.followed.length")
                for _ in range(presses):
                    self.reader.page.keyboard.press(key)
                if self.evaluate("() => window.followed.length") == before:
                    break
        return set(self.evaluate(FOLLOWED))

    def changes(self, key: str, what: str, enough: bool = False) -> bool:
        self.reader.page.keyboard.press(key)
        return bool(self.evaluate(CHANGED, what, enough))

    def scrolls(self, stop: ElementHandle) -> Iterator[bool]:
        """Whether each arrow key, with the focus where it belongs, changes anything."""
        stop.focus()
        for key in ARROWS:
            self.evaluate(KEEP, STATE)
            yield self.changes(key, STATE)

    def pressed(self, index: int, enough: bool = False) -> bool:
        """Whether Enter on that button changes what is drawn; or asks for it, where that is enough."""
        self.evaluate(FOCUS, argument=index)
        return self.changes("Enter", DRAWN, enough)

    def chosen_already(self, at: int) -> bool:
        """Whether a button that did nothing does something once another was pressed, the nearest first."""
        others = sorted(self.buttons() - {at}, key=lambda other: abs(other - at))
        return any(self.pressed(other) and self.pressed(at) for other in others)

    def works(self, stop: ElementHandle, at: int, found: set[int]) -> bool:
        """Whether a key does anything with what has the tab stop, the button ``at``, or with those it leads to."""
        return (
            stop.evaluate(FITS)
            or any(self.pressed(index, self.measured) for index in sorted(found, key=lambda each: each != at))
            or any(self.scrolls(stop))
            or (at >= 0 and self.chosen_already(at))
            or (stop.get_attribute("aria-pressed") == "true" and len(self.buttons()) == 1)  # there is no other
        )


def what_is_drawn_can_be_handled(drawn: Drawn) -> None:
    assert drawn.evaluate(UNREACHED) == [], "Tab does not lead to them"
    reached: set[int] = set()
    tried: Counter[str] = Counter()
    for n in count():
        stop = drawn.stop(n)
        if not stop:  # what was pressed may have led to a step that has more, or fewer
            break
        what = stop.evaluate("(each) => each.outerHTML.slice(0, 120)")
        drawn.evaluate(KEEP, DRAWN)
        stop.focus()
        focuses = drawn.evaluate(DIFFERS, DRAWN)
        at = drawn.evaluate(AT)
        found = {at} if at >= 0 else set()
        if {*drawn.evaluate(UNTABBED)} - reached:
            found |= drawn.walk()
        reached |= found
        kind = stop.evaluate(KIND)
        tried[kind] += 1
        if tried[kind] > ALIKE:
            continue
        assert focuses or drawn.works(stop, at, found), f"no key does anything with {what}"
        if drawn.measured and drawn.shown.host.get_attribute("data-status") != "idle":
            # It may end meanwhile, and take the button along.
            drawn.shown.button("Reset").evaluate("(button) => button.click()")
        drawn.shown.settled()
    left = drawn.buttons() - reached
    assert not left, f"not reached by keyboard: buttons {sorted(left)} of the picture"
