/** Loops as a figure names and colours them. */
import { number } from "../../words";
import type { Concept } from "../concept";

export interface Loop {
  depth: number;
  kind: string;
  name: string;
  /** Where it stands in the text beside; -1 for nowhere. */
  line: number;
  /** Each time that it runs; 0 for what is no loop, -1 where nobody can say. */
  trips: number;
  step: number;
  reads: string[];
  writes: string[];
  to: string[];
  back: boolean;
}

export const CONCEPTS: Record<string, Concept> = {
  loop: "weight",
  tile: "scale",
  vector: "code",
  parallel: "activation",
  reduction: "gradient",
  grid: "scale",
  threads: "activation",
  work: "time",
  block: "address",
};

/** What a loop does each time, in words. */
export function trips({ kind, trips, step, to }: Loop): string {
  if (kind === "block") return to.length > 0 ? `may go on to ${to.join(" or ")}` : "ends";
  if (kind === "work" || kind === "grid" || kind === "threads") return "";
  const times = trips < 0 ? "as often as an outer one says" : `${number(trips)} times`;
  if (kind === "tile") return `${times}, a tile of ${number(step)} each`;
  if (kind === "vector") return `${times}, ${number(step)} at once`;
  if (kind === "parallel") return `${times}, in any order`;
  return kind === "reduction" ? `${times}, into one` : times;
}
