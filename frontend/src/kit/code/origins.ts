/** The parts of a program that lines come from, each with a colour of its own; and which lines come from each. */
import type { Line } from "../../generated/bits/code_front/types";
import type { Series } from "../concept";
import type { Span } from "./links";
import type { Row } from "./stages";

export interface Origin extends Span {
  colour: Series;
}

const COLOURS = 8;

/** The largest parts that compute something: jumps and braces do not. */
export function origins(code: readonly Line[], source: string): Origin[] {
  const spans = code.filter(({ op, start }) => op !== "label" && op !== "jump" && source[start] !== "}");
  const whole = spans.filter((one) => !spans.some((other) => holds(other, one) && size(other) > size(one)));
  const apart = new Map(whole.map(({ start, end }) => [start, { start, end }]));
  return [...apart.values()]
    .sort((one, other) => one.start - other.start)
    .map((span, n) => ({ ...span, colour: `series-${(n % COLOURS) + 1}` as Series }));
}

const size = ({ start, end }: Span) => end - start;
const holds = (outer: Span, inner: Span) => outer.start <= inner.start && inner.end <= outer.end;

/** The part that holds this one; -1 for none. */
export const partOf = (parts: readonly Origin[], span: Span | undefined): number =>
  span ? parts.findIndex((part) => holds(part, span)) : -1;

/** Rows below each other that come from one part. */
export interface Band {
  key: string;
  part: number;
  first: number;
  last: number;
}

export function bands(rows: readonly Row[], partAt: (row: Row) => number): Band[] {
  const found: Band[] = [];
  const met = new Map<number, number>();
  rows.forEach((row, index) => {
    const part = row.change === "gone" ? -1 : partAt(row);
    if (part < 0) return;
    const before = found.at(-1);
    if (before && before.part === part && before.last === index - 1) return void (before.last = index);
    met.set(part, (met.get(part) ?? 0) + 1);
    found.push({ key: `${part}/${met.get(part)}`, part, first: index, last: index });
  });
  return found;
}
