/** What is wider than its frame scrolls inside it, and the keyboard must reach it there; what fits is no stop. */
export function wakeScrollers(): void {
  const watch = new ResizeObserver((entries) => {
    // All are asked before any is changed: the first change would have the page laid out for the next answer.
    const wide = entries.map(({ target: box }) => box.scrollWidth > box.clientWidth + 1);
    entries.forEach(({ target: box }, place) => {
      if (wide[place]) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    });
  });
  for (const box of document.querySelectorAll(".formula, .scroll, .prose > pre")) watch.observe(box);
}
