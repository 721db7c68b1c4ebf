// Generated from the Python labs by `make contract`; edits here are lost.

import type { NdArray } from "../runner/array";

/** learning/number_line */
export namespace learning_number_line {
  export interface Lab {
    params: Params;
    event: Step;
  }
  export interface Params {
    low: number;
    high: number;
    /**
     * The number to be stored.
     */
    value: number;
    /**
     * n bits have 2ⁿ codes.
     */
    bits: number;
    /**
     * Symmetric fixes the zero point at 0; asymmetric follows the range.
     */
    scheme: "symmetric" | "asymmetric";
  }
  /**
   * One of the six steps. All numbers are in every step; ``stage`` says how far the story has come.
   */
  export interface Step {
    text: string;
    kind: "step";
    stage: "range" | "scale" | "zero_point" | "round" | "clamp" | "restore";
    low: number;
    high: number;
    grid_low: number;
    grid_high: number;
    scale: number;
    zero_point: number;
    code_low: number;
    code_high: number;
    levels: NdArray<Float32Array>;
    value: number;
    scaled: number;
    rounded: number;
    code: number;
    clipped: boolean;
    restored: number;
    error: number;
  }

  export type Event = Lab["event"];
}
/** learning/post_training_quantization */
export namespace learning_post_training_quantization {
  export interface Lab {
    params: Params;
    event: Training | Calibrated | Quantized | Result;
  }
  export interface Params {
    weight_bits: number;
    activation_bits: number;
    granularity: "tensor" | "channel";
    /**
     * Up to the largest value seen, or to 99.9 % of them.
     */
    calibration: "minmax" | "percentile";
    /**
     * Taken from the training images.
     */
    calibration_images: number;
    epochs: number;
    learning_rate: number;
    /**
     * Of the first weights, the order and the split.
     */
    seed: number;
  }
  /**
   * The network learns.
   */
  export interface Training {
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    losses: NdArray<Float32Array>;
    train_accuracy: NdArray<Float32Array>;
    held_out_accuracy: NdArray<Float32Array>;
    kind: "training";
  }
  /**
   * The activations have their scales.
   */
  export interface Calibrated {
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    losses: NdArray<Float32Array>;
    train_accuracy: NdArray<Float32Array>;
    held_out_accuracy: NdArray<Float32Array>;
    activations: string[];
    calibration_images: number;
    activation_max: NdArray<Float32Array>;
    activation_range: NdArray<Float32Array>;
    activation_scales: NdArray<Float32Array>;
    activation_beyond: NdArray<Float32Array>;
    activation_histograms: NdArray<Int32Array>;
    kind: "calibrated";
  }
  /**
   * One more layer has integer weights.
   */
  export interface Quantized {
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    losses: NdArray<Float32Array>;
    train_accuracy: NdArray<Float32Array>;
    held_out_accuracy: NdArray<Float32Array>;
    activations: string[];
    calibration_images: number;
    activation_max: NdArray<Float32Array>;
    activation_range: NdArray<Float32Array>;
    activation_scales: NdArray<Float32Array>;
    activation_beyond: NdArray<Float32Array>;
    activation_histograms: NdArray<Int32Array>;
    layers: string[];
    weight_sqnr: NdArray<Float32Array>;
    bytes_float: NdArray<Int32Array>;
    bytes_integer: NdArray<Int32Array>;
    kind: "quantized";
    layer: number;
    weight_scales: NdArray<Float32Array>;
    code_low: number;
    code_counts: NdArray<Int32Array>;
  }
  /**
   * The held-out images, classified in float32 and in integers.
   */
  export interface Result {
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    losses: NdArray<Float32Array>;
    train_accuracy: NdArray<Float32Array>;
    held_out_accuracy: NdArray<Float32Array>;
    activations: string[];
    calibration_images: number;
    activation_max: NdArray<Float32Array>;
    activation_range: NdArray<Float32Array>;
    activation_scales: NdArray<Float32Array>;
    activation_beyond: NdArray<Float32Array>;
    activation_histograms: NdArray<Int32Array>;
    layers: string[];
    weight_sqnr: NdArray<Float32Array>;
    bytes_float: NdArray<Int32Array>;
    bytes_integer: NdArray<Int32Array>;
    kind: "result";
    correct_float: number;
    correct_integer: number;
    correct_without_relu: number;
    loss_float: number;
    loss_integer: number;
    loss_without_relu: number;
    agreement: number;
    output_sqnr: NdArray<Float32Array>;
    accumulator_peak: NdArray<Int32Array>;
    sample_images: NdArray<Uint8Array>;
    sample_labels: NdArray<Int32Array>;
    sample_float: NdArray<Int32Array>;
    sample_integer: NdArray<Int32Array>;
  }

  export type Event = Lab["event"];
}
/** learning/uniform_quantization */
export namespace learning_uniform_quantization {
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
     * The whole tensor, an output channel (a row), or a run of a row.
     */
    granularity: "tensor" | "channel" | "group";
    group: 16 | 32 | 64 | 128 | 256;
    /**
     * What lies outside is clipped.
     */
    clip: number;
    /**
     * Of the synthetic weights.
     */
    seed: number;
    /**
     * Symmetric: forgets the negative side.
     */
    max_without_abs: boolean;
    /**
     * Symmetric with all 2ⁿ codes: z is rounded from −0.5.
     */
    full_range: boolean;
    /**
     * The wrong sign; shows where z is not 0.
     */
    minus_zero_point: boolean;
  }
  /**
   * One stage; everything known so far is in it, what is not yet known is None.
   *
   * Histograms over weights have BINS equal bins from axis_low to axis_high; the outermost take what lies beyond.
   */
  export interface Picture {
    text: string;
    kind: "picture";
    stage: "weights" | "range" | "grid" | "snapped" | "error" | "bits";
    bits: number;
    rows: number;
    columns: number;
    axis_low: number;
    axis_high: number;
    weight_low: number;
    weight_high: number;
    histogram: NdArray<Int32Array>;
    blocks: number | null;
    block: number | null;
    range_low: number | null;
    range_high: number | null;
    outside: number | null;
    scale: number | null;
    scales: NdArray<Float32Array> | null;
    zero_point: number | null;
    zero_points: NdArray<Int32Array> | null;
    code_low: number | null;
    code_high: number | null;
    levels: NdArray<Float32Array> | null;
    code_counts: NdArray<Int32Array> | null;
    clipped: number | null;
    error_reach: number | null;
    error_histogram: NdArray<Int32Array> | null;
    error_by_weight: NdArray<Float32Array> | null;
    max_error: number | null;
    mean_error: number | null;
    mean_error_expected: number | null;
    relative_error: number | null;
    sqnr: number | null;
    sqnr_expected: number | null;
    bits_axis: NdArray<Int32Array> | null;
    sqnr_by_bits: NdArray<Float32Array> | null;
    sqnr_expected_by_bits: NdArray<Float32Array> | null;
  }

  export type Event = Lab["event"];
}
/** Every lab by its id. */
export interface Labs {
  "learning/number_line": learning_number_line.Lab;
  "learning/post_training_quantization": learning_post_training_quantization.Lab;
  "learning/uniform_quantization": learning_uniform_quantization.Lab;
}

/** A lab's id, as in the address of its page. */
export type LabId = keyof Labs;
/** What a lab takes, every default filled in. */
export type LabParams<Id extends LabId> = Labs[Id]["params"];
/** What a lab yields: a union over `kind`. */
export type LabEvent<Id extends LabId> = Labs[Id]["event"];
