/** How finely this browser lets a page measure time. Against attacks that listen to the clock it is made coarse:
 *  5 µs in an isolated page of Chrome, up to 1 ms elsewhere. */
const CHANGES = 20;

/** Seconds between two readings of the clock that differ, the least of many. */
export function tick(): number {
  let least = Infinity;
  for (let changes = 0, before = performance.now(); changes < CHANGES;) {
    const now = performance.now();
    if (now === before) continue;
    least = Math.min(least, now - before);
    before = now;
    changes++;
  }
  return least / 1000;
}
