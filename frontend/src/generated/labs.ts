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
    /**
     * One sentence that says what this picture shows: spoken, captioned, printed.
     */
    text: string;
    kind: "step";
    stage: "range" | "scale" | "zero_point" | "round" | "clamp" | "restore";
    /**
     * The range as the reader set it.
     */
    low: number;
    high: number;
    /**
     * The range after widening: it holds zero, and a symmetric one reaches equally far to both sides.
     */
    grid_low: number;
    grid_high: number;
    /**
     * Width of one step.
     */
    scale: number;
    /**
     * The code that stands for exactly 0.0.
     */
    zero_point: number;
    /**
     * The codes that exist.
     */
    code_low: number;
    code_high: number;
    /**
     * [code_high - code_low + 1] every representable number, in the order of its code.
     */
    levels: NdArray<Float32Array>;
    value: number;
    /**
     * value / scale + zero_point: the value in units of codes, before rounding.
     */
    scaled: number;
    /**
     * ``scaled`` rounded to a whole number, perhaps not a code that exists.
     */
    rounded: number;
    /**
     * ``rounded`` limited to code_low…code_high.
     */
    code: number;
    /**
     * True where the limit changed the code.
     */
    clipped: boolean;
    /**
     * scale * (code - zero_point)
     */
    restored: number;
    /**
     * restored - value
     */
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
    /**
     * One sentence that says what this picture shows: spoken, captioned, printed.
     */
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    /**
     * [step] cross-entropy of each batch
     */
    losses: NdArray<Float32Array>;
    /**
     * [epochs finished] over the batches of the epoch, each before its own step
     */
    train_accuracy: NdArray<Float32Array>;
    /**
     * [epochs finished] on the held-out images
     */
    held_out_accuracy: NdArray<Float32Array>;
    kind: "training";
  }
  /**
   * The activations have their scales.
   */
  export interface Calibrated {
    /**
     * One sentence that says what this picture shows: spoken, captioned, printed.
     */
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    /**
     * [step] cross-entropy of each batch
     */
    losses: NdArray<Float32Array>;
    /**
     * [epochs finished] over the batches of the epoch, each before its own step
     */
    train_accuracy: NdArray<Float32Array>;
    /**
     * [epochs finished] on the held-out images
     */
    held_out_accuracy: NdArray<Float32Array>;
    /**
     * [4] names, in the order of the layers that they enter
     */
    activations: string[];
    calibration_images: number;
    /**
     * [4] the largest value seen
     */
    activation_max: NdArray<Float32Array>;
    /**
     * [4] the value that the highest code stands for
     */
    activation_range: NdArray<Float32Array>;
    /**
     * [4] width of one step
     */
    activation_scales: NdArray<Float32Array>;
    /**
     * [4] share of the values seen that lie above the range
     */
    activation_beyond: NdArray<Float32Array>;
    /**
     * [4, 64] values seen, in equal bins from 0 to activation_max
     */
    activation_histograms: NdArray<Int32Array>;
    kind: "calibrated";
  }
  /**
   * One more layer has integer weights.
   */
  export interface Quantized {
    /**
     * One sentence that says what this picture shows: spoken, captioned, printed.
     */
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    /**
     * [step] cross-entropy of each batch
     */
    losses: NdArray<Float32Array>;
    /**
     * [epochs finished] over the batches of the epoch, each before its own step
     */
    train_accuracy: NdArray<Float32Array>;
    /**
     * [epochs finished] on the held-out images
     */
    held_out_accuracy: NdArray<Float32Array>;
    /**
     * [4] names, in the order of the layers that they enter
     */
    activations: string[];
    calibration_images: number;
    /**
     * [4] the largest value seen
     */
    activation_max: NdArray<Float32Array>;
    /**
     * [4] the value that the highest code stands for
     */
    activation_range: NdArray<Float32Array>;
    /**
     * [4] width of one step
     */
    activation_scales: NdArray<Float32Array>;
    /**
     * [4] share of the values seen that lie above the range
     */
    activation_beyond: NdArray<Float32Array>;
    /**
     * [4, 64] values seen, in equal bins from 0 to activation_max
     */
    activation_histograms: NdArray<Int32Array>;
    /**
     * [4] all four names
     */
    layers: string[];
    /**
     * [layers so far] signal-to-quantization-noise ratio of the weights, dB
     */
    weight_sqnr: NdArray<Float32Array>;
    /**
     * [layers so far] weights and bias in float32
     */
    bytes_float: NdArray<Int32Array>;
    /**
     * [layers so far] packed codes, int32 bias, float32 scales
     */
    bytes_integer: NdArray<Int32Array>;
    kind: "quantized";
    /**
     * Its place in ``layers``.
     */
    layer: number;
    /**
     * [1] or [outputs of the layer]
     */
    weight_scales: NdArray<Float32Array>;
    code_low: number;
    /**
     * [codes] weights with each code, from code_low up
     */
    code_counts: NdArray<Int32Array>;
  }
  /**
   * The held-out images, classified in float32 and in integers.
   */
  export interface Result {
    /**
     * One sentence that says what this picture shows: spoken, captioned, printed.
     */
    text: string;
    epoch: number;
    epochs: number;
    step: number;
    steps: number;
    train_images: number;
    held_out_images: number;
    /**
     * [step] cross-entropy of each batch
     */
    losses: NdArray<Float32Array>;
    /**
     * [epochs finished] over the batches of the epoch, each before its own step
     */
    train_accuracy: NdArray<Float32Array>;
    /**
     * [epochs finished] on the held-out images
     */
    held_out_accuracy: NdArray<Float32Array>;
    /**
     * [4] names, in the order of the layers that they enter
     */
    activations: string[];
    calibration_images: number;
    /**
     * [4] the largest value seen
     */
    activation_max: NdArray<Float32Array>;
    /**
     * [4] the value that the highest code stands for
     */
    activation_range: NdArray<Float32Array>;
    /**
     * [4] width of one step
     */
    activation_scales: NdArray<Float32Array>;
    /**
     * [4] share of the values seen that lie above the range
     */
    activation_beyond: NdArray<Float32Array>;
    /**
     * [4, 64] values seen, in equal bins from 0 to activation_max
     */
    activation_histograms: NdArray<Int32Array>;
    /**
     * [4] all four names
     */
    layers: string[];
    /**
     * [layers so far] signal-to-quantization-noise ratio of the weights, dB
     */
    weight_sqnr: NdArray<Float32Array>;
    /**
     * [layers so far] weights and bias in float32
     */
    bytes_float: NdArray<Int32Array>;
    /**
     * [layers so far] packed codes, int32 bias, float32 scales
     */
    bytes_integer: NdArray<Int32Array>;
    kind: "result";
    /**
     * of held_out_images
     */
    correct_float: number;
    correct_integer: number;
    /**
     * float32, the ReLU after both convolutions left out: a baseline that is no baseline
     */
    correct_without_relu: number;
    /**
     * mean cross-entropy
     */
    loss_float: number;
    loss_integer: number;
    loss_without_relu: number;
    /**
     * images to which float32 and integers give the same digit, right or wrong
     */
    agreement: number;
    /**
     * [4] of what each layer puts out, integer against float32, dB
     */
    output_sqnr: NdArray<Float32Array>;
    /**
     * [4] the largest sum in magnitude; int32 holds 2,147,483,647
     */
    accumulator_peak: NdArray<Int32Array>;
    /**
     * [12, 8, 8] held-out images, 0 to 16, the hardest first: spoiled by rounding, wrong in both, mended, close
     */
    sample_images: NdArray<Uint8Array>;
    /**
     * [12] the true digit
     */
    sample_labels: NdArray<Int32Array>;
    /**
     * [12] the digit that float32 reads
     */
    sample_float: NdArray<Int32Array>;
    /**
     * [12] the digit that the integers read
     */
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
    /**
     * One sentence that says what this picture shows: spoken, captioned, printed.
     */
    text: string;
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
