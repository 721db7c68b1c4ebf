/** A run as JSON, in the form of the recordings: lab, parameters, and the log with its provenance. */
import { encode } from "../runner/array";
import type { End, LabEvent, Params, Provenance } from "../runner/types";

export interface Taken {
  lab: string;
  params: Params;
  provenance: Provenance;
  events: readonly LabEvent[];
  end: End | undefined;
}

/** One event a line. */
export function asJson({ lab, params, provenance, events, end }: Taken): string {
  const log = [{ kind: "started", attempt: 1, provenance }, ...events.map(encode), ...(end ? [end] : [])];
  const head = JSON.stringify({ lab, name: "taken", params });
  return `${head.slice(0, -1)}, "events": [\n${log.map((event) => JSON.stringify(event)).join(",\n")}\n]}\n`;
}
