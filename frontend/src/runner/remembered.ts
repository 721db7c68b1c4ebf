/** Which Python an earlier visit has left in the browser's cache. */
const MEMO = "underhood.python";

export function remembered(): string | null {
  try {
    return localStorage.getItem(MEMO);
  } catch {
    return null; // a browser that keeps nothing
  }
}

export function remember(version = ""): void {
  try {
    localStorage.setItem(MEMO, version);
  } catch {
    // it keeps nothing, so the next visit will download again and say so
  }
}
