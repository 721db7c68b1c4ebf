/** The one place that decides where a lab runs. */
import { browser, warm } from "./browser";
import { savingData, whenIdle } from "./idle";
import { recorded } from "./recorded";
import { server } from "./server";
import type { Runner } from "./types";

export type Place = "browser" | "cpu" | "cuda";

/** Light labs run in the reader's browser, the others on the server; the recording needs neither. */
export function resolve(runsOn: readonly Place[], live: boolean): Runner {
  if (!live) return recorded();
  return runsOn.includes("browser") ? browser : server();
}

/** Prepare for the first touch, when the browser has nothing better to do. */
export function prepare(runsOn: readonly Place[]): void {
  if (!runsOn.includes("browser")) return;
  if (!savingData()) whenIdle(() => void warm().catch(() => undefined));
}
