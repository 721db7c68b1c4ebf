// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Rungs;
}
export interface Params {
  /**
   * 1,024 is slower than 1,000: try both.
   */
  n: number;
  /**
   * For the plain loops in C; the kernels below them are always compiled for this processor.
   */
  flags: "-O0" | "-O3" | "-O3 -march=native" | "-O3 -march=native -ffast-math";
  /**
   * For the kernel called tiled.
   */
  tile: number;
  threads: number;
  repetitions: number;
  seed: number;
}
/**
 * A moment on the way through small matrices, or one more way measured.
 */
export interface Rungs {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "rungs";
  /**
   * The way that is shown or was measured just now.
   */
  stage: string;
  names: string[];
  /**
   * [ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured
   */
  speed: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways] largest difference from the product in float64, as a share of its largest number
   */
  error: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] rows of A that were multiplied; 0 where not yet measured
   */
  rows: NdArray<Int32Array, ["way"]>;
  /**
   * [ways] median for one product of all rows, computed from those that were multiplied
   */
  seconds: NdArray<Float32Array, ["way"]>;
  /**
   * GFLOP/s of multiply-adds in registers on one thread, the best so far
   */
  peak: number;
  /**
   * [ways] threads that it used
   */
  cores: number[];
  n: number;
  repetitions: number;
  /**
   * [3, 12, 12] what the way has touched of A, B and C in small: 0 nothing yet, 1 before, 2 now
   */
  touched: NdArray<Uint8Array, ["matrix", "row", "column"]>;
  step: number;
  /**
   * 0 where the order is not ours to show
   */
  steps: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.flags": ["-O0", "-O3", "-O3 -march=native", "-O3 -march=native -ffast-math"],
} as const;
