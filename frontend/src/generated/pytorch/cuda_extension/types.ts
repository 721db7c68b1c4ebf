// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Launch;
}
export interface Params {
  /**
   * 2x + 1 with a thread for each number or in a loop; or the sum of each row.
   */
  kernel: "scale_shift" | "strided" | "row_sum";
  tensor: "x" | "x.T" | "x.double()";
  rows: number;
  columns: number;
  threads: number;
  no_guard: boolean;
  /**
   * An integer division, rounded down.
   */
  round_down: boolean;
  /**
   * Choose x.T under “Called on” to see it.
   */
  no_contiguous: boolean;
  /**
   * Choose x.double() under “Called on” to see it.
   */
  no_dtype: boolean;
  /**
   * A model: the kernel starts when half of x is there. The other half is still zero.
   */
  other_stream: boolean;
  /**
   * Choose more than 1,024 threads to see it.
   */
  no_error_check: boolean;
  seed: number;
  device: "cpu" | "cuda";
}
/**
 * Some blocks more have run, or the call is over.
 */
export interface Launch {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "launch";
  stage: "launch" | "blocks" | "result" | "refused";
  /**
   * The launch, as CUDA C
   */
  call: string;
  /**
   * Elements of the tensor
   */
  n: number;
  blocks: number;
  threads_per_block: number;
  /**
   * The first of the blocks that ran in this step; -1 where none did
   */
  first: number;
  /**
   * The last of those blocks; -1 where none ran
   */
  last: number;
  /**
   * Cells in a row of the picture
   */
  width: number;
  /**
   * [blocks x threads] 0 waits, 1 worked on elements, 2 found none, 3 went beyond its elements
   */
  threads: NdArray<Uint8Array>;
  /**
   * [cells of 32 bits] 0 a canary, 1 not read, 2 read, 3 read by another row's block, 4 a canary that was read
   */
  x: NdArray<Uint8Array>;
  /**
   * [cells of 32 bits] 0 a canary, 1 not written, 2 written, 3 wrong at the end, 4 a canary that was written
   */
  y: NdArray<Uint8Array>;
  /**
   * [cells of y] the thread that wrote last, counted through all blocks; -1 where none did
   */
  writer: NdArray<Int32Array>;
  /**
   * Canaries in front of x, and as many in front of y
   */
  before: number;
  /**
   * Threads that ran and found no element
   */
  idle: number;
  /**
   * Elements of y that were never written; known at the end
   */
  missed: number;
  /**
   * Canaries beside y that were overwritten; known at the end
   */
  damaged: number;
  /**
   * Canaries beside x that were read as numbers; known at the end
   */
  looked: number;
  /**
   * Elements of y that differ from torch's; known at the end
   */
  wrong: number;
  /**
   * [examples] the first of those
   */
  wrong_at: NdArray<Int32Array>;
  /**
   * [examples] NaN where it was never written
   */
  wrong_is: NdArray<Float32Array>;
  /**
   * [examples] by torch, in float64
   */
  wrong_should: NdArray<Float32Array>;
  checks: Check[];
  /**
   * What the caller is told instead of a result
   */
  error: string;
  /**
   * The GPU that ran the same call; empty if none was asked for
   */
  gpu: string;
  /**
   * Every cell of y, canaries included, is the same on that GPU
   */
  agrees: boolean;
}
export interface Check {
  name: string;
  code: string;
  state: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.kernel": ["scale_shift", "strided", "row_sum"],
  "Params.tensor": ["x", "x.T", "x.double()"],
  "Params.device": ["cpu", "cuda"],
  "Launch.stage": ["launch", "blocks", "result", "refused"],
} as const;
