/** Lights a concept wherever it stands on the page: point at a term, focus it or tap it, and its parts in the figures
 *  stand out; point at a part, and the terms do. One attribute on the root; the rest is styles/concepts.css. */
const root = document.documentElement;
const terms = () => document.querySelectorAll<HTMLElement>(".term[data-concept]");

type Marked = HTMLElement | SVGElement;
/** Strongest first. What was pinned by a tap stays lit when nothing else is pointed at. */
const source: { hovered?: Marked | undefined; focused?: Marked | undefined; pinned?: Marked | undefined } =
  {};

const marked = (target: EventTarget | null) =>
  target instanceof Element ? (target.closest<Marked>("[data-concept]") ?? undefined) : undefined;

function show(): void {
  const from = source.hovered ?? source.focused ?? source.pinned;
  if (from) root.dataset.lit = from.dataset.concept;
  else delete root.dataset.lit;
  // A control lights what it changes, but who uses it wants to see all of that change.
  root.toggleAttribute("data-alone", Boolean(from?.closest(".term, .picture, math, pre")));
}

function pin(part: Marked | undefined): void {
  source.pinned = part?.dataset.concept === source.pinned?.dataset.concept ? undefined : part;
  for (const term of terms())
    term.setAttribute("aria-pressed", String(term.dataset.concept === source.pinned?.dataset.concept));
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
      pin(undefined);
    } else if (onTerm && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pin(event.target as HTMLElement);
    }
  });
}
