/** Reads what a reader brings: a file of bench_this_machine.py, which anybody may have written. Nothing of it is
 *  trusted before it has passed, and nothing of it is ever more than numbers and plain text. */
import type { Event, Params } from "../../generated/speed/bench/types";
import { decode } from "../../runner/array.ts";
import type { LabEvent, Provenance } from "../../runner/types";
import { entryOf, type Entry } from "../entries.ts";
import { impossible, type Impossible } from "./limits.ts";
import { faultOf, isObject, type Fault, type Schema } from "./schema.ts";

export const MOST_BYTES = 1 << 18;
const DEEPEST = 16;

/** A run as it stands in the file. */
export interface Run {
  lab: string;
  params: Params & Record<string, string | number | boolean>;
  provenance: Provenance;
  event: LabEvent;
}

/** Why something is not taken. */
export class Refused extends Error {
  readonly why:
    Fault["why"] | Impossible["why"] | "large" | "deep" | "json" | "list" | "invisible" | "empty" | "link";
  readonly at: string;
  readonly values: (string | number)[];

  constructor(why: Refused["why"], at: string, values: (string | number)[] = []) {
    super(`${why} ${at} ${values}`);
    this.why = why;
    this.at = at;
    this.values = values;
  }
}

/** The runs of a file. Throws `Refused`. */
export async function runsIn(text: string, now = Date.now()): Promise<Run[]> {
  if (text.length > MOST_BYTES) throw new Refused("large", "", [MOST_BYTES / 1024]);
  if (!text.trim()) throw new Refused("empty", "");
  if (depthOf(text) > DEEPEST) throw new Refused("deep", "", [DEEPEST]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused("json", "");
  }
  if (isList(value)) throw new Refused("list", "");
  const { default: schema } = await import("../../generated/speed/bench/file.json", {
    with: { type: "json" },
  });
  const fault = faultOf(value, schema as Schema);
  if (fault) throw new Refused(fault.why, fault.at, fault.values);
  const { runs } = value as { runs: Run[] };
  runs.forEach((run, place) => {
    const hidden = invisible(run, `runs[${place}]`);
    if (hidden) throw new Refused("invisible", hidden);
    const no = impossible(run.params, run.provenance, eventOf<Event>(run), now);
    if (no) throw new Refused(no.why, `runs[${place}]`, no.values);
  });
  return runs;
}

/** The list of runs as the page saves it: it has a run's numbers and not its event. */
const isList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isObject(one) && "origin" in one && "rows" in one);

/** Its numbers. What it says of itself is left out: nobody shows that. */
const eventOf = <T>({ event }: Run): T => decode<T>({ ...event, text: "" });

/** One that has passed, as a line of the history. */
export function entryOfRun(run: Run): Entry {
  const { lab, params, provenance } = run;
  return entryOf("brought", lab, idOf(run), params, provenance, eventOf<LabEvent>(run))!;
}

/** The same run has the same, from any reader. */
export function idOf(run: Run): string {
  let [one, other] = [0x811c9dc5, 0x1234567];
  for (const letter of JSON.stringify(run)) {
    one = Math.imul(one ^ letter.codePointAt(0)!, 0x01000193);
    other = Math.imul(other + letter.codePointAt(0)!, 0x5bd1e995) ^ (other >>> 13);
  }
  return `brought/${(one >>> 0).toString(16)}${(other >>> 0).toString(16)}`;
}

/** How deep brackets stand in each other: counted before they are parsed, which may overflow the stack. */
function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let place = 0; place < text.length; place++) {
    const letter = text[place];
    if (letter === '"') quoted = !quoted;
    else if (letter === "\\" && quoted) place++;
    else if (quoted) continue;
    else if (letter === "{" || letter === "[") deepest = Math.max(deepest, ++depth);
    else if (letter === "}" || letter === "]") depth--;
  }
  return deepest;
}

/** Where a text holds what cannot be seen, such as marks that turn the order of letters around. */
function invisible(value: unknown, at: string): string | undefined {
  if (typeof value === "string") return /[\p{C}\p{Zl}\p{Zp}]/u.test(value) ? at : undefined;
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = invisible(inner, Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`);
    if (found) return found;
  }
  return undefined;
}
