/** The operations of a program keep their number and colour through all stages. */
import type { Operation, Row } from "../../generated/compilers/compile_stages/types";

export type { Row };

const HUES = ["weight", "code", "scale", "gradient", "range", "error", "address", "clipped"];

/** The name of an operation's colour, which eight of them have in turn. */
export const hueOf = (operation: number): string => HUES[operation % HUES.length]!;

const MOST = 4; // numbers beside a line; a line that does more is a whole kernel's

/** Operations as they stand before a line: each, or the first and the last. */
export const chipsOf = (operations: readonly number[]): readonly number[] =>
  operations.length <= MOST ? operations : [operations[0]!, operations.at(-1)!];

/** What the reader points at: a line of any stage, by what it does, or by its line of the source. */
export interface Picked {
  operations: readonly number[];
  line: number;
}

/** Undefined for what does no operation and comes from no line. */
export function pickedOf({ operations, line }: Row, known: readonly Operation[]): Picked | undefined {
  const all =
    operations.length > 0 ? operations : known.flatMap((each, n) => (each.line === line && line ? [n] : []));
  const from = line || (operations.length === 1 ? (known[operations[0]!]?.line ?? 0) : 0);
  return all.length > 0 || from > 0 ? { operations: all, line: from } : undefined;
}

export function isLit(row: Row, picked: Picked | undefined, known: readonly Operation[]): boolean {
  if (!picked) return false;
  if (row.operations.length > 0) return row.operations.some((each) => picked.operations.includes(each));
  if (!row.line) return false;
  return row.line === picked.line || picked.operations.some((each) => known[each]?.line === row.line);
}

/** The source, each line with the operations that Dynamo has found in it. */
export const sourceRows = (source: readonly string[], known: readonly Operation[]): Row[] =>
  source.map((text, index) => ({
    text,
    operations: known.flatMap((each, n) => (each.line === index + 1 ? [n] : [])),
    line: index + 1,
    head: false,
  }));

/** What is picked, in words. */
export function describe(
  picked: Picked | undefined,
  known: readonly Operation[],
  rows: readonly Row[],
): string {
  if (!picked) return "Point at a line: what it came from and what becomes of it lights up in every stage.";
  const names = picked.operations.map((each) => `${each + 1} ${known[each]?.name ?? ""}`.trim());
  const lit = rows.filter((row) => isLit(row, picked, known)).length;
  const what =
    names.length === 0
      ? `Line ${picked.line}`
      : `Operation${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  return `${what}${names.length > 0 && picked.line ? `, line ${picked.line}` : ""}: ${lit} of ${rows.length} lines here.`;
}
