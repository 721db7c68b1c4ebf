/** What the server remembers of a lab's runs; what it said last is kept for when it cannot be asked. */
import { decode } from "../runner/array";
import type { LabEvent, Params, Provenance } from "../runner/types";
import { entryOf, type Entry } from "./entries";

const KEY = "underhood.history";

export interface Machine {
  name: string;
  results: number;
}

interface Answer {
  machines: Machine[];
  results: { number: number; run: string; params: Params; provenance: Provenance; event: LabEvent }[];
  next: number | null;
}

export interface Page {
  machines: Machine[];
  entries: Entry[];
  /** Where older ones begin. */
  next: number | undefined;
  /** When the server said so, if it cannot be asked now. */
  seen: string | undefined;
}

/** "files": there is no server, this site is files alone. "away": it cannot be reached, and nothing of it is kept. */
export type Found = Page | "files" | "away";

export async function history(lab: string, machine?: string, before?: number): Promise<Found> {
  const query = new URLSearchParams({ limit: "25" });
  if (machine) query.set("machine", machine);
  if (before) query.set("before", String(before));
  const answer = await fetch(`/api/history/${lab}?${query}`).catch(() => undefined);
  const json = answer?.headers.get("Content-Type")?.includes("json");
  if (answer && !json && answer.status < 500) return "files";
  if (!answer?.ok) return machine || before ? "away" : (lastSeen(lab) ?? "away");
  const found = (await answer.json()) as Answer;
  if (!machine && !before) keep(lab, found);
  return pageOf(lab, found);
}

function pageOf(lab: string, { machines, results, next }: Answer, seen?: string): Page {
  const entries = results.flatMap(({ run, params, provenance, event }) => {
    const entry = entryOf("server", lab, run, params, provenance, decode<LabEvent>(event));
    return entry ? [entry] : [];
  });
  return { machines, entries, next: next ?? undefined, seen };
}

function keep(lab: string, answer: Answer): void {
  try {
    localStorage.setItem(`${KEY}.${lab}`, JSON.stringify({ at: new Date().toISOString(), answer }));
  } catch {
    // Storage is switched off or full: without the server there is then nothing to see.
  }
}

function lastSeen(lab: string): Page | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(`${KEY}.${lab}`) ?? "null") as {
      at: string;
      answer: Answer;
    } | null;
    return kept ? pageOf(lab, { ...kept.answer, next: null }, kept.at) : undefined;
  } catch {
    return undefined; // storage is switched off, or holds what another version wrote
  }
}
