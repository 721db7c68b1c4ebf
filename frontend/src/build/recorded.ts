/** Where recorded runs are, and whose a page shows. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const RECORDINGS = join(process.cwd(), "..", "content", "recordings");

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

export const fileOf = (lab: string, name: string): string => join(RECORDINGS, lab, `${name}.json`);

/** The names of all recorded runs of a lab. */
export const namesOf = (id: string): string[] =>
  readdirSync(join(RECORDINGS, id)).map((file) => file.replace(/\.json$/, ""));
