// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Traced | Trained;
}
export interface Params {
  precision: "float32" | "bfloat16" | "float16";
  /**
   * Dynamic: torch's GradScaler adjusts the scale after each step.
   */
  scaling: "none" | "static" | "dynamic";
  /**
   * Static: always. Dynamic: at the start.
   */
  exponent: number;
  /**
   * GradScaler's default is 2,000.
   */
  growth: number;
  /**
   * As if the batch were that much larger.
   */
  share: number;
  /**
   * Otherwise they are kept in the format between steps.
   */
  master: boolean;
  steps: number;
  seed: number;
}
/**
 * The first forward pass, operation by operation.
 */
export interface Traced {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "traced";
  operations: Operation[];
  /**
   * Operations whose result has the format, casts left out
   */
  lowered: number;
  /**
   * Operations whose result is float32
   */
  kept: number;
  casts: number;
}
export interface Operation {
  key: string;
  name: string;
  sort: "cast" | "lowered" | "kept";
  takes: string[];
  gives: string;
}
/**
 * The numbers of one training step.
 */
export interface Trained {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "trained";
  /**
   * Broken: some weights are NaN
   */
  stage: "updated" | "skipped" | "broken";
  step: number;
  format: Format;
  weights: Tally;
  activations: Tally1;
  gradients: Tally2;
  /**
   * Gradients that float64 gives, times the scale, by binade as in a tally
   */
  expected: number[];
  /**
   * [steps so far] before it is divided and scaled
   */
  loss: NdArray<Float32Array>;
  /**
   * [steps so far] the same in float32, without a scale
   */
  reference: NdArray<Float32Array>;
  /**
   * [steps so far] the exponent of the scale that each step was computed with
   */
  scale: NdArray<Float32Array>;
  /**
   * The exponent of the scale after this step
   */
  now: number;
  /**
   * Steps without an infinity in a row, as GradScaler counts them
   */
  tracker: number;
  /**
   * Steps so far
   */
  skipped: number;
  /**
   * Weights that did not change because the format has no number between the old one and the new one
   */
  swallowed: number;
  /**
   * Weights that are NaN after this step
   */
  broken: number;
  parameters: number;
  /**
   * Steps of the whole run
   */
  steps: number;
}
/**
 * Where the numbers of a format lie, as exponents of two.
 */
export interface Format {
  name: "float32" | "bfloat16" | "float16";
  smallest: number;
  normal: number;
  end: number;
  low: number;
  high: number;
}
/**
 * As the forward pass takes them
 */
export interface Tally {
  bins: number[];
  count: number;
  lost: number;
  subnormal: number;
  infinite: number;
  nan: number;
}
/**
 * Of all layers, before ReLU
 */
export interface Tally1 {
  bins: number[];
  count: number;
  lost: number;
  subnormal: number;
  infinite: number;
  nan: number;
}
/**
 * Of all weights and biases, as backward leaves them: times the scale
 */
export interface Tally2 {
  bins: number[];
  count: number;
  lost: number;
  subnormal: number;
  infinite: number;
  nan: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.precision": ["float32", "bfloat16", "float16"],
  "Params.scaling": ["none", "static", "dynamic"],
  "Operation.sort": ["cast", "lowered", "kept"],
  "Trained.stage": ["updated", "skipped", "broken"],
  "Format.name": ["float32", "bfloat16", "float16"],
} as const;
