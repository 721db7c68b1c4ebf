// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Step;
}
export interface Params {
  /**
   * Each answer reads the keys and values of its context.
   */
  past: number;
  /**
   * “memory”: each step reads another copy, so that no cache helps.
   */
  weights: "memory" | "cache";
  repetitions: number;
}
/**
 * Steps with so many tokens, and with fewer.
 */
export interface Step {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "step";
  /**
   * Computed at once.
   */
  tokens: number;
  /**
   * Tokens whose keys and values each answer reads.
   */
  past: number;
  /**
   * GFLOP/s of multiply-adds in registers
   */
  peak: number;
  /**
   * GB/s read from where the weights are, at best
   */
  bandwidth: number;
  /**
   * Operations for each byte from which on the peak is the lower roof
   */
  ridge: number;
  /**
   * Operations for each byte that decode comes near with more and more answers, and never exceeds
   */
  limit: number;
  /**
   * Tokens computed at once, from the fewest
   */
  batches: string[];
  phases: string[];
  /**
   * [2, batches] operations for each byte of weights, keys and values
   */
  intensity: NdArray<Float32Array, ["phase", "batch"]>;
  /**
   * [2, batches, 3] GFLOP/s that three, two and one quarter of the repetitions reached
   */
  speed: NdArray<Float32Array, ["phase", "batch", "quartile"]>;
  /**
   * [2, batches, 3] milliseconds of a step
   */
  took: NdArray<Float32Array, ["phase", "batch", "quartile"]>;
  /**
   * [2, batches] speed as a share of the lower roof above it
   */
  share: NdArray<Float32Array, ["phase", "batch"]>;
  /**
   * [2, batches] so many times as many tokens a second as one token in a step
   */
  gain: NdArray<Float32Array, ["phase", "batch"]>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.weights": ["memory", "cache"] } as const;
