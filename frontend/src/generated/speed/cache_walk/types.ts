// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * From the outermost to the innermost.
   */
  order: "ijk" | "ikj" | "jik" | "jki" | "kij" | "kji";
  /**
   * B[k][j] lies in row j, column k.
   */
  transposed: boolean;
  n: number;
  element: 4 | 8;
  /**
   * Left empty after each row.
   */
  padding: number;
  /**
   * The three loops run over one small cube after another.
   */
  tiled: boolean;
  tile: number;
  line: 16 | 32 | 64 | 128;
  /**
   * The set of a line is its number mod the number of sets.
   */
  sets: 1 | 2 | 4 | 8 | 16 | 32;
  ways: number;
  /**
   * A step is one multiply-add, one inner loop, or ever more of the walk.
   */
  every: "ever faster" | "multiply-add" | "inner loop";
  begin: number;
}
/**
 * Matrices and cache after so many multiply-adds. Lines are numbered through A, then B, then C.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "start" | "multiply-add" | "inner loop" | "leap" | "orders";
  order: "ijk" | "ikj" | "jik" | "jki" | "kij" | "kji";
  transposed: boolean;
  n: number;
  /**
   * Bytes from one row to the next.
   */
  pitch: number;
  /**
   * bytes
   */
  element: number;
  /**
   * bytes
   */
  line: number;
  /**
   * Of a tile; n where there are none.
   */
  edge: number;
  /**
   * Multiply-adds so far.
   */
  done: number;
  /**
   * n³
   */
  total: number;
  /**
   * [3] i, j and k at the last of them; empty before the first
   */
  at: NdArray<Int32Array>;
  /**
   * [m, 3] what the innermost loop has touched since it began: row · n + column in A, B and C as they lie
   */
  touched: NdArray<Int32Array, ["step", "matrix"]>;
  /**
   * [m, 3] how: 0 hit, 1 first touch, 2 no room, 3 no room in its set
   */
  found: NdArray<Uint8Array, ["step", "matrix"]>;
  /**
   * [3, lines] of each matrix: 0 never fetched, 1 no longer in the cache, 2 in it
   */
  lines: NdArray<Uint8Array, ["matrix", "line"]>;
  /**
   * [sets, ways] the line in each place of the cache; -1 where none is
   */
  held: NdArray<Int32Array, ["set", "way"]>;
  /**
   * [sets, ways] 0 for the line of a set used last, 1 for the one before; -1 where none is
   */
  ages: NdArray<Int32Array, ["set", "way"]>;
  /**
   * [3, 4] touches of A, B and C so far, by how the line was found, as in ``found``
   */
  counts: NdArray<Int32Array, ["matrix", "how"]>;
  /**
   * Misses for each multiply-add so far.
   */
  misses: number;
  /**
   * Bytes brought into the cache so far.
   */
  fetched: number;
  /**
   * Bytes of all elements of the three matrices.
   */
  needed: number;
  /**
   * All six orders over the whole walk, for the last picture alone.
   */
  compared: Compared[] | null;
}
/**
 * What the cache misses with the loops in one order.
 */
export interface Compared {
  order: "ijk" | "ikj" | "jik" | "jki" | "kij" | "kji";
  misses: NdArray<Int32Array>;
  tiled: NdArray<Int32Array>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.order": ["ijk", "ikj", "jik", "jki", "kij", "kji"],
  "Params.element": [4, 8],
  "Params.line": [16, 32, 64, 128],
  "Params.sets": [1, 2, 4, 8, 16, 32],
  "Params.every": ["ever faster", "multiply-add", "inner loop"],
  "Picture.stage": ["start", "multiply-add", "inner loop", "leap", "orders"],
  "Picture.order": ["ijk", "ikj", "jik", "jki", "kij", "kji"],
  "Compared.order": ["ijk", "ikj", "jik", "jki", "kij", "kji"],
} as const;
