/** What is wider than its frame scrolls inside it, and the keyboard must reach it there; what fits is no stop. */
export function wakeScrollers(): void {
  const check = (box: Element) => {
    if (box.scrollWidth > box.clientWidth + 1) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  };
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => check(target)));
  for (const box of document.querySelectorAll(".formula, .scroll, .prose > pre")) watch.observe(box);
}
