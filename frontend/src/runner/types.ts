/** A run is a log of events. Wherever it happens, the log looks the same. */
import type { Sentence } from "../words/sentence";

/** Where a run happened, and on what: every number on a page can say so. */
export interface Provenance {
  where: "server" | "browser" | "recorded";
  /** ISO time, UTC. */
  at: string;
  machine: string;
  /** What the machine's name is made of, by name; runs recorded before November 2026 do not say. */
  hardware?: Record<string, string>;
  versions: Record<string, string>;
  lab_version: string;
  /** The reader changed the code of that version. */
  edited?: boolean;
}

export type Value = number | boolean | string;
export type Params = Record<string, Value>;

/** One whole picture of a lab: drawing it needs no other event. */
export interface LabEvent {
  kind: string;
  text: Sentence;
}

export interface Queued {
  kind: "queued";
  /** Runs that start before it; null while the server takes no more, and is asked again. */
  position: number | null;
  /** Seconds until the start, guessed from what runs took lately; null if none has ended yet. */
  wait: number | null;
}
/** Python is on its way into the reader's browser. */
export interface Starting {
  kind: "starting";
  /** Bytes that have come, of all; undefined where nobody knows how many there are. */
  come: number;
  all: number | undefined;
}
export interface Started {
  kind: "started";
  attempt: number;
  provenance: Provenance;
}
export interface End {
  kind: "end";
  status: "ok" | "failed" | "cancelled" | "timed_out";
  reason: string;
  /** True where the same run may end well another time: a connection was lost, a machine was busy. */
  again?: boolean;
}

export type EngineEvent = Queued | Starting | Started | End;

const ENGINE: readonly string[] = ["queued", "starting", "started", "end"] satisfies EngineEvent["kind"][];
export type RunEvent = EngineEvent | LabEvent;

/** The one interface behind which the server and the browser stand. */
export interface Runner {
  /** `target` is the place of the event that the reader waits for: no other one keeps it back. */
  run(lab: string, params: Params, signal: AbortSignal, target?: number): AsyncIterable<RunEvent>;
  /** Somebody has a hand on a parameter: what it is moved to first may be made before it is asked for. */
  nears?(lab: string, params: Params, name: string, target?: number): void;
}

export function isEngineEvent(event: RunEvent): event is EngineEvent {
  return ENGINE.includes(event.kind);
}
