/** Compares two logs of a lab by the rules that a recording is held to (backend/underhood/author/compare_logs.py): structure, whole
 *  numbers and words must be equal; floats may differ by what another processor's rounding does. */
import type { NdArray } from "../../runner/array";
import type { LabEvent } from "../../runner/types";
import { inEnglish } from "../../words/sentence.ts";

export const RELATIVE = 1e-6;
export const ABSOLUTE = 1e-9;

/** "close" is equal but for rounding. */
export type Verdict = "same" | "close" | "different";

export interface Difference {
  verdict: Verdict;
  /** The largest difference between two numbers, if numbers are what differs. */
  absolute: number;
  relative: number;
  /** How many items of an array differ at all. */
  items: number;
}

export interface Field extends Difference {
  name: string;
  one: unknown;
  other: unknown;
}

export interface Summary extends Difference {
  name: string;
  /** Indices of the steps in which it differs. */
  steps: number[];
}

export interface Comparison {
  verdict: Verdict;
  /** Steps of the one and of the other. */
  counts: [number, number];
  /** What is the matter with each step that both have. */
  steps: Verdict[];
  /** The fields that differ, as they come. */
  fields: Summary[];
}

const RANK: Verdict[] = ["same", "close", "different"];
const worse = (one: Verdict, other: Verdict) => RANK[Math.max(RANK.indexOf(one), RANK.indexOf(other))]!;
const worst = (all: Difference[]): Verdict => all.map(({ verdict }) => verdict).reduce(worse, "same");

export const isArray = (value: unknown): value is NdArray =>
  typeof value === "object" && value !== null && "dtype" in value && "data" in value;

/** Every value of an event by its path, arrays and plain lists whole: `layers[2].scale`. */
export function leaves(value: unknown, path = ""): Map<string, unknown> {
  const plain = Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
  if (typeof value !== "object" || value === null || isArray(value) || plain) return new Map([[path, value]]);
  const list = Array.isArray(value);
  return new Map(
    Object.entries(value).flatMap(([key, item]) => [
      ...leaves(item, list ? `${path}[${key}]` : path ? `${path}.${key}` : key),
    ]),
  );
}

/** All fields of two events, and how each differs. */
export function fields(one: LabEvent, other: LabEvent): Field[] {
  const [mine, theirs] = [leaves(inEnglish(one)), leaves(inEnglish(other))];
  const names = new Set([...mine.keys(), ...theirs.keys()]);
  return [...names].map((name) => {
    const [a, b] = [mine.get(name), theirs.get(name)];
    return { name, one: a, other: b, ...difference(a, b) };
  });
}

export function compare(one: readonly LabEvent[], other: readonly LabEvent[]): Comparison {
  const found = new Map<string, Summary>();
  const steps = Array.from({ length: Math.min(one.length, other.length) }, (_, index) => {
    const all = fields(one[index]!, other[index]!).filter(({ verdict }) => verdict !== "same");
    for (const { name, verdict, absolute, relative, items } of all) {
      const known = found.get(name);
      found.set(name, {
        name,
        steps: [...(known?.steps ?? []), index],
        verdict: worse(known?.verdict ?? "same", verdict),
        absolute: Math.max(known?.absolute ?? 0, absolute),
        relative: Math.max(known?.relative ?? 0, relative),
        items: Math.max(known?.items ?? 0, items),
      });
    }
    return worst(all);
  });
  const verdict = one.length === other.length ? steps.reduce(worse, "same") : "different";
  return { verdict, counts: [one.length, other.length], steps, fields: [...found.values()] };
}

const SAME: Difference = { verdict: "same", absolute: 0, relative: 0, items: 0 };
const DIFFERENT: Difference = { ...SAME, verdict: "different" };

function difference(one: unknown, other: unknown): Difference {
  if (isArray(one) && isArray(other)) {
    if (one.dtype !== other.dtype || String(one.shape) !== String(other.shape)) return DIFFERENT;
    return ofItems(one.data, other.data, one.dtype.startsWith("float"));
  }
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length ? ofItems(one, other) : DIFFERENT;
  return ofItems([one], [other]);
}

/** `float`: what the numbers are; a number that stands alone does not say, and two whole ones are taken as integers. */
function ofItems(one: ArrayLike<unknown>, other: ArrayLike<unknown>, float?: boolean): Difference {
  const all = { ...SAME };
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i], other[i]];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    all.items++;
    if (typeof a !== "number" || typeof b !== "number") {
      all.verdict = "different";
      continue;
    }
    const apart = Math.abs(a - b);
    const size = Math.max(Math.abs(a), Math.abs(b));
    all.absolute = Math.max(all.absolute, apart);
    all.relative = Math.max(all.relative, apart / size);
    const exact = !(float ?? !(Number.isInteger(a) && Number.isInteger(b)));
    all.verdict = worse(all.verdict, !exact && close(a, b, float) ? "close" : "different");
  }
  return all;
}

/** As numpy.isclose where the numbers are an array's, as math.isclose where one stands alone. */
function close(a: number, b: number, inArray?: boolean): boolean {
  const apart = Math.abs(a - b);
  return inArray
    ? apart <= ABSOLUTE + RELATIVE * Math.abs(b)
    : apart <= Math.max(ABSOLUTE, RELATIVE * Math.max(Math.abs(a), Math.abs(b)));
}
