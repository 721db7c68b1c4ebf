/** Levels that are off the screen rest: the browser neither lays them out nor paints them while a reader changes
 *  numbers. They keep the height that they have, so that nothing moves when they come into view. */

/** Wakes all levels, has `measure` read their places, and lets them rest again. */
export function awake(host: HTMLElement, measure: () => void): void {
  const levels = [...host.querySelectorAll<HTMLElement>("[data-level]")];
  for (const { style } of levels) style.contentVisibility = "visible";
  const heights = levels.map(inner);
  measure();
  levels.forEach(({ style }, n) => {
    style.containIntrinsicBlockSize = `${heights[n]}px`;
    style.contentVisibility = "auto";
  });
}

/** Its height without what is around its content. */
function inner(level: HTMLElement): number {
  const style = getComputedStyle(level);
  const around = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
  return around.reduce((left, each) => left - parseFloat(each), level.getBoundingClientRect().height);
}
