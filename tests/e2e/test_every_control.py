"""Every control and every handle of every figure, by keyboard alone."""

from collections.abc import Iterator
from itertools import count

import pytest
from labs.discover import find
from playwright.sync_api import ElementHandle, Locator, expect
from reader import Figure, Open, Reader
from test_keyboard import ENABLED, FOCUSED
from underhood.machine.provenance import has_cuda

PORTABLE = {lab.id for lab in find(("labs",)).values() if not (lab.on_device or lab.measures)}
LABS = sorted(lab.id for lab in find().values() if has_cuda() or lab.runs_on != ("cuda",))

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
# What a key can change: what is drawn, where the focus is, how far something is scrolled.
STATE = """(picture) => {
  const scrolled = [...picture.querySelectorAll("[tabindex]")].map((each) => [each.scrollTop, each.scrollLeft]);
  const focused = [...picture.querySelectorAll("*")].indexOf(document.activeElement);
  return JSON.stringify([picture.innerHTML, focused, scrolled]);
}"""
# What is drawn is kept in the page: hundreds of times it would cross to the test and back as half a megabyte.
KEEP = "(picture) => { window.kept = (WHAT)(picture); }"
DIFFERS = "(picture) => (WHAT)(picture) !== window.kept"
# Resolves once the picture is no longer what was kept; false if it stays so for some frames and nothing runs.
CHANGED = """async (picture) => {
  const loading = () => picture.querySelector("[aria-busy=true]");
  for (let n = 0; n < 6 || loading() || picture.closest("figure").dataset.status !== "idle"; n++) {
    if (!loading() && (WHAT)(picture) !== window.kept) return true;
    await new Promise(requestAnimationFrame);
  }
  return (WHAT)(picture) !== window.kept;
}"""
# Focuses one of the buttons, and keeps what was drawn while nothing had the focus.
FOCUS = f"""(picture, index) => {{
  document.activeElement.blur();
  window.kept = picture.innerHTML;
  ({BUTTONS})(picture)[index]?.focus();
}}"""
# A part that can scroll takes the focus even where it need not.
FITS = """(each) => !each.matches("button, input, select") &&
  each.scrollHeight <= each.clientHeight + 1 && each.scrollWidth <= each.clientWidth + 1"""
# What sets a parameter: a listing that is the editor stays part of what is drawn.
SET = ":is(input, select, textarea, button):not(.reading *)"
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
    what_is_drawn_can_be_handled(reader, shown, measured=lab not in PORTABLE)
    every_parameter_can_be_set(reader, shown)


def tab_reaches_everything(reader: Reader, shown: Figure) -> None:
    count = len(shown.element.evaluate(ENABLED))
    shown.host.locator("a.title").focus()
    reader.page.keyboard.press("Shift+Tab")
    for place in range(count):
        reader.page.keyboard.press("Tab")
        at, visible, words = shown.element.evaluate(FOCUSED)
        assert at == place, f"element {place} is not reached: focus is on {words}"
        assert visible, f"nothing shows that {words} has the focus"


def every_parameter_can_be_set(reader: Reader, shown: Figure) -> None:
    controls = shown.host.locator(".control").all()
    assert controls
    for control in controls:
        for field in control.locator(SET).all():
            drive(reader, shown, field)
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


def what_is_drawn_can_be_handled(reader: Reader, shown: Figure, measured: bool) -> None:
    picture = shown.host.locator(".picture").element_handle()  # asked hundreds of times, and looked for once
    assert picture.evaluate(UNREACHED) == [], "Tab does not lead to them"
    reached: set[int] = set()
    for n in count():
        stop = picture.evaluate_handle(STOPS).get_property(str(n)).as_element()
        if not stop:  # what was pressed may have led to a step that has more, or fewer
            break
        what = stop.evaluate("(each) => each.outerHTML.slice(0, 120)")
        picture.evaluate(KEEP.replace("WHAT", DRAWN))
        stop.focus()
        focuses = picture.evaluate(DIFFERS.replace("WHAT", DRAWN))
        at = picture.evaluate(AT)
        found = {at} if at in reached else walk(reader, picture)  # who walked past it has tried its neighbours
        reached |= found
        works = (
            focuses
            or stop.evaluate(FITS)
            or any(pressed(reader, picture, index) for index in found)
            or any(changed(reader, picture, key) for key in focused(stop))
            or chosen_already(reader, picture, at)
            or (stop.get_attribute("aria-pressed") == "true" and len(buttons(picture)) == 1)  # there is no other
        )
        assert works, f"no key does anything with {what}"
        if measured and shown.host.get_attribute("data-status") != "idle":
            # Nobody waits seconds for what a server measures; it may end meanwhile, and take the button along.
            shown.button("Reset").evaluate("(button) => button.click()")
        shown.settled()
    left = buttons(picture) - reached
    assert not left, f"not reached by keyboard: buttons {sorted(left)} of the picture"


def walk(reader: Reader, picture: ElementHandle) -> set[int]:
    """The buttons of the picture that arrow keys lead to from where the focus is, by their numbers."""
    picture.evaluate(FOLLOW)
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        for presses in PRESSES:
            before = picture.evaluate("() => window.followed.length")
            for _ in range(presses):
                reader.page.keyboard.press(key)
            if picture.evaluate("() => window.followed.length") == before:
                break
    return set(picture.evaluate(FOLLOWED))


def focused(stop: ElementHandle) -> Iterator[str]:
    """The arrow keys, with the focus where they belong."""
    stop.focus()
    yield from ARROWS


def chosen_already(reader: Reader, picture: ElementHandle, at: int) -> bool:
    """Whether a button that did nothing does something once another was pressed, the nearest first."""
    others = sorted(buttons(picture) - {at}, key=lambda other: abs(other - at)) if at >= 0 else []
    return any(pressed(reader, picture, other) and pressed(reader, picture, at) for other in others)


def buttons(picture: ElementHandle) -> set[int]:
    return set(range(picture.evaluate(f"(picture) => ({BUTTONS})(picture).length")))


def changed(reader: Reader, picture: ElementHandle, key: str) -> bool:
    picture.evaluate(KEEP.replace("WHAT", STATE))
    reader.page.keyboard.press(key)
    return bool(picture.evaluate(CHANGED.replace("WHAT", STATE)))


def pressed(reader: Reader, picture: ElementHandle, index: int) -> bool:
    """Whether Enter on that button changes what is drawn."""
    picture.evaluate(FOCUS, index)
    reader.page.keyboard.press("Enter")
    return bool(picture.evaluate(CHANGED.replace("WHAT", DRAWN)))
