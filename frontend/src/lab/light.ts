/** Lights a concept in one figure and in the prose about it: point at a term, focus it or tap it, and its parts in that
 *  figure stand out; point at a part, and the terms do. An attribute on the figure, which parts that are drawn anew need
 *  no telling of, and one on each word; the rest is styles/concepts.css. */
const root = document.documentElement;
const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const terms = () => all(".term[data-concept]");

type Marked = HTMLElement | SVGElement;
/** Strongest first. What was dragged stays lit until the next press, so that its reader sees what it has changed, and
 *  what was pinned by a tap when nothing else is pointed at. */
const source: Partial<Record<"hovered" | "focused" | "dragged" | "pinned", Marked | undefined>> = {};
/** What the hand holds, and where it took hold of it; so far it moves before that is a drag. */
let held: { part: Marked | undefined; x: number; y: number } | undefined;
const DRAG_PX = 4;
let shown: readonly [from?: Marked | undefined, concept?: string | undefined] = [];

const marked = (target: EventTarget | null) =>
  target instanceof Element ? (target.closest<Marked>("[data-concept]") ?? undefined) : undefined;

/** The figure that a part belongs to, or that a word is about. */
function figureOf(part: Marked): HTMLElement | undefined {
  const own = part.closest<HTMLElement>("[data-lab]");
  const block = part.closest<HTMLElement>(".prose > *");
  return own ?? (block ? aboutOf(block) : all("[data-lab]")[0]);
}

const about = new Map<HTMLElement, HTMLElement | undefined>();

/** What a paragraph is about: the figure that stands or is named in it or nearest to it in its section, rather before
 *  than after it; in a section without any, the nearest of all. */
function aboutOf(block: HTMLElement): HTMLElement | undefined {
  if (about.has(block)) return about.get(block);
  const blocks = [...block.parentElement!.children];
  const place = blocks.indexOf(block);
  const begin = blocks.findLastIndex((one, at) => at <= place && one.matches("h2"));
  const end = blocks.findIndex((one, at) => at > place && one.matches("h2"));
  const away = (at: number) => (at > place ? at - place : place - at - 0.5);
  const far = (figure: HTMLElement) => {
    const named = `[data-key="${CSS.escape(figure.id)}"]`;
    const found = blocks.flatMap((one, at) => {
      const inSection = at >= begin && (end < 0 || at < end);
      if (one.contains(figure)) return [away(at) + (inSection ? 0 : 1e3)];
      return inSection && one.querySelector(named) ? [away(at)] : [];
    });
    return Math.min(...found);
  };
  const [nearest] = all("[data-lab]").sort((one, other) => far(one) - far(other));
  about.set(block, nearest);
  return nearest;
}

const same = (one: Marked | undefined, other: Marked | undefined) =>
  one === other ||
  (!!one && !!other && one.dataset.concept === other.dataset.concept && figureOf(one) === figureOf(other));

/** Nothing stands out alone in a picture that has no such part. Asked again when something is drawn: with `:has()` a
 *  browser would restyle all parts of all pictures for each that comes or goes. */
function standOut(figure: HTMLElement, concept: string): void {
  const has = figure.querySelector(`.picture [data-concept="${concept}"]`) !== null;
  figure.toggleAttribute("data-alone", has);
}
let drawn: MutationObserver | undefined;

function show(): void {
  const from = source.hovered ?? source.focused ?? source.dragged ?? source.pinned;
  const concept = from?.dataset.concept;
  if (from === shown[0] && concept === shown[1]) return;
  shown = [from, concept];
  for (const lit of all("[data-lit]")) {
    delete lit.dataset.lit;
    delete lit.dataset.alone;
  }
  drawn?.disconnect();
  if (!from || !concept) return;
  const figure = figureOf(from);
  if (figure) {
    figure.dataset.lit = concept;
    // A control lights what it changes, but who uses it wants to see all of that change.
    if (from.closest(".term, .picture, math, pre")) {
      standOut(figure, concept);
      drawn = new MutationObserver(() => standOut(figure, concept));
      drawn.observe(figure, { subtree: true, childList: true, attributeFilter: ["data-concept"] });
    }
  }
  for (const word of all(`.prose > :not([data-lab]) [data-concept="${concept}"]`))
    if (figureOf(word) === figure) word.dataset.lit = concept;
}

function pin(part: Marked | undefined): void {
  source.pinned = same(part, source.pinned) ? undefined : part;
  for (const term of terms())
    term.setAttribute("aria-pressed", String(!!source.pinned && same(term, source.pinned)));
  show();
}
export function light(): void {
  if (root.hasAttribute("data-lights")) return;
  root.setAttribute("data-lights", "");
  for (const term of terms()) {
    // Without this script a term is only text.
    term.setAttribute("role", "button");
    term.setAttribute("aria-pressed", "false");
    term.tabIndex = 0;
  }
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    source.hovered = pointerType === "touch" ? undefined : marked(target);
    show();
  });
  document.addEventListener("pointerdown", ({ target, clientX, clientY }) => {
    held = { part: marked(target), x: clientX, y: clientY };
    delete source.dragged;
    show();
  });
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!held || Math.hypot(clientX - held.x, clientY - held.y) < DRAG_PX) return;
    source.dragged = held.part;
    held = undefined;
    show();
  });
  for (const over of ["pointerup", "pointercancel"])
    document.addEventListener(over, () => void (held = undefined));
  root.addEventListener("pointerleave", () => {
    source.hovered = undefined;
    show();
  });
  document.addEventListener("focusin", ({ target }) => {
    source.focused = (target as Element).matches(":focus-visible") ? marked(target) : undefined;
    show();
  });
  document.addEventListener("focusout", () => {
    source.focused = undefined;
    show();
  });
  document.addEventListener("click", (event) => {
    const part = marked(event.target);
    const touched = (event as PointerEvent).pointerType === "touch" && part?.closest(".picture, math");
    if (part?.matches(".term") || (touched && !part?.matches("[role=slider]"))) pin(part);
    else if (source.pinned && !(event.target as Element).closest(".lab")) pin(undefined);
  });
  document.addEventListener("keydown", (event) => {
    const onTerm = (event.target as Element).matches(".term");
    if (event.key === "Escape") {
      delete source.focused;
      delete source.dragged;
      pin(undefined);
    } else if (onTerm && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pin(event.target as HTMLElement);
    }
  });
}
