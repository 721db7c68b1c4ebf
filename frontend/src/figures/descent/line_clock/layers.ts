/** The layers of a call, one behind the other in time, and the part of the call that the lens shows. */
import type { Event } from "../../../generated/descent/line_clock/types";
import { quartiles, row } from "../../../kit/arrays";
import type { Colour } from "../../../kit/concept";
import { say } from "../../../kit/scale";

const COLOURS: Colour[] = ["series-1", "series-7", "series-3", "time", "series-2"];

export interface Layer {
  name: string;
  colour: Colour;
  /** Nanoseconds from the start of the call. */
  from: number;
  to: number;
  low: number;
  high: number;
  took: number;
  /** Of each repetition. */
  turns: number[];
}

export const said = (ns: number): string =>
  Math.abs(ns) < 1000 ? `${say(ns, 3)} ns` : `${say(ns / 1000, 3)} µs`;

/** A layer is a difference of two measurements, and one that came out below zero takes no time here. */
export function layered(event: Event): Layer[] {
  let from = 0;
  return event.layers.map((name, n) => {
    const { low, median, high } = quartiles(event.took, n);
    const layer = {
      name,
      colour: COLOURS[n]!,
      from,
      to: from + Math.max(0, median),
      low,
      high,
      took: median,
      turns: Array.from(row(event.turns, n)),
    };
    from = layer.to;
    return layer;
  });
}

/** Where a time lies between two others, in percent, kept within them. */
export const place = (at: number, low: number, high: number): number =>
  Math.max(0, Math.min(100, (100 * (at - low)) / (high - low)));
