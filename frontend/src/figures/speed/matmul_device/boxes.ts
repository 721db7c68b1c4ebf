/** What a step multiplies, read off the small matrices: some rows of A, some columns of B, and the sums of C. */
import type { Ways } from "../../../generated/speed/matmul_device/types";
import { row } from "../../../kit/arrays";

const NOW = 2;

/** One tile of C, and the indices that its sums take in now. */
export interface Box {
  rows: number[];
  columns: number[];
  inner: number[];
}

/** Where the numbers of a step are kept while it works: each on its own, a tile in a core's registers, a pair in every
 *  thread of a GPU, or squares in the memory that threads share. */
export type Kept = "one" | "tile" | "pairs" | "squares";

/** The rows that lie together: of each core one tile. */
function together(rows: number[]): number[][] {
  const found: number[][] = [];
  for (const each of rows) {
    const last = found.at(-1);
    if (last?.at(-1) === each - 1) last.push(each);
    else found.push([each]);
  }
  return found;
}

export function boxesOf({ touched }: Ways): Box[] {
  const side = touched.shape[1]!;
  const places = (matrix: number) => [...row(touched, matrix)].flatMap((at, n) => (at === NOW ? [n] : []));
  const lines = (of: number[]) => [...new Set(of.map((n) => Math.floor(n / side)))];
  const columns = [...new Set(places(2).map((n) => n % side))];
  return together(lines(places(2))).map((rows) => ({ rows, columns, inner: lines(places(1)) }));
}

export function keptOf({ cores, names, stage }: Ways, { rows, columns, inner }: Box): Kept {
  if (cores[names.indexOf(stage)]) return rows.length * columns.length > 1 ? "tile" : "one";
  return inner.length > 1 ? "squares" : "pairs";
}

/** How many numbers come in for a step. */
export function fetched(kept: Kept, { rows, columns, inner }: Box): number {
  if (kept === "pairs") return 2 * rows.length * columns.length;
  if (kept === "one") return 2; // of B and of C; that of A stays
  return inner.length * (rows.length + columns.length);
}

export const multiplied = ({ rows, columns, inner }: Box): number =>
  rows.length * columns.length * inner.length;

/** How many rows and columns of C a thread of a GPU keeps, in small. */
export const grainOf = ({ stage }: Ways): number => (stage === "WebGPU registers" ? 3 : 1);

export const threadsOf = (event: Ways, { rows, columns }: Box): number =>
  (rows.length * columns.length) / grainOf(event) ** 2;
