// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * One loop nest per line; the others are pulled into the tiles of the last.
   */
  program: string;
  /**
   * Of the last nest's first loop.
   */
  tile: number;
  /**
   * Of its second loop, if it has one.
   */
  across: number;
  /**
   * What an earlier tile has computed is kept, and not computed again.
   */
  keep: boolean;
  tolerance: number;
  lanes: 4 | 8 | 16;
  fast: number;
  force: boolean;
  /**
   * Run equal iterations together, without slices.
   */
  merge: boolean;
  /**
   * Also in its array, although nobody reads it there.
   */
  store: boolean;
}
/**
 * The program, what was decided about it, and how far its tiles have come.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "program" | "indices" | "judge" | "tile" | "result";
  accesses: Access[];
  /**
   * What was decided of each producer, in the order of asking.
   */
  rows: Row[];
  /**
   * The row that this picture is about; −1 for none.
   */
  judged: number;
  /**
   * Of that row, or of the last one.
   */
  criteria: Criterion[];
  arrays: Drawn[];
  /**
   * The one that runs; −1 before the first, and as many as there are behind the last.
   */
  tile: number;
  tiles: number;
  /**
   * How many of them in each tiled loop.
   */
  grid: number[];
  /**
   * [elements of the result] the tile that writes it; −1 for none
   */
  tile_of: NdArray<Int32Array>;
  /**
   * [rows] sizes of a tile for the first loop
   */
  firsts: NdArray<Int32Array>;
  /**
   * [columns] and for the second
   */
  seconds: NdArray<Int32Array>;
  /**
   * [rows, columns] work added by fusion into tiles of that shape, as a part of all; NaN where not known
   */
  shapes: NdArray<Float32Array, ["first", "second"]>;
  /**
   * [rows, columns] whether everything would be accepted there
   */
  accepted: NdArray<Uint8Array, ["first", "second"]>;
  /**
   * Operations of the nests as they are written.
   */
  apart: number;
  /**
   * Operations so far.
   */
  work: number;
  /**
   * Instances that ran more than once, so far, each time but the first counted.
   */
  again: number;
  /**
   * Numbers that are not as without fusion, at the end; −1 before.
   */
  wrong: number;
  compared: number;
  /**
   * Numbers in arrays between producer and consumer that are still there after fusion.
   */
  between: number;
  /**
   * Numbers in the buffers of one tile.
   */
  buffers: number;
}
export interface Access {
  text: string;
  line: number;
  writes: boolean;
  verdict: "affine" | "quasi-affine" | "semi-affine" | "not affine";
  why: string;
}
/**
 * What was decided of a producer.
 */
export interface Row {
  array: string;
  legal: boolean;
  fused: boolean;
  done: boolean;
  why: string;
}
export interface Criterion {
  name: string;
  before: string;
  after: string;
  holds: boolean;
}
/**
 * An array in one picture.
 */
export interface Drawn {
  name: string;
  shape: number[];
  role: "input" | "alone" | "between" | "stored" | "result";
  now: NdArray<Uint8Array>;
  times: NdArray<Uint8Array>;
  wrong: NdArray<Uint8Array>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.lanes": [4, 8, 16],
  "Picture.stage": ["program", "indices", "judge", "tile", "result"],
  "Access.verdict": ["affine", "quasi-affine", "semi-affine", "not affine"],
  "Drawn.role": ["input", "alone", "between", "stored", "result"],
} as const;
