/** Timings of a lab that measures, as ratios: my machine against another. A measured quantity states its spread as an
 *  axis of an array (low, median, high), or as three fields (`<name>_min`, `<name>_median`, `<name>_max`). */
import type { Axes } from "../axes.ts";
import type { LabEvent } from "../../runner/types.ts";
import { isArray, leaves } from "./logs.ts";
import { fieldName, placeNames } from "./names.ts";

export interface Ratio {
  name: string;
  one: number;
  other: number;
  /** The other as so many times the one, and between which bounds, where both state their spread. */
  ratio: number;
  spread: [number, number] | undefined;
}

type Statistic = "low" | "median" | "high";
type Timing = Partial<Record<Statistic, number>> & { median: number };

const STATISTICS: Record<string, Statistic> = {
  min: "low",
  low: "low",
  median: "median",
  max: "high",
  high: "high",
};

export function ratios(one: LabEvent, other: LabEvent, axes: Axes): Ratio[] {
  const theirs = timings(other, axes);
  return [...timings(one, axes)].flatMap(([name, a]) => {
    const b = theirs.get(name);
    if (!b) return [];
    const spread: Ratio["spread"] =
      a.low && a.high && b.low && b.high ? [b.low / a.high, b.high / a.low] : undefined;
    return [{ name, one: a.median, other: b.median, ratio: b.median / a.median, spread }];
  });
}

/** The positive measured numbers of an event. Whole ones are counts and sizes, unless they come with a spread. */
function timings(event: LabEvent, axes: Axes): Map<string, Timing> {
  const all = [...numbers(event, axes)].map(([parts, value]) => {
    const at = parts.findLastIndex((part) => part in STATISTICS);
    const stem = parts.filter((_, place) => place !== at).join(", ");
    return { name: parts.join(", "), stem, statistic: STATISTICS[parts[at] ?? ""], value };
  });
  const spreads = new Map<string, Partial<Timing>>();
  for (const { stem, statistic, value } of all)
    if (statistic) spreads.set(stem, { ...spreads.get(stem), [statistic]: value });
  const found = new Map<string, Timing>();
  for (const { name, stem, statistic, value } of all) {
    const spread = statistic && spreads.get(stem);
    if (spread && whole(spread)) found.set(stem, spread);
    else if (value > 0 && !Number.isInteger(value)) found.set(name, { median: value });
  }
  return found;
}

const whole = (one: Partial<Timing>): one is Timing => !!(one.low && one.median && one.high);

/** Every number of an event, by the parts of its name. */
function* numbers(event: LabEvent, axes: Axes): Generator<[string[], number]> {
  for (const [path, value] of leaves(event)) {
    const field = fieldName(path, event, axes).replace(/[ ,]+(min|low|median|max|high)$/, ", $1");
    const parts = field.split(", ");
    const items = isArray(value) ? [...value.data] : Array.isArray(value) ? (value as unknown[]) : undefined;
    if (typeof value === "number") yield [parts, value];
    for (const [at, item] of items?.entries() ?? [])
      if (typeof item === "number") {
        const shape = isArray(value) ? value.shape : [items!.length];
        yield [[...parts, ...placeNames(path, shape, at, event, axes)], item];
      }
  }
}
