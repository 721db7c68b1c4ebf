/** Scales from data to percent, with ticks in words. */
import { ticks } from "d3-array";
import { tickFormat } from "d3-scale";
import { number, written } from "../words/index.ts";

export interface Tick {
  value: number;
  at: number;
  words: string;
}

export interface Scale {
  /** Percent of the axis, 0 at its start. */
  at(value: number): number;
  /** The value at a percent of the axis. */
  value(at: number): number;
  ticks(count: number): Tick[];
}

/** The axis on which `bent` of a value is a length; d3's own scales come with all that they could mix: colours, dates, … */
function axis(
  low: number,
  high: number,
  bent: (value: number) => number,
  straight: (bent: number) => number,
) {
  const [from, to] = [bent(low), bent(high)];
  return {
    at: (value: number) => (to === from ? 50 : (100 * (bent(value) - from)) / (to - from)),
    value: (at: number) => straight(from + ((to - from) * at) / 100),
  };
}

const itself = (value: number) => value;

/** An axis from `low` to `high`; an empty one is widened, so that nothing divides by zero. */
export function linear(low: number, high: number): Scale {
  const [from, to] = high > low ? [low, high] : [low - 0.5, low + 0.5];
  const scale = axis(from, to, itself, itself);
  return {
    ...scale,
    ticks: (count) => {
      const words = tickFormat(from, to, count);
      return ticks(from, to, count).map((value) => ({
        value,
        at: scale.at(value),
        words: written(words(value)),
      }));
    },
  };
}

/** An axis for counts, where a spike of thousands and a bar of ten must both be seen. */
export function counts(high: number): Scale {
  const most = Math.max(1, high);
  const scale = axis(
    0,
    most,
    (value) => Math.log1p(value / 2),
    (bent) => 2 * Math.expm1(bent),
  );
  const powers = (count: number) => {
    const all = [0, 10, 100, 1_000, 10_000, 100_000].filter((value) => value <= most);
    return all.filter(
      (_, index) => index === 0 || (all.length - 1 - index) % Math.ceil(all.length / (count + 1)) === 0,
    );
  };
  return {
    ...scale,
    ticks: (count) => powers(count).map((value) => ({ value, at: scale.at(value), words: number(value) })),
  };
}

/** An axis on which a factor is a length: 1, 2, 5, 10, … What lies beyond its ends is drawn there. */
export function logarithmic(low: number, high: number): Scale {
  const within = (value: number) => Math.max(low, Math.min(high, value));
  const scale = axis(low, high, (value) => Math.log(within(value)), Math.exp);
  const round = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].filter(
    (value) => value >= low && value <= high,
  );
  return {
    at: scale.at,
    value: (at) => within(scale.value(at)),
    ticks: (count) => {
      const every = Math.ceil(round.length / Math.max(1, count * 1.5));
      return round
        .filter((_, index) => index % every === 0)
        .map((value) => ({ value, at: scale.at(value), words: number(value) }));
    },
  };
}

/** The same with marks of the figure's own, in words of its own. */
export function marked(
  low: number,
  high: number,
  marks: readonly number[],
  words: (value: number) => string = say,
): Scale {
  const scale = logarithmic(low, high);
  const ticks = marks
    .filter((value) => value >= low && value <= high)
    .map((value) => ({ value, at: scale.at(value), words: words(value) }));
  return { ...scale, ticks: () => ticks };
}

/** A number as a figure says it: four digits, a true minus, no trailing zeros. */
export function say(value: number, digits = 4): string {
  if (value === 0) return "0";
  return written(String(Number(value.toPrecision(digits))));
}

/** A time as a figure says it, in the unit that fits. */
export function duration(seconds: number): string {
  if (seconds >= 60) return `${say(seconds / 60, 2)} min`;
  if (seconds >= 1) return `${say(seconds, 3)} s`;
  return seconds >= 1e-3 ? `${say(seconds * 1e3, 3)} ms` : `${say(seconds * 1e6, 3)} µs`;
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Memory as a figure says it, in the unit that fits. */
export function bytes(value: number): string {
  let unit = 0;
  for (; Math.abs(value) >= 1000 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${say(value, 3)} ${UNITS[unit]!}`;
}

/** What is moved a second is said in powers of ten, and so is what is moved. */
export const megabytes = (bytes: number): string => `${say(bytes / 1e6, 3)} MB`;

const THOUSANDS = ["", " thousand", " million", " billion", " trillion"];

/** A large count in words. */
export function many(value: number): string {
  let unit = 0;
  for (; Math.abs(value) >= 1000 && unit < THOUSANDS.length - 1; unit++) value /= 1000;
  return `${say(value, 3)}${THOUSANDS[unit]!}`;
}
