/** A number for each pair of two parameters, and what a reader is told of it. */
import { say } from "../scale";

export interface Parameter {
  name: string;
  values: ArrayLike<number>;
  log?: boolean;
  unit?: string;
}
export interface Grid {
  x: Parameter;
  y: Parameter;
  /** An axis that is not logarithmic may begin `from` a number below the smallest. */
  z: { name: string; log?: boolean; unit?: string; from?: number };
  /** [y, x]: a row for each value of `y`; NaN where there is none. */
  values: ArrayLike<number>;
}
export interface Place {
  x: number;
  y: number;
  z: number;
}

const written = (value: number, unit?: string) => say(value, 4) + (unit ? ` ${unit}` : "");

/** Column and row of a place in the grid; undefined where it lies between. */
export function cellOf({ x, y }: Grid, place: { x: number; y: number }): [number, number] | undefined {
  const find = ({ values }: Parameter, value: number) =>
    Array.from(values).findIndex((one) => Math.abs(one - value) <= 1e-6 * Math.max(1, Math.abs(one)));
  const [column, row] = [find(x, place.x), find(y, place.y)];
  return column < 0 || row < 0 ? undefined : [column, row];
}

export function placeAt({ x, y, values }: Grid, column: number, row: number): Place {
  const from = row * x.values.length;
  return { x: x.values[column]!, y: y.values[row]!, z: values[from + column]! };
}

export const told = ({ x, y, z }: Grid, place: Place): string[] => [
  `${z.name}: ${Number.isNaN(place.z) ? "…" : written(place.z, z.unit)}`,
  `${x.name}: ${written(place.x, x.unit)}`,
  `${y.name}: ${written(place.y, y.unit)}`,
];

/** From 0 to 1 along an axis. */
export function along({ values, log }: Parameter, value: number): number {
  const of = log ? Math.log : (one: number) => one;
  const [low, high] = [of(values[0]!), of(values[values.length - 1]!)];
  return (of(value) - low) / (high - low);
}

/** The smallest and the largest number of the grid. */
export function extent({ values }: Grid): [number, number] {
  const found = Array.from(values).filter((one) => !Number.isNaN(one));
  return found.length > 0 ? [Math.min(...found), Math.max(...found)] : [0, 1];
}

/** From 0, the smallest number, to 1, the largest. */
export function share({ z }: Grid, [low, high]: [number, number], value: number): number {
  const of = z.log ? Math.log : (one: number) => one;
  return high > low ? (of(value) - of(low)) / (of(high) - of(low)) : 0;
}
