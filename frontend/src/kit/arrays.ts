/** Places in an event's arrays, found by the shape that travels with them. */
import type { NdArray, TypedArray } from "../runner/array";

/** What an array holds at places of its first axes, as it lies in memory: `row(speed, kernel, size)`. */
export function row<T extends TypedArray>({ shape, data }: NdArray<T>, ...at: number[]): T {
  const size = shape.slice(at.length).reduce((all, length) => all * length, 1);
  const place = at.reduce((sum, index, axis) => {
    if (!(index >= 0 && index < shape[axis]!))
      throw new RangeError(`${index} of ${shape[axis]} on axis ${axis}`);
    return sum * shape[axis]! + index;
  }, 0);
  return data.subarray(place * size, (place + 1) * size) as T;
}

/** What it holds at each place of its first axis. */
export const rows = <T extends TypedArray>(array: NdArray<T>): T[] =>
  Array.from({ length: array.shape[0]! }, (_, index) => row(array, index));

/** The one number at a place of each axis: `at(compared, order, change)`. */
export const at = (array: NdArray, ...place: number[]): number => row(array, ...place)[0]!;

/** Repetitions: a quarter of them came out below `low`, a quarter above `high`. */
export interface Quartiles {
  low: number;
  median: number;
  high: number;
}

/** The quartiles at places of the axes before them. */
export function quartiles(
  array: NdArray<Float32Array, [...string[], "quartile"]>,
  ...at: number[]
): Quartiles {
  const [low, median, high] = row(array, ...at) as unknown as [number, number, number];
  return { low, median, high };
}
