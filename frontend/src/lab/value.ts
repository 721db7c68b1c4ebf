/** Numbers for prose, taken from the events of a recorded run. */
import { decode, type NdArray } from "../runner/array.ts";
import type { RunEvent } from "../runner/types.ts";
import { number, texts, written } from "../words/index.ts";

const FORMATS = {
  number: (value: number) => number(Number(value.toPrecision(4)), 6),
  integer: (value: number) => number(Math.round(value)),
  percent: (value: number) => `${written((100 * value).toFixed(1))} %`,
  share: (value: number) => `${number(Number((100 * value).toPrecision(2)), 6)} %`,
  rounded: (value: number) => number(Number(value.toPrecision(2))),
  time: (value: number) => {
    const [size, unit] = value < 1e-3 ? [1e6, "µs"] : value < 1 ? [1e3, "ms"] : [1, "s"];
    return `${number(Number((size * value).toPrecision(2)))} ${unit}`;
  },
  decibel: (value: number) => `${written(value.toFixed(1))} dB`,
  bytes: (value: number) =>
    value < 1024
      ? texts().figure.bytes(value)
      : value < 1024 ** 2
        ? `${written((value / 1024).toFixed(1))} KiB`
        : `${written((value / 1024 ** 2).toFixed(2))} MiB`,
};

export type Format = keyof typeof FORMATS;

/** The number at `kind.field…` of the last event of that kind. Throws, naming what there is, where there is none. */
export function pick(events: readonly RunEvent[], at: string, lab: string): number {
  const [kind, ...path] = at.split(".");
  const event = events.findLast((one) => one.kind === kind);
  if (!event) throw new Error(`<Value at="${at}"/>: ${lab} has no event ${kind}`);
  let value: unknown = decode(event);
  for (const key of path) {
    if (isArray(value)) value = value.data; // `layers.sqnr.2` is an item of an array
    if (value === null || typeof value !== "object" || !(key in value)) {
      const known = value && typeof value === "object" ? Object.keys(value).join(", ") : "nothing";
      throw new Error(`<Value at="${at}"/>: ${lab} has no ${key} there; it has ${known}`);
    }
    value = (value as Record<string, unknown>)[key];
  }
  if (typeof value !== "number") throw new Error(`<Value at="${at}"/>: ${lab} holds no number there`);
  return value;
}

const isArray = (value: unknown): value is NdArray =>
  typeof value === "object" && value !== null && "dtype" in value && "data" in value;

export const format = (value: number, as: Format): string => FORMATS[as](value).replace("-", "−");
