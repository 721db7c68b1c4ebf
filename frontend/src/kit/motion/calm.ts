/** Whether things should hold still: the reader's system asks for it, or the address of a frame (`?motion=less`).
 *  What moves by CSS is stopped in styles/global.css for the same two reasons; nothing else decides about motion. */
export const calm = (): boolean =>
  "document" in globalThis &&
  (matchMedia("(prefers-reduced-motion: reduce)").matches ||
    document.documentElement.dataset.motion === "less");
