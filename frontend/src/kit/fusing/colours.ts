/** A line of the program has one colour, wherever something of it is shown. */
import type { Concept } from "../concept";
import { COLOURS } from "../registers/registers";

export function coloursOf(rows: readonly { line: number }[]): (line: number) => Concept | undefined {
  const lines = [...new Set(rows.map(({ line }) => line))].filter(Boolean).sort((one, other) => one - other);
  return (line) => (lines.includes(line) ? COLOURS[lines.indexOf(line) % COLOURS.length] : undefined);
}

/** What is pointed at: a line of the program, or one row of the graph. */
export interface Pointed {
  line: number;
  row?: number;
}

export const isLit = (pointed: Pointed | undefined, line: number, row?: number): boolean =>
  pointed !== undefined &&
  (pointed.row !== undefined && row !== undefined ? pointed.row === row : line > 0 && pointed.line === line);

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

export function bytes(value: number): string {
  let unit = 0;
  for (; Math.abs(value) >= 1000 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${Number(value.toPrecision(3))} ${UNITS[unit]!}`;
}

const THOUSANDS = ["", " thousand", " million", " billion", " trillion"];

export function many(value: number): string {
  let unit = 0;
  for (; Math.abs(value) >= 1000 && unit < THOUSANDS.length - 1; unit++) value /= 1000;
  return `${Number(value.toPrecision(3))}${THOUSANDS[unit]!}`;
}
