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

/** What `text` may mean, as the page prints numbers first: on an English page `65,534` is a whole number, and then
 *  what others write so. A number has a decimal sign, groups of thousands, an exponent; or it is a fraction. */
export function readings(text: string, unit = ""): number[] {
  let plain = text.trim().replace(/[−–]/g, "-");
  if (unit && plain.toLowerCase().endsWith(unit.toLowerCase())) plain = plain.slice(0, -unit.length);
  plain = plain.replace(/\s/g, "");
  const { decimal, group } = texts().notation;
  const all = [fraction(plain, decimal, group), fraction(plain, group, decimal)];
  return [...new Set(all.filter(Number.isFinite))];
}

/** The number in `text`; NaN if it is none. */
export const read = (text: string, unit = ""): number => readings(text, unit)[0] ?? NaN;

function fraction(text: string, decimal: string, group: string): number {
  const [over = NaN, under = 1, ...more] = text.split("/").map((part) => plainNumber(part, decimal, group));
  return more.length > 0 ? NaN : over / under;
}

function plainNumber(text: string, decimal: string, group: string): number {
  const grouped = new RegExp(`^[-+]?[1-9]\\d{0,2}([${group}]\\d{3})+(?![\\d${group}])`).test(text);
  const ungrouped = grouped ? text.replaceAll(group, "") : text;
  if (ungrouped === "" || ungrouped.includes(group)) return NaN;
  return Number(ungrouped.replace(decimal, "."));
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
  const meant = readings(text, unit);
  const given = meant[0];
  if (given === undefined) return { right: false, says: w.unread };
  const allowed = reach(answer, tolerance) + 1e-9 * Math.abs(answer);
  const meets = (value: number) => meant.some((one) => Math.abs(one - value) <= allowed);
  if (meets(answer)) return { right: true, says: "" };
  const off = Math.abs(given - answer);
  const mistake = mistakes.find(({ value }) => meets(Number(value)));
  if (mistake) return { right: false, says: mistake.says };
  if (off <= NEAR * allowed) return { right: false, says: w.close };
  if (Math.abs(given + answer) <= allowed) return { right: false, says: w.sign };
  return { right: false, says: given > answer ? w.large : w.small };
}
