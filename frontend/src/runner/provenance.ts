/** Where a run in the reader's browser came from. */
import type { Provenance } from "./types";
import { texts } from "../words";

export function provenance(versions: Record<string, string>, lab_version: string): Provenance {
  const hardware = here();
  return {
    where: "browser",
    at: new Date().toISOString().slice(0, 19) + "Z",
    machine: Object.values(hardware).join(", "),
    hardware,
    versions,
    lab_version,
  };
}

/** What this browser says of itself and of what it runs on. */
function here(): Record<string, string> {
  const { userAgent: agent, hardwareConcurrency } = navigator;
  const w = texts().runner.machine;
  const system = /Windows|Android|CrOS|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  return {
    browser: browserName(agent) ?? w.browser,
    cores: w.cores(hardwareConcurrency),
    code: "WebAssembly",
    ...(system && { system }),
  };
}

function browserName(agent: string): string | undefined {
  const found = /(Firefox|Edg|Chrome|Version)\/(\d+)/.exec(agent);
  return found ? `${found[1]!.replace("Version", "Safari").replace("Edg", "Edge")} ${found[2]}` : undefined;
}
