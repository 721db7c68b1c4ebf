/** Numbers for prose, taken from the events of a recorded run. */
import { decode, type NdArray } from "../runner/array.ts";
import type { RunEvent } from "../runner/types.ts";
import { placeOf, type Axes, type Axis } from "./axes.ts";
import { number, texts, written } from "../words/index.ts";

/** A way to write a number, with as many digits as its spread allows at most. */
const FORMATS = {
  number: (value: number, digits: number) => number(Number(value.toPrecision(Math.min(4, digits))), 6),
  integer: (value: number, digits: number) => number(Math.round(Number(value.toPrecision(digits)))),
  percent: (value: number) => `${written((100 * value).toFixed(1))} %`,
  share: (value: number) => `${number(Number((100 * value).toPrecision(2)), 6)} %`,
  rounded: (value: number) => {
    const two = value.toPrecision(2); // of a measured 1.02, "1.0": to say 1 would claim that nothing was rounded
    return 1 <= value && value < 9.95 && !Number.isInteger(value) ? written(two) : number(Number(two));
  },
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

/** `.name` or `[place]`, whose name may hold brackets itself: `checks[W2[0, 0]]`. */
const PART = /([^.[\]]+)|\[((?:[^[\]]|\[[^[\]]*\])+)\]/g;

export type Format = keyof typeof FORMATS;

/** The number at `kind.field…` of the last event of that kind, where a place along an axis is said by its name:
 *  `orders.took[jki].median`. Throws, naming what there is, where there is none. */
export function pick(events: readonly RunEvent[], at: string, lab: string, axes: Axes): number {
  try {
    return find(events, at, axes);
  } catch (error) {
    throw new Error(`<Value at="${at}"/>: ${lab} ${(error as Error).message}`, { cause: error });
  }
}

function find(events: readonly RunEvent[], at: string, axes: Axes): number {
  const [kind = "", ...path] = Array.from(at.matchAll(PART), ([, name, place]) => name ?? place!);
  const found = events.findLast((one) => one.kind === kind);
  if (!found) throw new Error(`has no event ${kind}`);
  const event = decode<RunEvent>(found);
  let value: unknown = event;
  let field = kind;
  let left: Axis[] = []; // of the axes of what was found so far
  for (const key of path) {
    if (isArray(value) || Array.isArray(value)) {
      const length = isArray(value) ? value.shape[0]! : value.length;
      const place = placeOf(key, field, left[0], length, event);
      left = left.slice(1);
      value = isArray(value) ? within(value, place) : value[place];
    } else {
      if (value === null || typeof value !== "object" || !(key in value)) {
        const known = value && typeof value === "object" ? Object.keys(value).join(", ") : "nothing";
        throw new Error(`has no ${key} there; it has ${known}`);
      }
      value = (value as Record<string, unknown>)[key];
      field += `.${key}`;
      left = axes[field] ?? [];
    }
  }
  if (typeof value !== "number") throw new Error("holds no number there");
  return value;
}

/** How many digits of a median, or of a mean of the middle half, differ from chance: those above the spread of that
 *  half, and two at least. A number without repetitions has as many as its format likes. */
export function digitsOf(events: readonly RunEvent[], at: string, lab: string, axes: Axes): number {
  const centre = /\b(?:median|middle)\b/;
  if (!centre.test(at) || /^\w+\.median$/.test(at)) return 21; // more than any format has
  const [low, high] = ["low", "high"].map((name) => pick(events, at.replace(centre, name), lab, axes));
  return digitsAbove(pick(events, at, lab, axes), high! - low!);
}

export function digitsAbove(value: number, spread: number): number {
  const place = (size: number) => Math.floor(Math.log10(Math.abs(size)));
  return spread > 0 ? Math.min(21, Math.max(2, place(value) - place(spread) + 1)) : 21;
}

/** What an array has at a place of its first axis. */
function within({ shape, data, ...rest }: NdArray, place: number): NdArray | number {
  const size = data.length / shape[0]!;
  if (shape.length === 1) return data[place]!;
  return { ...rest, shape: shape.slice(1), data: data.subarray(place * size, (place + 1) * size) };
}

const isArray = (value: unknown): value is NdArray =>
  typeof value === "object" && value !== null && "dtype" in value && "data" in value;

export const format = (value: number, as: Format, digits = 21): string =>
  FORMATS[as](value, digits).replace("-", "−");
