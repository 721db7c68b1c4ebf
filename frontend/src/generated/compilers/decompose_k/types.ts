// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Split;
}
export interface Params {
  /**
   * Slices of K, one for each lane.
   */
  splits: number;
  k: 1024 | 4096 | 8192 | 16384 | 32768;
  m: 16 | 32 | 64;
  n: 16 | 32 | 64;
  /**
   * In order by the last lane, by groups of lanes, or as each is ready.
   */
  reduction: "in order" | "two levels" | "on arrival";
  /**
   * From −1 to 1, or from 0 to 1, as after a ReLU.
   */
  operands: "signed" | "positive";
  /**
   * Of A, B and C; sums are float32.
   */
  dtype: "fp32" | "bf16";
  relu: boolean;
  /**
   * Of the processor.
   */
  threads: number;
  repetitions: number;
  /**
   * torch.compile needs a few seconds for it.
   */
  inductor: boolean;
  /**
   * Batched products return the type of their inputs: bfloat16, rounded before they are added.
   */
  round_partials: boolean;
  seed: number;
  device: "cpu" | "cuda";
}
/**
 * K is cut into so many slices; when each lane ran, and all that was measured so far.
 */
export interface Split {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "split";
  stage: "alone" | "model" | "measured" | "every" | "depths" | "libraries" | "best";
  /**
   * That are drawn
   */
  splits: number;
  m: number;
  n: number;
  k: number;
  dtype: string;
  reduction: string;
  device: string;
  /**
   * Threads of the processor, or multiprocessors of the GPU
   */
  workers: number;
  /**
   * [splits] who ran the lane of each slice
   */
  worker: NdArray<Int32Array>;
  /**
   * [splits] microseconds from the first begin
   */
  begin: NdArray<Float32Array>;
  /**
   * [splits] microseconds, when the product of the slice was there
   */
  product: NdArray<Float32Array>;
  /**
   * [splits] microseconds, when the lane was over, with what it added up
   */
  end: NdArray<Float32Array>;
  /**
   * Share of all workers' time, from the first begin to the last end, in which they had a lane
   */
  busy: number;
  /**
   * The S that are measured in every way
   */
  counts: number[];
  /**
   * Which of them is drawn
   */
  now: number;
  /**
   * [ways, counts, 3] seconds; NaN where not measured, or where S does not divide K
   */
  took: NdArray<Float32Array, ["way", "count", "quartile"]>;
  /**
   * [ways, counts] largest difference from float64, in units of |A| |B| 2⁻²⁴; NaN where not measured
   */
  error: NdArray<Float32Array, ["way", "count"]>;
  /**
   * [3, counts] the most that rounding can make of that
   */
  bound: NdArray<Float32Array, ["way", "count"]>;
  /**
   * [ways, counts] different results of ten equal runs; 0 where not measured
   */
  different: NdArray<Int32Array, ["way", "count"]>;
  /**
   * [S] seconds from S = 1 on, by the model, for the chosen reduction; empty until then
   */
  predicted: NdArray<Float32Array>;
  /**
   * [S] seconds from S = 1 on, the least of some repetitions; empty until measured
   */
  every: NdArray<Float32Array>;
  /**
   * [2] the S that takes the least; 0 until known
   */
  best: number[];
  /**
   * Seconds of a launch with nothing to do; 0 until measured, as those below
   */
  call: number;
  /**
   * Seconds of a worker for 32 steps of K
   */
  slab: number;
  /**
   * Seconds to leave a partial sum and to find out who is last
   */
  meet: number;
  /**
   * Seconds to add a partial sum
   */
  add: number;
  /**
   * GFLOP/s of multiply-adds in registers, by all workers; 0 until measured
   */
  peak: number;
  /**
   * Some K; empty until measured, as those below
   */
  depths: number[];
  /**
   * [2, depths] the power of two S that takes the least
   */
  best_at: NdArray<Int32Array, ["what", "depth"]>;
  /**
   * [2, depths] how many times as fast that is as one lane
   */
  gain_at: NdArray<Float32Array, ["what", "depth"]>;
  /**
   * [2] the least of those K from which on several lanes are faster; 0 if there is none, or not yet known
   */
  crossing: number[];
  libraries: Library[];
  /**
   * What Inductor timed, from the fastest on; empty where it timed nothing
   */
  tried: Tried[];
  /**
   * [2, 2] seconds on the GPU of one call from Python, with the drawn S; NaN where not measured
   */
  launched: NdArray<Float32Array, ["way", "cache"]>;
  /**
   * Why there is no Inductor; empty if there is, or if nobody asked
   */
  missing: string;
}
export interface Library {
  name: string;
  low: number;
  median: number;
  high: number;
  error: number;
  kernels: string[];
  picked: string;
  seconds: number;
}
/**
 * A choice that Inductor timed.
 */
export interface Tried {
  splits: number;
  seconds: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.k": [1024, 4096, 8192, 16384, 32768],
  "Params.m": [16, 32, 64],
  "Params.n": [16, 32, 64],
  "Params.reduction": ["in order", "two levels", "on arrival"],
  "Params.operands": ["signed", "positive"],
  "Params.dtype": ["fp32", "bf16"],
  "Params.device": ["cpu", "cuda"],
  "Split.stage": ["alone", "model", "measured", "every", "depths", "libraries", "best"],
} as const;
