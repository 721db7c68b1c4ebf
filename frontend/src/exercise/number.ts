/** Reads a number as people type it, and judges it. */
import { texts } from "../words/index.ts";

export interface Mistake {
  value: number | string;
  says: string;
}

/** How far an answer may be off: `"1%"` of it, or a distance. Whole numbers are exact unless this says otherwise. */
export type Tolerance = number | string;

export interface Verdict {
  right: boolean;
  says: string;
}

/** Beyond the tolerance, but nearer than this many times it: the thought was right and a digit was lost. */
const NEAR = 5;

/** The number in `text`: decimals with a point or comma, a fraction, an exponent; NaN if it is none. */
export function read(text: string, unit = ""): number {
  let plain = text.trim().replace(/[−–]/g, "-");
  if (unit && plain.toLowerCase().endsWith(unit.toLowerCase())) plain = plain.slice(0, -unit.length);
  plain = plain.replace(/\s/g, "").replace(/^([^.,]*),(\d+)$/, "$1.$2");
  const [over, under, ...more] = plain.split("/");
  if (more.length > 0 || over === "" || under === "") return NaN;
  return Number(over) / (under === undefined ? 1 : Number(under));
}

/** The distance within which `answer` is met. */
export function reach(answer: number, tolerance?: Tolerance): number {
  if (tolerance === undefined) return Number.isInteger(answer) ? 0 : 0.01 * Math.abs(answer);
  if (typeof tolerance === "string" && tolerance.endsWith("%"))
    return (Math.abs(answer) * Number(tolerance.slice(0, -1))) / 100;
  return Number(tolerance);
}

/** Whether a typed number is the answer; where it is not, what is known of how it came about. */
export function judge(
  text: string,
  answer: number,
  { tolerance, unit, mistakes = [] }: { tolerance?: Tolerance; unit?: string; mistakes?: Mistake[] } = {},
): Verdict {
  const w = texts().exercise.number;
  const given = read(text, unit);
  if (!Number.isFinite(given)) return { right: false, says: w.unread };
  const allowed = reach(answer, tolerance) + 1e-9 * Math.abs(answer);
  const off = Math.abs(given - answer);
  if (off <= allowed) return { right: true, says: "" };
  const mistake = mistakes.find(({ value }) => Math.abs(given - Number(value)) <= allowed);
  if (mistake) return { right: false, says: mistake.says };
  if (off <= NEAR * allowed) return { right: false, says: w.close };
  if (Math.abs(given + answer) <= allowed) return { right: false, says: w.sign };
  return { right: false, says: given > answer ? w.large : w.small };
}
