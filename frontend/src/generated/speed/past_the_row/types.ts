// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  n: number;
  lanes: 4 | 8 | 16;
  /**
   * With two threads, each takes one half, and they take turns at storing.
   */
  rows: "first to last" | "last to first" | "two threads";
  seed: number;
}
/**
 * C and the numbers after it after one more store, as listed and as fixed; at the end the check.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "store" | "check";
  n: number;
  lanes: number;
  /**
   * [2] row and column where the store begins; empty for the check
   */
  at: NdArray<Int32Array>;
  /**
   * [2, n² + lanes] as listed and as fixed: C row after row, then the numbers after it
   */
  held: NdArray<Float32Array, ["program", "place"]>;
  /**
   * [2, n² + lanes] 0 as it was, 1 what the product has there, 2 something else, 3 not ours and overwritten
   */
  state: NdArray<Uint8Array, ["program", "place"]>;
  /**
   * [2, n² + lanes] 1 where this store writes
   */
  stored: NdArray<Uint8Array, ["program", "place"]>;
  /**
   * [2] numbers after C that are overwritten
   */
  past: NdArray<Int32Array, ["program"]>;
  /**
   * [2] numbers of C that were stored and are not those of the product
   */
  wrong: NdArray<Int32Array, ["program"]>;
  /**
   * Numbers from after B that were read as listed
   */
  read: number;
  /**
   * [17] for n = 4, 5, … 20: numbers after C that whole vectors overwrite
   */
  by_n: NdArray<Int32Array>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.lanes": [4, 8, 16],
  "Params.rows": ["first to last", "last to first", "two threads"],
  "Picture.stage": ["store", "check"],
} as const;
