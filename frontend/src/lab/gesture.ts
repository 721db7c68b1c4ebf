/** A page elsewhere may frame a figure, and its address may ask for any run: what costs a server waits for the reader. */

const GESTURES = ["pointerdown", "keydown"];

/** Whether another site's page is around this one. */
function framed(): boolean {
  try {
    return top!.location.origin !== location.origin;
  } catch {
    return true;
  }
}

/** Undefined if the page may start a run at once; else the moment in which the reader touches it. */
export function gesture(): Promise<void> | undefined {
  if (!framed()) return undefined;
  return new Promise((done) => {
    for (const kind of GESTURES) addEventListener(kind, () => done(), { once: true, capture: true });
  });
}
