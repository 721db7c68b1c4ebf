/** Where the lines of a cache lie in three matrices, and what they are called. */
import type { Picture } from "../../../generated/speed/cache_walk/types";
import type { Series } from "../../../kit/concept";

export const MATRICES = ["A", "B", "C"] as const;
/** By how a line was found: there, for the first time, again for lack of room, or of room in its set. */
export const FOUND: Series[] = ["series-1", "series-2", "series-3", "series-4"];

export interface Pointed {
  matrix: number;
  /** row · n + column */
  place: number;
}

/** Of each matrix. */
export const linesOf = (event: Picture) => event.lines.shape[1]!;
export const setsOf = (event: Picture) => event.held.shape[0]!;

/** Bytes from the start of a matrix. */
const offset = ({ n, pitch, element }: Picture, place: number) =>
  Math.floor(place / n) * pitch + (place % n) * element;

/** The line of an element, numbered through all three matrices. */
export const lineAt = (event: Picture, { matrix, place }: Pointed) =>
  matrix * linesOf(event) + Math.floor(offset(event, place) / event.line);

export const nameOf = (event: Picture, line: number) =>
  `${MATRICES[Math.floor(line / linesOf(event))]} ${line % linesOf(event)}`;

/** Lines of one matrix as a path in cells of its elements; a line goes on in the next row where one ends. */
export function outline(event: Picture, lines: Iterable<number>): string {
  const [across, per] = [event.pitch / event.element, event.line / event.element];
  let path = "";
  for (const line of lines) {
    const end = Math.min((line + 1) * per, event.n * across);
    for (let at = line * per; at < end;) {
      const row = Math.floor(at / across);
      const to = Math.min(end, (row + 1) * across);
      path += `M${at - row * across + 0.07} ${row + 0.1}h${to - at - 0.14}v.8h${0.14 + at - to}z`;
      at = to;
    }
  }
  return path;
}

/** What is said of an element. */
export function say(event: Picture, pointed: Pointed): string {
  const line = lineAt(event, pointed);
  const sets = setsOf(event);
  const [row, column] = [Math.floor(pointed.place / event.n), pointed.place % event.n];
  const indices = pointed.matrix === 1 && event.transposed ? [column, row] : [row, column];
  const address = pointed.matrix * linesOf(event) * event.line + offset(event, pointed.place);
  const at = event.held.data.indexOf(line);
  const ways = event.held.shape[1]!;
  const state = ["not fetched yet", "no longer in the cache", `in the cache, way ${at % ways}`];
  return (
    `${MATRICES[pointed.matrix]}[${indices.join("][")}] lies at byte ${address} (0x${address.toString(16)}), ` +
    `in line ${line}, which is ${nameOf(event, line)}: set ${line} mod ${sets} = ${line % sets}, ` +
    `${state[event.lines.data[line]!]}.`
  );
}
