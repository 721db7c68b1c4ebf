/** Names in the text of a program, and what they stand for in a picture of its memory. */
import { keyOf, type Picture, type Piece } from "./rows";

interface Part {
  text: string;
  /** Index of its first character in the line. */
  at: number;
  /** Of the statement that comes next. */
  inside: boolean;
  /** It may be a name. */
  name: boolean;
}

const WORD = /[A-Za-z_]\w*/g;

/** A line, cut around its words and where the statement from `first` to `last` begins and ends. */
export function cut(text: string, first: number, last: number): Part[] {
  const words = [...text.matchAll(WORD)];
  const starts = new Set(words.map(({ index }) => index));
  const edges = [...words.flatMap((word) => [word.index, word.index + word[0].length]), first, last];
  const within = edges.filter((edge) => edge > 0 && edge < text.length);
  const sorted = [...new Set([0, ...within, text.length])].sort((one, other) => one - other);
  return sorted.slice(0, -1).map((at, n) => ({
    text: text.slice(at, sorted[n + 1]),
    at,
    inside: first <= at && at < last,
    name: starts.has(at),
  }));
}

/** The piece of memory that a name in a line stands for: of those in the same function the one made last before it,
 *  and of several calls that of the newest; else what stands outside of functions. */
export function pieceOf(
  picture: Picture,
  source: readonly string[],
  name: string,
  line: number,
): Piece | undefined {
  let found: Piece | undefined;
  for (const piece of picture.calls.flatMap(({ pieces }) => pieces)) {
    if (piece.name !== name || piece.made > line || piece.made < (found?.made ?? 0)) continue;
    if (!source.slice(piece.made, line - 1).some((text) => text.startsWith("}"))) found = piece;
  }
  return found ?? picture.globals.find((piece) => piece.name === name);
}

export function firstCell(piece: Piece | undefined): string | undefined {
  return piece?.cells.length ? keyOf(piece, 0) : undefined;
}
