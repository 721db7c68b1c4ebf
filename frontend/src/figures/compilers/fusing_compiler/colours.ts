/** A line of the program has one colour, wherever something of it is shown. */
import type { Concept } from "../../../kit/concept";
import { COLOURS } from "../../../kit/registers/registers";

export type Colour = (line: number) => Concept | undefined;

export function coloursOf(rows: readonly { line: number }[]): Colour {
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
