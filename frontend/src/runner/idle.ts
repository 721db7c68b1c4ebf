/** Work that nobody waits for. */

/** What browsers that know say of their connection. */
interface Connection {
  saveData?: boolean;
  /** As fast as such networks were; "4g" is the fastest that is told. */
  effectiveType?: "slow-2g" | "2g" | "3g" | "4g";
}

/** Whether the reader's connection is metered or slow, and nothing should be fetched ahead of need. */
export function savingData(): boolean {
  const { saveData = false, effectiveType = "4g" } =
    (navigator as { connection?: Connection }).connection ?? {};
  return saveData || effectiveType !== "4g";
}

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
