// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Worth;
}
export interface Params {
  /**
   * A window adds up neighbouring results of its first step.
   */
  program: "gelu" | "chain" | "sum" | "product" | "window";
  /**
   * In the tensor that is drawn; at most 1 M for a product.
   */
  size: "4 K" | "64 K" | "1 M" | "4 M";
  /**
   * How often a window program uses each number of its first step.
   */
  uses: number;
  /**
   * Steps of a chain, also before a sum; multiply-adds before a window.
   */
  length: number;
  threads: number;
  repetitions: number;
  /**
   * torch.compile needs a few seconds for it.
   */
  inductor: boolean;
  /**
   * “NumPy will optimise the expression tree”: tested by counting what it allocates.
   */
  one_line: boolean;
}
/**
 * A program, what crosses in each step, and what was predicted and measured so far.
 */
export interface Worth {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "worth";
  stage: "apart" | "joined" | "machine" | "measured" | "inductor" | "numpy" | "worth";
  steps: Step[];
  /**
   * That the drawn steps are
   */
  kernels: number;
  kernels_apart: number;
  /**
   * Bytes that cross in the drawn steps
   */
  moved: number;
  /**
   * The same with each step a kernel
   */
  moved_apart: number;
  /**
   * Operations of the drawn steps, in additions
   */
  work: number;
  work_apart: number;
  /**
   * In a tensor that is drawn
   */
  numbers: number;
  uses: number;
  /**
   * What grows along the chart
   */
  over: "numbers" | "uses";
  /**
   * [points] numbers in a tensor, or uses
   */
  x: NdArray<Float32Array>;
  /**
   * Which point is drawn
   */
  at: number;
  /**
   * The point that was measured just now; −1 for none
   */
  now: number;
  /**
   * [3, points] seconds; NaN where not yet known
   */
  predicted: NdArray<Float32Array, ["way", "point"]>;
  /**
   * [ways, points, 3] seconds; NaN where not measured
   */
  took: NdArray<Float32Array, ["way", "point", "quartile"]>;
  /**
   * [points] GB/s of multiplying two arrays of that size; NaN where not yet measured
   */
  bandwidth: NdArray<Float32Array>;
  /**
   * [3] of that bandwidth, at the point that is drawn; of that of reading, for one kernel that only reads
   */
  share: NdArray<Float32Array, ["way"]>;
  /**
   * Billions of operations a second, on numbers in the cache of a core; 0 until measured
   */
  speed: number;
  /**
   * Seconds of a call of ours on next to nothing
   */
  call: number;
  /**
   * Seconds of an operation of PyTorch on next to nothing
   */
  step: number;
  /**
   * [2, points] how many times as fast one kernel is as several
   */
  gain: NdArray<Float32Array, ["what", "point"]>;
  /**
   * [2] uses from which one kernel is slower; 0 if there are none, or not yet known
   */
  crossing: NdArray<Float32Array, ["what"]>;
  /**
   * [2] bytes that NumPy has allocated at the same time, line by line and in one line; NaN if not measured
   */
  peak: NdArray<Float32Array, ["how"]>;
  /**
   * Of Inductor; 0 if not measured
   */
  compile_seconds: number;
  /**
   * Why there is no Inductor
   */
  missing: string;
  threads: number;
}
export interface Step {
  code: string;
  kernel: number;
  reads: Crossing[];
  writes: Crossing[];
  work: number;
}
/**
 * An array that a step reads or writes.
 */
export interface Crossing {
  name: string;
  bytes: number;
  crosses: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.program": ["gelu", "chain", "sum", "product", "window"],
  "Params.size": ["4 K", "64 K", "1 M", "4 M"],
  "Worth.stage": ["apart", "joined", "machine", "measured", "inductor", "numpy", "worth"],
  "Worth.over": ["numbers", "uses"],
} as const;
