/** How finely this browser lets a page measure time. Against attacks that listen to the clock it is made coarse:
 *  5 µs in an isolated page of Chrome, up to 1 ms elsewhere. */
const CHANGES = 21;

/** Seconds between two readings of the clock that differ: the median, since some browsers shake it as well. */
export function tick(): number {
  const steps: number[] = [];
  for (let before = performance.now(); steps.length < CHANGES;) {
    const now = performance.now();
    if (now === before) continue;
    steps.push(now - before);
    before = now;
  }
  return steps.sort((a, b) => a - b)[(CHANGES - 1) / 2]! / 1000;
}
