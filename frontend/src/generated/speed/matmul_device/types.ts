// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Ways;
}
export interface Params {
  /**
   * 1,024 is slower than 1,000: try both.
   */
  n: number;
  /**
   * For the kernel called WASM threads.
   */
  threads: number;
  repetitions: number;
  seed: number;
}
/**
 * A moment on the way through small matrices, or one more way measured.
 */
export interface Ways {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "ways";
  /**
   * The way that is shown or was measured just now.
   */
  stage: string;
  names: string[];
  /**
   * [ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not measured
   */
  speed: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways] largest difference from the product in float64 in the rows that were checked, as a share of its
   * largest number
   */
  error: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] rows of A that were multiplied; 0 where not measured
   */
  rows: NdArray<Int32Array, ["way"]>;
  /**
   * [ways] median for one product of all rows, computed from those that were multiplied
   */
  seconds: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] why this browser cannot do it; empty where it can, or was not asked yet
   */
  missing: string[];
  /**
   * GFLOP/s of multiply-adds in registers on one thread of WebAssembly, the best so far
   */
  peak: number;
  /**
   * [ways] threads of the processor that it used; 0 on a GPU, whose peak is not known
   */
  cores: number[];
  /**
   * what WebAssembly has for numbers here
   */
  vectors: string;
  /**
   * what the browser tells of the GPU; empty where it lends none
   */
  gpu: string;
  /**
   * seconds that the clock of the page can tell apart
   */
  tick: number;
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
