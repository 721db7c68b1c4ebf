/** What this browser measured last, by lab: kept in it and nowhere else, to be compared with other machines. */
import { decode, encode } from "./array";
import type { LabEvent, Params, Provenance } from "./types";

const KEY = "underhood.measured";

export interface Measured {
  params: Params;
  provenance: Provenance;
  /** The last one, which as any is a whole picture. */
  event: LabEvent;
}

export function keepMeasured(lab: string, { params, provenance, event }: Measured): void {
  try {
    localStorage.setItem(`${KEY}.${lab}`, JSON.stringify({ params, provenance, event: encode(event) }));
  } catch {
    // Storage is switched off or full: the run is then seen in its figure alone.
  }
}

export function measured(lab: string): Measured | undefined {
  try {
    const kept = localStorage.getItem(`${KEY}.${lab}`);
    return kept ? decode<Measured>(JSON.parse(kept)) : undefined;
  } catch {
    return undefined; // storage is switched off, or holds what another version wrote
  }
}
