// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * A trained layer, normal noise, noise with one outlier, noise below zero only.
   */
  source: "network" | "normal" | "outlier" | "negative";
  bits: number;
  /**
   * Symmetric: zero point 0, equal reach to both sides. Asymmetric: from min to max.
   */
  scheme: "symmetric" | "asymmetric";
  /**
   * The whole tensor, an output channel (a row), or a group within a row.
   */
  granularity: "tensor" | "channel" | "group";
  group: 16 | 32 | 64 | 128 | 256;
  /**
   * What lies outside is clipped.
   */
  clip: number;
  /**
   * For the synthetic weights.
   */
  seed: number;
  /**
   * Every weight; an error relative to the weights stays the same.
   */
  times: 1 | 8 | 64;
  /**
   * Symmetric: forgets the negative side.
   */
  max_without_abs: boolean;
  /**
   * Symmetric with all 2ⁿ codes: z is rounded from −0.5.
   */
  full_range: boolean;
  /**
   * The wrong sign; it shows only where z is not 0.
   */
  minus_zero_point: boolean;
  /**
   * The error has the unit of the weights: multiply them and see.
   */
  as_percent: boolean;
}
/**
 * One stage; everything known so far is in it, what is not yet known is None.
 *
 * Histograms over weights have BINS equal bins from axis_low to axis_high; the outermost take what lies beyond.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "weights" | "range" | "grid" | "snapped" | "error" | "bits";
  bits: number;
  rows: number;
  columns: number;
  axis_low: number;
  axis_high: number;
  /**
   * The smallest weight.
   */
  weight_low: number;
  weight_high: number;
  /**
   * [BINS] weights in each bin.
   */
  histogram: NdArray<Int32Array>;
  blocks: number | null;
  block: number | null;
  /**
   * The range that the grid of the drawn block covers.
   */
  range_low: number | null;
  range_high: number | null;
  /**
   * Weights outside the range of their block.
   */
  outside: number | null;
  /**
   * Of the drawn block.
   */
  scale: number | null;
  /**
   * [blocks]
   */
  scales: NdArray<Float32Array> | null;
  zero_point: number | null;
  /**
   * [blocks]
   */
  zero_points: NdArray<Int32Array> | null;
  code_low: number | null;
  code_high: number | null;
  /**
   * [codes] what each code stands for, in ascending order of codes.
   */
  levels: NdArray<Float32Array> | null;
  /**
   * [codes] weights that got this code, over all blocks.
   */
  code_counts: NdArray<Int32Array> | null;
  /**
   * Weights whose code had to be limited to the codes that exist.
   */
  clipped: number | null;
  /**
   * The error histogram runs from -error_reach to error_reach.
   */
  error_reach: number | null;
  /**
   * [ERROR_BINS]
   */
  error_histogram: NdArray<Int32Array> | null;
  /**
   * [BINS] mean |error| of the weights in each bin; NaN where there are none.
   */
  error_by_weight: NdArray<Float32Array> | null;
  max_error: number | null;
  /**
   * mean |error|, in the unit of the weights
   */
  mean_error: number | null;
  /**
   * s/4, averaged over the blocks
   */
  mean_error_expected: number | null;
  /**
   * mean |error| / mean |weight|
   */
  relative_error: number | null;
  /**
   * Signal-to-quantization-noise ratio, dB
   */
  sqnr: number | null;
  /**
   * The same for an error spread evenly over a step, of variance s²/12, dB
   */
  sqnr_expected: number | null;
  /**
   * [7] 2 to 8
   */
  bits_axis: NdArray<Int32Array> | null;
  /**
   * [7] measured, dB
   */
  sqnr_by_bits: NdArray<Float32Array> | null;
  /**
   * [7] theory, dB
   */
  sqnr_expected_by_bits: NdArray<Float32Array> | null;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.source": ["network", "normal", "outlier", "negative"],
  "Params.scheme": ["symmetric", "asymmetric"],
  "Params.granularity": ["tensor", "channel", "group"],
  "Params.group": [16, 32, 64, 128, 256],
  "Params.times": [1, 8, 64],
  "Picture.stage": ["weights", "range", "grid", "snapped", "error", "bits"],
} as const;
