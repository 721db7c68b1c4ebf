/** Work that nobody waits for. */

/** Whether the reader's connection is metered and nothing should be fetched ahead of need. */
export const savingData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

export function whenIdle(work: () => void): void {
  const idle = globalThis.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 1500)); // Safari has none
  idle(work, { timeout: 4000 });
}
