/** What running in the browser costs the first time: Python, NumPy and the labs, as large as the build found them. */
import { remembered, state } from "./browser";

/** Written by the site's build. */
export interface Download {
  /** What travels, compressed where servers compress. */
  bytes: number;
  /** Of Pyodide. */
  version: string;
  /** Address of the largest file. */
  largest: string;
}

/** What a reader should know before Python is started, in words. */
export async function announce(): Promise<string> {
  if (state() === "ready") return "Python is ready in this page.";
  const answer = await fetch("/python.json").catch(() => undefined);
  if (!answer?.ok) return "Downloads Python the first time; how much could not be asked just now.";
  const { bytes, version, largest } = (await answer.json()) as Download;
  const kept = "caches" in globalThis && (await caches.match(largest)) !== undefined;
  if (kept || remembered() === version) return "Python is already here, from an earlier visit.";
  const size = `${Math.round(bytes / 1e6)} MB`;
  if (state() === "starting") return `Python is on its way: ${size}, once.`;
  return `Downloads ${size} the first time${wait(bytes)}: Python, NumPy and the labs.`;
}

/** How long that takes, where the browser knows its connection. It never says more than 10 Mbit/s, so “at most”. */
function wait(bytes: number): string {
  const rate = (navigator as { connection?: { downlink?: number } }).connection?.downlink;
  return rate ? `, at most ${Math.ceil((8 * bytes) / (1e6 * rate))} s on this connection` : "";
}
