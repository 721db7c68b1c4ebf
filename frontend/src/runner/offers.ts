/** What a figure can be run on just now, and where it cannot, why: asked for when a reader wants to choose. */
import { announce } from "./download";
import type { Place } from "./resolve";

export interface Offer {
  available: boolean;
  /** What it would be, or why it cannot be. */
  words: string;
}

interface Device {
  device: string;
  name: string;
}

const NEVER: Record<Place, string> = {
  browser: "This lab needs programs that do not run in a browser.",
  cpu: "This lab is about a GPU.",
  cuda: "This lab makes no use of a GPU.",
};
const NO_WORKER = {
  cpu: "No machine that runs labs is connected to this server.",
  cuda: "No machine with a GPU is connected to this server.",
};

export async function offer(place: Place, runsOn: readonly Place[]): Promise<Offer> {
  if (!runsOn.includes(place)) return { available: false, words: NEVER[place] };
  if (place === "browser") {
    if (!("WebAssembly" in globalThis))
      return { available: false, words: "This browser has no WebAssembly, which Python needs here." };
    return { available: true, words: await announce() };
  }
  const found = await devices();
  if (typeof found === "string") return { available: false, words: found };
  const alive = found.find(({ device }) => device === place);
  return alive ? { available: true, words: alive.name } : { available: false, words: NO_WORKER[place] };
}

let asking: Promise<Device[] | string> | undefined;

/** What the server has, or why it cannot say; who asks while an answer is on its way waits for that one. */
function devices(): Promise<Device[] | string> {
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
}

async function ask(): Promise<Device[] | string> {
  const answer = await fetch("/api/devices").catch(() => undefined);
  if (!answer || answer.status >= 500)
    return "The server cannot be reached just now. Open this again when it is back.";
  if (!answer.ok || !answer.headers.get("Content-Type")?.includes("json"))
    return "This copy of the book has no server, it is files alone.";
  return (await answer.json()) as Device[];
}
