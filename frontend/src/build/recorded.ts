/** Where recorded runs are, and whose a page shows. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const RECORDINGS = join(process.cwd(), "..", "content", "recordings");
/** What the build records itself: runs with settings beside a lab's own (backend/underhood/near.py). */
export const NEAR = join(process.cwd(), "near");

interface Recorded {
  id: string;
  front?: string[];
}

/** The lab's own recorded run, or, as long as no machine that it needs was there to record it, that of the lab which
 *  makes its first pictures. */
export function recordedAs({ id, front }: Recorded, name: string): string {
  const own = existsSync(fileOf(id, name));
  return own || name !== "default" || !front ? id : front[0]!;
}

export const isNear = (name: string): boolean => name.includes("=");

export const fileOf = (lab: string, name: string): string =>
  join(isNear(name) ? NEAR : RECORDINGS, lab, `${name}.json`);

/** The names of all recorded runs of a lab, as far as they are made. */
export const namesOf = (id: string): string[] =>
  [RECORDINGS, NEAR]
    .map((folder) => join(folder, id))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replace(/\.json$/, ""));
