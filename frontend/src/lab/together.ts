/** The scripts of a page change it together, once the last of them is there: it is then laid out once, and not after
 *  each of them. */
export function together(change: () => void): void {
  if (document.readyState === "complete") change();
  else document.addEventListener("DOMContentLoaded", change, { once: true });
}
