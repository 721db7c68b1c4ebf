/** Where everything in a memory is drawn: two columns of rows of one height, and the arrows between rows. */
import type { Event } from "../../generated/bits/memory_machine/types";

export type Picture = Event;
export type Call = Picture["calls"][number];
export type Piece = Picture["heap"][number];
export type Cell = Piece["cells"][number];

export interface Row {
  key: string;
  side: "stack" | "other";
  /** In rows from the top. */
  y: number;
  /** What a heading says; a cell has none. */
  head?: string;
  note?: string;
  piece?: Piece;
  cell?: Cell;
  /** Of a heading: over a whole segment, a call, a piece of the heap, or cells left out. */
  level?: "segment" | "call" | "piece" | "more";
}

export interface Arrow {
  key: string;
  from: Row;
  to: Row;
  /** In rows: the middle of the row, or its lower edge for one past the end. */
  at: number;
  leads: NonNullable<Cell["arrow"]>["leads"];
}

export const keyOf = (piece: Piece, cell: number) => `${piece.number}.${cell}`;

export const short = (address: string) => (address.length > 10 ? `0x…${address.slice(-4)}` : address);

export const hex = (address: number) => `0x${address.toString(16)}`;

/** What holds nothing but the one value has no name of its own; its type says what it is. */
export const nameOf = (cell: Cell) => cell.name || (cell.type === "void" ? "" : cell.type);

const about = (piece: Piece) => `${piece.state === "live" ? "" : `${piece.state} · `}${piece.size} B`;

/** The rows of a picture. The lab counts them in the same way, for the room that a whole run needs. */
export function rowsOf(picture: Picture): Row[] {
  const rows: Row[] = [];
  let y = 0;
  let side: Row["side"] = "stack";

  const head = (level: Row["level"], key: string, words: string, note = "", piece?: Piece) =>
    rows.push({ key: `${level} ${key}`, side, y: y++, head: words, note, level, ...(piece && { piece }) });
  const cells = (pieces: Piece[]) => {
    for (const piece of pieces) {
      piece.cells.forEach((cell, n) => rows.push({ key: keyOf(piece, n), side, y: y++, piece, cell }));
      if (piece.more) head("more", String(piece.number), `and ${piece.more} more`);
    }
  };

  head("segment", "stack", "Stack", "high addresses first");
  for (const call of picture.calls) {
    if (call.skipped) head("more", `calls ${call.number}`, `${call.skipped} calls between`);
    head("call", String(call.number), call.name, call.returns_to ? `back to line ${call.returns_to}` : "");
    cells(call.pieces);
  }
  if (picture.gone.length) {
    head("segment", "gone", "No longer there");
    cells(picture.gone);
  }
  y = 0;
  side = "other";
  if (picture.globals.length) {
    head("segment", "globals", "Globals and strings");
    cells(picture.globals);
  }
  head("segment", "heap", "Heap", picture.heap.length ? "" : "empty");
  for (const piece of picture.heap) {
    head("piece", String(piece.number), short(hex(piece.address)), about(piece), piece);
    cells([piece]);
  }
  return rows;
}

export function arrowsOf(rows: Row[]): Arrow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return rows.flatMap((from) => {
    const arrow = from.cell?.arrow;
    const to = arrow && byKey.get(`${arrow.block}.${arrow.cell}`);
    if (!arrow || !to) return [];
    const at = to.y + (arrow.leads === "past the end" ? 1 : 0.5);
    return [{ key: from.key, from, to, at, leads: arrow.leads }];
  });
}

export const LEFT = { from: 0, to: 44 };
export const RIGHT = { from: 54, to: 93 };

/** A curve from row to row, in percent across and in rows down; where its head stands, and where that points. */
export function curve({ from, to, at }: Arrow): { path: string; x: number; points: "left" | "right" } {
  const y = from.y + 0.5;
  if (from.side === to.side) {
    const edge = from.side === "stack" ? LEFT.to : RIGHT.to;
    const bulge = edge + Math.min(7, 2.5 + 0.6 * Math.abs(at - y));
    return {
      path: `M${edge} ${y}C${bulge} ${y} ${bulge} ${at} ${edge + 0.8} ${at}`,
      x: edge,
      points: "left",
    };
  }
  const [a, b] = from.side === "stack" ? [LEFT.to, RIGHT.from] : [RIGHT.from, LEFT.to];
  const middle = (a + b) / 2;
  return {
    path: `M${a} ${y}C${middle} ${y} ${middle} ${at} ${b} ${at}`,
    x: b,
    points: from.side === "stack" ? "right" : "left",
  };
}
