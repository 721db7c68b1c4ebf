import { number } from "../../../words";

/** Nanoseconds in the unit that fits. */
export const took = (ns: number): string =>
  ns >= 1e6
    ? `${number(Number((ns / 1e6).toPrecision(3)))} ms`
    : ns >= 1e3
      ? `${number(Number((ns / 1e3).toPrecision(3)))} µs`
      : `${number(Math.round(ns))} ns`;

export const SORTS = {
  annotation: "series-4",
  operator: "series-1",
  backward: "series-2",
  Python: "series-3",
} as const;
