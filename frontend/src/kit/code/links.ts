/** How lines of different stages of a program belong together: by their line of three-address code, and that by its
 *  characters of the source. */

import type { Concept } from "../concept";

export interface Span {
  start: number;
  end: number;
}

/** What is made of the same characters keeps this key from stage to stage. */
export const spanKey = ({ start, end }: Span): string => `span ${start}-${end}`;

/** One line of a listing. */
export interface Item {
  text: string;
  /** Before the text: its number. */
  note?: string;
  /** A label or a heading. */
  head?: boolean;
  change?: "same" | "new" | "gone";
  /** What it is about has a colour everywhere. */
  concept?: Concept | undefined;
  /** The line that the picture is about. */
  here?: boolean;
}

/** What the reader points at. */
export interface Picked {
  span?: Span;
  code?: number;
  ir?: number;
}

export interface Stage {
  code: readonly (Span & { op: string })[];
  ir: readonly { code: number }[];
}

/** What lights up: lines of three-address code, lines of LLVM's code, characters. */
export interface Light {
  codes: ReadonlySet<number>;
  irs: ReadonlySet<number>;
  spans: readonly Span[];
}

export const DARK: Light = { codes: new Set(), irs: new Set(), spans: [] };

export function light({ span, code = -1, ir = -1 }: Picked, stage: Stage): Light {
  if (ir >= 0) return lit(stage, [stage.ir[ir]?.code ?? -1], [ir]);
  if (code >= 0) return lit(stage, [code], kinOf(stage, [code]));
  if (!span) return DARK;
  if (stage.code.length === 0) return { ...DARK, spans: [span] };
  // The smallest expression around it of which something is left; of all others the smallest.
  const around = expressionsAround(span, stage.code);
  const found = around.find((codes) => kinOf(stage, codes).length > 0) ?? around[0] ?? [];
  return lit(stage, found, kinOf(stage, found));
}

function lit(stage: Stage, codes: number[], irs: number[]): Light {
  const known = codes.filter((code) => code >= 0);
  return { codes: new Set(known), irs: new Set(irs), spans: known.map((code) => stage.code[code]!) };
}

const kinOf = (stage: Stage, codes: number[]): number[] =>
  stage.ir.flatMap((line, index) => (codes.includes(line.code) ? [index] : []));

/** Lines of code by the expression that they come from, the smallest first. */
function expressionsAround(span: Span, code: Stage["code"]): number[][] {
  const found = new Map<string, number[]>();
  code.forEach(({ start, end, op }, index) => {
    if (op === "label" || start > span.start || end < span.end) return;
    const key = `${start} ${end}`;
    found.set(key, [...(found.get(key) ?? []), index]);
  });
  const size = ([first]: number[]) => code[first!]!.end - code[first!]!.start;
  return [...found.values()].sort((one, other) => size(one) - size(other));
}

/** The source cut wherever one of the spans begins or ends. */
export function segments(source: string, spans: readonly Span[]): Span[] {
  const edges = new Set([0, source.length, ...spans.flatMap(({ start, end }) => [start, end])]);
  const sorted = [...edges].sort((one, other) => one - other);
  return sorted.slice(0, -1).map((start, index) => ({ start, end: sorted[index + 1]! }));
}
