/** What there is to find in a chart, computed from the runs that are drawn. */
import { say } from "../../kit/scale";
import { number } from "../../words";
import { fastest, type Entry } from "../entries";
import { best, named, roofed } from "./series";

/** A run by its name in the chart, and what was found of it. */
export interface Finding {
  name: string;
  found: string;
}

/** The smallest size at which each reaches half of its best speed. */
export function halfway(entries: Entry[]): Finding[] {
  const looks = named(entries);
  return entries.map((entry) => {
    const half = fastest(entry).speed[1] / 2;
    const sizes = best(entry).filter(({ speed }) => speed[1] >= half);
    return { name: looks.get(entry)!.name, found: number(Math.min(...sizes.map(({ n }) => n))) };
  });
}

/** The operations for each byte at which the slope of memory meets the peak. */
export function ridges(entries: Entry[]): Finding[] {
  const below = entries.filter(roofed);
  const looks = named(below);
  return below.map((entry) => ({
    name: looks.get(entry)!.name,
    found: say(entry.roofs!.peak / entry.roofs!.memory, 2),
  }));
}
