// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Access | Measured;
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
  repetitions: number;
  seed: number;
  device: "cuda";
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
/**
 * One more way was measured.
 */
export interface Measured {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "measured";
  /**
   * The way that is shown, or was measured just now.
   */
  stage: string;
  names: string[];
  /**
   * [ways] fp32, tf32 or bf16
   */
  precision: string[];
  /**
   * [ways] false for NVIDIA's library
   */
  ours: boolean[];
  /**
   * [ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured
   */
  speed: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways] ‖C − AB‖ / ‖AB‖ in float64, over at most 512 rows
   */
  error: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] what that may be in this precision
   */
  bound: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] rows of A that were multiplied; 0 where not yet measured
   */
  rows: NdArray<Int32Array, ["way"]>;
  /**
   * [ways] median for one product of all rows, computed from those that were multiplied
   */
  seconds: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] GFLOP/s of multiply-adds in this precision that need no memory, the best so far
   */
  peak: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] MHz of the multiprocessors meanwhile; 0 where the driver does not say
   */
  clock: NdArray<Int32Array, ["way"]>;
  /**
   * [ways] degrees Celsius; 0 where the driver does not say
   */
  temperature: NdArray<Int32Array, ["way"]>;
  /**
   * [ways] W; 0 where the driver does not say
   */
  power: NdArray<Float32Array, ["way"]>;
  /**
   * Its name, multiprocessors and cache, and versions of what compiles for it.
   */
  gpu: string;
  /**
   * [ways, 3] rows and columns of C that a block of threads makes, and how deep a slab is; 0 where not known
   */
  block: NdArray<Int32Array, ["way", "cut"]>;
  /**
   * [ways] who keeps the sums of a small tile: a thread, or of a fragment a warp; empty where not known
   */
  holder: string[];
  /**
   * [ways, most] rows of the block in the first such tile; 255 beyond its last
   */
  down: NdArray<Uint8Array>;
  /**
   * [ways, most] and its columns
   */
  across: NdArray<Uint8Array>;
  /**
   * [ways, 3] bytes for a multiply-add: from global memory, into registers, and taken by instructions
   */
  cost: NdArray<Float32Array, ["way", "level"]>;
  /**
   * Whether all three matrices of float32 fit into its cache, so that repetitions find them there.
   */
  cached: boolean;
  n: number;
  repetitions: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.tile": [8, 16, 32] } as const;
