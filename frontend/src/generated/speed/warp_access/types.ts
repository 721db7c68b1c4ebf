// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Access;
}
export interface Params {
  /**
   * Try one that is not a multiple of 4 or 8.
   */
  n: number;
  /**
   * For the kernel called shared; its block has tile × tile threads.
   */
  tile: 8 | 16 | 32;
}
/**
 * One instruction by which the 32 threads of a warp read, and what is moved for it.
 */
export interface Access {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "access";
  /**
   * The way that is shown, or was measured just now.
   */
  stage: string;
  /**
   * Where the kernel reads.
   */
  line: string;
  matrix: string;
  /**
   * Whether it reads shared memory; else global memory.
   */
  shared: boolean;
  /**
   * [32] row of the first number that each lane wants, in the matrix or in its tile
   */
  row: NdArray<Int32Array>;
  /**
   * [32] and its column
   */
  column: NdArray<Int32Array>;
  /**
   * that each lane wants
   */
  bytes: number;
  /**
   * [sectors, 8] or [wavefronts, 32] how many lanes want each 4-byte word of what is moved
   */
  moved: NdArray<Uint8Array>;
  /**
   * [sectors] which 32 bytes of the matrix they are; empty for shared memory
   */
  sector: NdArray<Int32Array>;
  /**
   * of the bytes that are moved are wanted; for shared memory, of the words that its banks could give
   */
  share: number;
  names: string[];
  /**
   * [ways] bytes from global memory for each multiply-add; NaN for ways that were not shown yet
   */
  traffic: NdArray<Float32Array, ["way"]>;
  n: number;
  tile: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.tile": [8, 16, 32] } as const;
