/** Work that nobody waits for. */

/** Whether the reader's connection is metered and nothing should be fetched ahead of need. */
export const savingData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

const SIGNS = ["pointermove", "pointerdown", "touchstart", "wheel", "scroll", "keydown"];
const PATIENCE_MS = 5000;
let reader: Promise<void> | undefined;

/** Once somebody moves in the page, or has had it open for a while: until then it is busy enough with appearing. */
export function whenRead(work: () => void): void {
  reader ??= new Promise((there) => {
    for (const sign of SIGNS)
      addEventListener(sign, () => there(), { once: true, passive: true, capture: true });
    setTimeout(there, PATIENCE_MS);
  });
  void reader.then(() => whenIdle(work));
}

function whenIdle(work: () => void): void {
  const idle = globalThis.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 1500)); // Safari has none
  idle(work, { timeout: 4000 });
}
