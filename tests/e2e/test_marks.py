"""What is marked in a picture goes to its new place from wherever it is; the page says the new one at once."""

import pytest
from playwright.sync_api import expect
from reader import MOVING, Figure, Open

TABLE = "/embed/bits/hash_table/"
# Step 39 looks at slot 27; step 40 stores a new key in slot 28.
BEFORE = 39

# Steps on and holds all that moves before it is over, on however slow a machine.
STEP = """async (figure, name) => {
  await new Promise((done) => setTimeout(done, 150)); // sooner than that, pictures are shown as they come
  figure.querySelector(`button[aria-label="${name}"]`).click();
  await new Promise(requestAnimationFrame);
  const moving = document.getAnimations();
  for (const each of moving) each.pause();
  return moving.length;
}"""
AT = """(figure, [mark, time]) => {
  for (const each of document.getAnimations()) each.currentTime = time;
  const { x, y } = figure.querySelector(`[data-mark="${mark}"]:not([data-leaving])`).getBoundingClientRect();
  return [x, y];
}"""
FINISH = "() => document.getAnimations().forEach((each) => each.finish())"


def step(figure: Figure, name: str) -> int:
    """How many parts of the picture are held on their way."""
    moving: int = figure.host.evaluate(STEP, name)
    return moving


def place(figure: Figure, mark: str, time: int) -> tuple[float, float]:
    """Where the mark is so many milliseconds after the step."""
    x, y = figure.host.evaluate(AT, [mark, time])
    return x, y


def opened(read: Open, path: str, at: int, **how: object) -> Figure:
    figure = read(path, **{**MOVING, **how}).figure()
    figure.scrubber.fill(str(at - 1))
    figure.at(at)
    figure.host.page.wait_for_timeout(500)
    return figure


def between(one: tuple[float, float], middle: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(min(a, c) - 1 <= b <= max(a, c) + 1 for a, b, c in zip(one, middle, other, strict=True))


def test_a_mark_moves_and_can_be_turned_back(read: Open) -> None:
    figure = opened(read, TABLE, BEFORE)
    start = place(figure, "here", 0)
    assert step(figure, "Forward") > 0
    assert place(figure, "here", 0) == pytest.approx(start, abs=0.5)
    end, middle = place(figure, "here", 310), place(figure, "here", 60)
    assert between(start, middle, end)
    assert middle != pytest.approx(start, abs=1)
    assert middle != pytest.approx(end, abs=1)
    assert step(figure, "Back") > 0
    assert place(figure, "here", 0) == pytest.approx(middle, abs=0.5)
    figure.host.evaluate(FINISH)
    assert place(figure, "here", 0) == pytest.approx(start, abs=0.5)


def test_numbers_count_and_the_text_is_true_at_once(read: Open) -> None:
    figure = opened(read, TABLE, BEFORE)
    number = figure.host.locator("dl div", has_text="longest search").locator("dd")
    expect(number).to_have_text("4")
    # Seen from inside, so that a slow machine misses nothing of it.
    shown = number.evaluate(
        """(number) => new Promise((done) => {
          const shown = [];
          new MutationObserver((_, watch) => {
            if (number.dataset.counting) return shown.push([number.textContent, number.dataset.counting]);
            if (shown.length) (watch.disconnect(), done(shown));
          }).observe(number, { attributes: true });
          document.querySelector('button[aria-label="Forward"]').click();
        })"""
    )
    assert {text for text, _ in shown} == {"10"}
    counted = [int(drawn) for _, drawn in shown]
    assert counted[0] == 4
    assert counted == sorted(counted)
    assert counted[-1] <= 10


def test_what_is_gone_fades_and_leaves_nothing_behind(read: Open) -> None:
    figure = opened(read, TABLE, BEFORE + 1)
    leaving = figure.host.locator("[data-leaving]")
    step(figure, "Back")
    gone = leaving.evaluate_all("(all) => all.map(({ dataset, ariaHidden }) => [dataset.mark, ariaHidden])")
    assert ["entry 5075", "true"] in gone
    figure.host.evaluate(FINISH)
    expect(leaving).to_have_count(0)


def test_pictures_that_come_fast_are_shown_as_they_come(read: Open) -> None:
    figure = opened(read, TABLE, BEFORE)
    moving = figure.host.evaluate(
        """async (figure) => {
          const forward = figure.querySelector('button[aria-label="Forward"]');
          const frame = () => new Promise(requestAnimationFrame);
          for (let i = 0; i < 4; i++) { forward.click(); await frame(); }
          await frame();
          return figure.querySelector("[data-mark]").getAnimations().length;
        }"""
    )
    assert moving == 0
    figure.at(BEFORE + 4)


def test_who_wants_no_motion_sees_marks_at_their_places(read: Open) -> None:
    figure = opened(read, TABLE, BEFORE, reduced_motion="reduce")
    assert step(figure, "Forward") == 0
    figure.at(BEFORE + 1)
    assert figure.host.locator("[data-leaving], [data-counting]").count() == 0


# Counts how often, during one step, a place is read after something was written: each time, all is laid out anew.
TURNS = """(figure, wanted) => {
  let [written, turns] = [true, 0];
  const watch = (kind, name, seen) => {
    const { [name]: own } = kind.prototype;
    kind.prototype[name] = function (...rest) { seen(); return own.apply(this, rest); };
  };
  const [write, read] = [() => (written = true), () => { turns += written; written = false; }];
  for (const name of ["animate", "append"]) watch(Element, name, write);
  watch(Element, "getBoundingClientRect", read);
  watch(SVGGraphicsElement, "getScreenCTM", read);
  const bar = figure.querySelector(".timeline input[type=range]");
  bar.value = wanted;
  bar.dispatchEvent(new Event("input", { bubbles: true }));
  const found = () => [turns, document.getAnimations().length]; // asked for later, they may have arrived
  return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(found()))));
}"""


def test_however_many_marks_come_and_go_the_page_is_laid_out_a_few_times(read: Open) -> None:
    """Blocks of memory: dozens leave, dozens come. They are measured together, and set off together."""
    figure = opened(read, "/embed/pytorch/caching_allocator/", 30)
    before = figure.host.evaluate("() => document.querySelectorAll('[data-mark]').length")
    assert before > 20
    turns, moving = figure.host.evaluate(TURNS, 8)
    assert turns <= 4
    assert moving > 20, "they move"
