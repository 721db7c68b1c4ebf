/** Timings of a lab that measures, as ratios: my machine against another. A measured quantity is written as three
 *  fields, `<name>_min`, `<name>_median`, `<name>_max`, or as an object of the three; each may be an array. */
import type { LabEvent } from "../../runner/types";
import { isArray, leaves } from "./logs";

export interface Ratio {
  name: string;
  one: number;
  other: number;
  /** The other as so many times the one, and between which bounds, where both state their spread. */
  ratio: number;
  spread: [number, number] | undefined;
}

interface Timing {
  median: number;
  /** Smallest and largest of the repetitions. */
  range: [number, number] | undefined;
}

export function ratios(one: LabEvent, other: LabEvent): Ratio[] {
  const theirs = timings(other);
  return [...timings(one)].flatMap(([name, a]) => {
    const b = theirs.get(name);
    if (!b) return [];
    const spread: Ratio["spread"] = a.range && b.range && [b.range[0] / a.range[1], b.range[1] / a.range[0]];
    return [{ name, one: a.median, other: b.median, ratio: b.median / a.median, spread }];
  });
}

/** The positive measured numbers of an event. Whole ones are counts and sizes, unless they come with a spread. */
function timings(event: LabEvent): Map<string, Timing> {
  const numbers = new Map<string, number>();
  for (const [path, value] of leaves(event)) {
    const items = isArray(value) ? [...value.data] : Array.isArray(value) ? value : undefined;
    if (items) items.forEach((item, i) => typeof item === "number" && numbers.set(`${path}[${i}]`, item));
    else if (typeof value === "number") numbers.set(path, value);
  }
  const found = new Map<string, Timing>();
  for (const [path, value] of numbers) {
    const [, stem, statistic, item = ""] = /^(.*?)[._]?(min|median|max)(\[\d+\])?$/.exec(path) ?? [];
    const at = (name: string) => numbers.get(path.replace(/(min|median|max)(\[\d+\])?$/, `${name}${item}`));
    const [low, median, high] = [at("min"), at("median"), at("max")];
    if (statistic && low && median && high) {
      if (statistic === "median") found.set(`${stem}${item}`, { median, range: [low, high] });
    } else if (value > 0 && !Number.isInteger(value)) found.set(path, { median: value, range: undefined });
  }
  return found;
}
