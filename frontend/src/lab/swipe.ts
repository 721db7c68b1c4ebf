/** A finger that scrolls the page is not meant for the slider it began on, but the browser has moved that already:
 *  an attachment that takes it back. */
import { on } from "svelte/events";

export function ignoreSwipes(slider: HTMLInputElement): () => void {
  let before = slider.value;
  const remember = on(slider, "pointerdown", () => (before = slider.value));
  const restore = on(slider, "pointercancel", () => {
    slider.value = before;
    for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
  });
  return () => (remember(), restore());
}
