/** What running in the browser costs the first time: Python and NumPy, as large as the build found them. */
import { python } from "./python";
import { remembered } from "./remembered";
import { texts } from "../words";

/** Written by the site's build. */
export interface Download {
  /** What travels, compressed where servers compress. */
  bytes: number;
  /** Of Pyodide. */
  version: string;
  /** Of each file, by its address. */
  files: Record<string, number>;
}

/** What a reader should know before Python is started, in words. */
export async function announce(): Promise<string> {
  const w = texts().runner.python;
  if (python.state === "ready") return w.ready;
  const answer = await fetch("/python.json").catch(() => undefined);
  if (!answer?.ok) return w.unknown;
  const { bytes, version, files } = (await answer.json()) as Download;
  const found = "caches" in globalThis ? Object.keys(files).map((file) => caches.match(file)) : [undefined];
  const kept = (await Promise.all(found)).every((one) => one !== undefined);
  if (kept || remembered() === version) return w.here;
  const size = `${Math.round(bytes / 1e6)} MB`;
  if (python.state === "starting") return w.coming(size);
  return w.downloads(size, wait(bytes));
}

/** Seconds that this takes, where the browser knows its connection. It never says more than 10 Mbit/s, so “at most”. */
function wait(bytes: number): number | undefined {
  const rate = (navigator as { connection?: { downlink?: number } }).connection?.downlink;
  return rate ? Math.ceil((8 * bytes) / (1e6 * rate)) : undefined;
}
