/** Where the tokens of a program stand in their lines, and where each stands in its tree, from the root at the left. */
import type { Series } from "../concept";
import { spanKey, type Span } from "./links";
import { nodeWords } from "./stages";

interface Token extends Span {
  kind: string;
  text: string;
}
interface Branch extends Span {
  depth: number;
  role: string;
  kind: string;
  detail: string;
}

/** A token, or a node. Lengths are in characters, places down in rows. */
export interface Piece extends Span {
  text: string;
  title: string;
  sort: "name" | "number" | "keyword" | "mark" | "none";
  x: number;
  y: number;
  wide: number;
  /** The characters that it is known by from stage to stage. */
  key: string;
  /** The token that it was. */
  from?: string;
  /** From the side of its parent to its own. */
  edge?: { x: number; y: number };
}
export interface Layout {
  pieces: Piece[];
  /** Characters that belong to no token. */
  blanks: { text: string; x: number; y: number }[];
  wide: number;
  rows: number;
}

const [PAD, GAP] = [1.1, 1.2];
/** What is no token of its own is written smaller. */
const SMALL = 0.85;
/** By the sort of a piece. */
export const COLOURS = {
  name: "series-1",
  number: "series-3",
  keyword: "series-4",
  mark: "series-2",
  none: undefined,
} satisfies Record<Piece["sort"], Series | undefined>;
const SORTS: Record<string, Piece["sort"]> = {
  name: "name",
  keyword: "keyword",
  integer: "number",
  floating: "number",
};

/** Each character has a cell of its own, and each token those of its characters. */
export function inLines(tokens: readonly Token[], source: string): Layout {
  const taken = new Set<number>();
  const pieces = tokens.map((token): Piece => {
    for (let at = token.start; at < token.end; at++) taken.add(at);
    const sort = SORTS[token.kind] ?? "mark";
    const own = { text: token.text, title: token.kind, wide: token.text.length, key: spanKey(token), sort };
    return { ...spanned(token), ...own, ...spot(source, token.start) };
  });
  const blanks = Array.from(source, (text, at) => ({
    text: text === "\n" ? "↵" : "·",
    at,
    ...spot(source, at),
  }));
  return {
    ...measured(pieces, source.trimEnd().split("\n").length),
    blanks: blanks.filter(({ at }) => !taken.has(at)),
  };
}

/** The line of a character, and its place there. */
function spot(source: string, at: number): { x: number; y: number } {
  const lines = source.slice(0, at).split("\n");
  return { x: lines.at(-1)!.length, y: lines.length - 1 };
}

export function inTree(nodes: readonly Branch[], source: string): Layout {
  const words = nodes.map((node) => {
    const { text, title } = nodeWords(node);
    const sort = sortOf(node);
    return { text, title, sort, wide: text.length * (sort === "none" ? SMALL : 1) + PAD };
  });
  const widths: number[] = [];
  nodes.forEach(({ depth }, n) => {
    widths[depth] = Math.max(widths[depth] ?? 0, words[n]!.wide);
  });
  const left = (depth: number) => widths.slice(0, depth).reduce((sum, each) => sum + each + GAP, 0);
  const children = nodes.map((node, n) => below(nodes, node.depth, n));
  const tops: number[] = [];
  let rows = 0;
  nodes.forEach((_, n) => {
    if (children[n]!.length === 0) tops[n] = rows++;
  });
  for (let n = nodes.length - 1; n >= 0; n--) {
    const under = children[n]!;
    if (under.length > 0) tops[n] = (tops[under[0]!]! + tops[under.at(-1)!]!) / 2;
  }
  const met = new Set<string>();
  const pieces = nodes.map((node, n): Piece => {
    const token = own(
      node,
      children[n]!.map((child) => nodes[child]!),
      source,
    );
    const key = met.has(spanKey(node)) ? `${spanKey(node)} ${n}` : spanKey(node);
    met.add(key);
    const parent = parentOf(nodes, n);
    return {
      ...{ ...spanned(node), ...words[n]!, x: left(node.depth), y: tops[n]!, key },
      ...(token && { from: spanKey(token) }),
      ...(parent >= 0 && {
        edge: { x: left(node.depth - 1) + words[parent]!.wide, y: tops[parent]! },
      }),
    };
  });
  return measured(pieces, rows);
}

const spanned = ({ start, end }: Span) => ({ start, end });
const measured = (pieces: Piece[], rows: number): Layout => ({
  pieces,
  blanks: [],
  wide: Math.max(1, ...pieces.map(({ x, wide }) => x + wide)),
  rows,
});

function below(nodes: readonly Branch[], depth: number, n: number): number[] {
  const found: number[] = [];
  for (let next = n + 1; next < nodes.length && nodes[next]!.depth > depth; next++)
    if (nodes[next]!.depth === depth + 1) found.push(next);
  return found;
}

export function parentOf(nodes: readonly { depth: number }[], n: number): number {
  let parent = n - 1;
  while (parent >= 0 && nodes[parent]!.depth >= nodes[n]!.depth) parent--;
  return parent;
}

function sortOf({ kind, detail }: Branch): Piece["sort"] {
  if (/^(Name|Variable|Parameter|Definition|Call|Access)$/.test(kind)) return "name";
  if (/^(Constant|Text)$/.test(kind)) return "number";
  if (/^(Loop|Leave|If|Return|Switch|Case|Goto|SizeOf)$/.test(kind)) return "keyword";
  return detail ? "mark" : "none";
}

/** The token that became a node: its name or operator among the characters that none of its children has, else the
 *  first of those. */
function own(node: Branch, children: readonly Span[], source: string): Span | undefined {
  const text = [...source.slice(node.start, node.end)];
  for (const { start, end } of children) text.fill(" ", start - node.start, end - node.start);
  const left = text.join("");
  const word = (node.detail.split(" ").at(-1) || node.kind).toLowerCase();
  const at = left.toLowerCase().indexOf(word);
  const [start, length] = at >= 0 ? [at, word.length] : [left.search(/\S/), 1];
  return start < 0 ? undefined : { start: node.start + start, end: node.start + start + length };
}
