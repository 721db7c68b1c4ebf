/** What a figure can be run on just now, and where it cannot, why: asked for when a reader wants to choose. */
import { announce } from "./download";
import { onDevice, type Place } from "./resolve";
import { texts } from "../words";

export interface Offer {
  available: boolean;
  /** What it would be, or why it cannot be. */
  words: string;
}

interface Device {
  device: string;
  name: string;
}

export async function offer(place: Place, runsOn: readonly Place[]): Promise<Offer> {
  const w = texts().runner;
  if (!runsOn.includes(place))
    return { available: false, words: onDevice(runsOn) ? w.onDevice : w.never[place] };
  if (place === "browser") {
    if (!("WebAssembly" in globalThis)) return { available: false, words: w.noWasm };
    return { available: true, words: await announce() };
  }
  const found = await devices();
  if (typeof found === "string") return { available: false, words: found };
  const alive = found.find(({ device }) => device === place);
  return alive ? { available: true, words: alive.name } : { available: false, words: w.noWorker[place] };
}

let asking: Promise<Device[] | string> | undefined;

/** What the server has, or why it cannot say; who asks while an answer is on its way waits for that one. */
function devices(): Promise<Device[] | string> {
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
}

async function ask(): Promise<Device[] | string> {
  const answer = await fetch("/api/devices").catch(() => undefined);
  if (!answer || answer.status >= 500) return texts().runner.noServer;
  if (!answer.ok || !answer.headers.get("Content-Type")?.includes("json")) return texts().runner.filesAlone;
  return (await answer.json()) as Device[];
}
