/** Scales from data to percent, with ticks in words. */
import { scaleLinear, scaleLog, scaleSymlog } from "d3-scale";
import { number, written } from "../words";

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

/** An axis from `low` to `high`; an empty one is widened, so that nothing divides by zero. */
export function linear(low: number, high: number): Scale {
  const span = high > low ? [low, high] : [low - 0.5, low + 0.5];
  const scale = scaleLinear().domain(span).range([0, 100]);
  return {
    at: scale,
    value: (at) => scale.invert(at),
    ticks: (count) => {
      const words = scale.tickFormat(count);
      return scale.ticks(count).map((value) => ({ value, at: scale(value), words: written(words(value)) }));
    },
  };
}

/** An axis for counts, where a spike of thousands and a bar of ten must both be seen. */
export function counts(high: number): Scale {
  const scale = scaleSymlog()
    .constant(2)
    .domain([0, Math.max(1, high)])
    .range([0, 100]);
  const powers = (count: number) => {
    const all = [0, 10, 100, 1_000, 10_000, 100_000].filter((value) => value <= Math.max(1, high));
    return all.filter(
      (_, index) => index === 0 || (all.length - 1 - index) % Math.ceil(all.length / (count + 1)) === 0,
    );
  };
  return {
    at: scale,
    value: (at) => scale.invert(at),
    ticks: (count) => powers(count).map((value) => ({ value, at: scale(value), words: number(value) })),
  };
}

/** An axis on which a factor is a length: 1, 2, 5, 10, … */
export function logarithmic(low: number, high: number): Scale {
  const scale = scaleLog().domain([low, high]).range([0, 100]).clamp(true);
  const round = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].filter(
    (value) => value >= low && value <= high,
  );
  return {
    at: scale,
    value: (at) => scale.invert(at),
    ticks: (count) => {
      const every = Math.ceil(round.length / Math.max(1, count * 1.5));
      return round
        .filter((_, index) => index % every === 0)
        .map((value) => ({ value, at: scale(value), words: number(value) }));
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
