/** An event as a table: what is one number or word, and what is an array. */
import type { LabEvent } from "../runner/types";
import type { NdArray } from "../runner/array";
import { inEnglish } from "../words/sentence.ts";

export type Scalar = number | string | boolean | null;

/** Numbers or words in rows and columns, however they came. */
export interface Cells {
  name: string;
  shape: number[];
  /** Of numbers; a list of words has none. */
  dtype: string | undefined;
  /** In row-major order. */
  data: ArrayLike<Scalar>;
}

export interface Fields {
  scalars: [name: string, value: Scalar][];
  arrays: Cells[];
}

const isArray = (value: object): value is NdArray => "dtype" in value && "shape" in value && "data" in value;
const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== "object";

/** All fields of an event; what is nested is named with a dot. */
export function fieldsOf(event: LabEvent): Fields {
  const fields: Fields = { scalars: [], arrays: [] };
  const walk = (name: string, value: unknown): void => {
    if (isScalar(value)) fields.scalars.push([name, value]);
    else if (isArray(value as object)) {
      const { dtype, shape, data } = value as NdArray;
      if (shape.length === 0) fields.scalars.push([name, data[0]!]);
      else fields.arrays.push({ name, shape, dtype, data });
    } else if (Array.isArray(value) && value.every(isScalar)) {
      fields.arrays.push({ name, shape: [value.length], dtype: undefined, data: value });
    } else {
      for (const [key, inner] of Object.entries(value as object)) walk(name ? `${name}.${key}` : key, inner);
    }
  };
  walk("", inEnglish(event));
  return fields;
}

/** A float32 as short as it can be said without becoming another one: 0.1, not 0.10000000149011612. */
function float32(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** The value at a place of an array, as it should be written. */
export function cell(cells: Cells, at: number): Scalar {
  const value = cells.data[at]!;
  return cells.dtype === "float32" && Number.isFinite(value) ? float32(value as number) : value;
}

/** The names of all scalars of a run, in the order in which they first appear. */
export function columns(events: readonly LabEvent[]): string[] {
  return [...new Set(events.flatMap((event) => fieldsOf(event).scalars.map(([name]) => name)))];
}

function quote(value: Scalar | undefined): string {
  if (value === null || value === undefined) return "";
  const words = typeof value === "number" && !Number.isFinite(value) ? infinite(value) : String(value);
  return /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

const infinite = (value: number) => (Number.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf");

/** Rows of values as a file of lines. */
export const asCsv = (rows: Iterable<(Scalar | undefined)[]>): string =>
  Array.from(rows, (row) => `${row.map(quote).join(",")}\r\n`).join("");

/** One row a step, one column a number or word; steps count from 1. */
export function stepsAsCsv(events: readonly LabEvent[]): string {
  const names = columns(events);
  return asCsv([
    ["step", ...names],
    ...events.map((event, index) => {
      const values = new Map(fieldsOf(event).scalars);
      return [index + 1, ...names.map((name) => values.get(name))];
    }),
  ]);
}

/** One row a number of an array, with its place (from 0) along each axis: the long form that data tools pivot. */
export function arraysAsCsv(events: readonly LabEvent[]): string {
  const all = events.map((event) => fieldsOf(event).arrays);
  const axes = Math.max(1, ...all.flat().map((cells) => cells.shape.length));
  function* rows(): Generator<(Scalar | undefined)[]> {
    yield ["step", "field", ...Array.from({ length: axes }, (_, axis) => `axis_${axis}`), "value"];
    for (const [index, arrays] of all.entries()) {
      for (const cells of arrays) {
        for (let at = 0; at < cells.data.length; at++) {
          yield [index + 1, cells.name, ...place(at, cells.shape, axes), cell(cells, at)];
        }
      }
    }
  }
  return asCsv(rows());
}

/** The indices of the `at`-th value, padded to as many axes as the widest array has. */
function place(at: number, shape: number[], axes: number): (number | undefined)[] {
  const indices: (number | undefined)[] = new Array<undefined>(axes).fill(undefined);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    indices[axis] = at % shape[axis]!;
    at = Math.floor(at / shape[axis]!);
  }
  return indices;
}
