/** How the machines of two runs differ. A name such as "AMD EPYC, 2 cores" covers machines of very different speed. */
import type { Provenance } from "../runner/types";
import { texts } from "../words/index.ts";

/** What differs, most telling first, as "Vector extensions: AVX-512 → AVX2". */
export function machinesApart(one: Provenance, other: Provenance): string[] {
  const w = texts().machines.hardware;
  const [mine, theirs] = [one.hardware, other.hardware];
  if (mine && theirs)
    return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
      .filter((fact) => mine[fact] !== theirs[fact])
      .map((fact) => w.from(nameOf(fact), mine[fact] ?? w.unknown, theirs[fact] ?? w.unknown));
  if (one.machine === other.machine) return [];
  const whole = ({ machine, hardware }: Provenance) => (hardware ? machine : w.unrecorded(machine));
  return [w.from(w.machine, whole(one), whole(other))];
}

function nameOf(fact: string): string {
  const name = (texts().machines.hardware as Record<string, unknown>)[fact];
  return typeof name === "string" ? name : fact;
}
