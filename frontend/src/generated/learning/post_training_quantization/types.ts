// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Training | Calibrated | Quantized | Result;
}
export interface Params {
  weight_bits: number;
  activation_bits: number;
  granularity: "tensor" | "channel";
  /**
   * Up to the largest value seen, or to cover 99.9 % of them.
   */
  calibration: "minmax" | "percentile";
  /**
   * Taken from the training images.
   */
  calibration_images: number;
  /**
   * Of those held out; the fewer, the more is left to chance.
   */
  scored: number;
  epochs: number;
  learning_rate: number;
  /**
   * For the initial weights, the order and the split.
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
  text: Sentence;
  epoch: number;
  epochs: number;
  step: number;
  steps: number;
  train_images: number;
  held_out_images: number;
  /**
   * [10] held-out images of each digit; ``leads`` lists them in this order
   */
  of_digit: NdArray<Int32Array>;
  /**
   * [held out] float32 at the end of an epoch: the true digit's score less the best other one's, in codes
   */
  leads: NdArray<Uint8Array>;
  /**
   * Width of one step of these codes
   */
  lead_scale: number;
  /**
   * The code of two equal scores: above it, the image is read right
   */
  lead_zero: number;
  /**
   * [epochs finished] over the batches of the epoch, each before its own step
   */
  train_accuracy: NdArray<Float32Array>;
  /**
   * [epochs finished] on the held-out images
   */
  held_out_accuracy: NdArray<Float32Array>;
  kind: "training";
  /**
   * [step] cross-entropy of each batch
   */
  losses: NdArray<Float32Array>;
}
/**
 * The activations have their scales.
 */
export interface Calibrated {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  epoch: number;
  epochs: number;
  step: number;
  steps: number;
  train_images: number;
  held_out_images: number;
  /**
   * [10] held-out images of each digit; ``leads`` lists them in this order
   */
  of_digit: NdArray<Int32Array>;
  /**
   * [held out] float32 at the end of an epoch: the true digit's score less the best other one's, in codes
   */
  leads: NdArray<Uint8Array>;
  /**
   * Width of one step of these codes
   */
  lead_scale: number;
  /**
   * The code of two equal scores: above it, the image is read right
   */
  lead_zero: number;
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
  text: Sentence;
  epoch: number;
  epochs: number;
  step: number;
  steps: number;
  train_images: number;
  held_out_images: number;
  /**
   * [10] held-out images of each digit; ``leads`` lists them in this order
   */
  of_digit: NdArray<Int32Array>;
  /**
   * [held out] float32 at the end of an epoch: the true digit's score less the best other one's, in codes
   */
  leads: NdArray<Uint8Array>;
  /**
   * Width of one step of these codes
   */
  lead_scale: number;
  /**
   * The code of two equal scores: above it, the image is read right
   */
  lead_zero: number;
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
  layers: ("conv1" | "conv2" | "fc1" | "fc2")[];
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
  /**
   * [held out] ``leads`` with the weights of the layers so far rounded; in the result, in integers throughout
   */
  leads_rounded: NdArray<Uint8Array>;
  /**
   * The most by which that has moved a lead
   */
  shift: number;
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
 * Held-out images, classified in float32 and in integers.
 */
export interface Result {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  epoch: number;
  epochs: number;
  step: number;
  steps: number;
  train_images: number;
  held_out_images: number;
  /**
   * [10] held-out images of each digit; ``leads`` lists them in this order
   */
  of_digit: NdArray<Int32Array>;
  /**
   * [held out] float32 at the end of an epoch: the true digit's score less the best other one's, in codes
   */
  leads: NdArray<Uint8Array>;
  /**
   * Width of one step of these codes
   */
  lead_scale: number;
  /**
   * The code of two equal scores: above it, the image is read right
   */
  lead_zero: number;
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
  layers: ("conv1" | "conv2" | "fc1" | "fc2")[];
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
  /**
   * [held out] ``leads`` with the weights of the layers so far rounded; in the result, in integers throughout
   */
  leads_rounded: NdArray<Uint8Array>;
  /**
   * The most by which that has moved a lead
   */
  shift: number;
  kind: "result";
  /**
   * Images that were classified.
   */
  scored: number;
  /**
   * of those scored
   */
  correct_float: number;
  correct_integer: number;
  /**
   * float32, the ReLU after both convolutions left out: a baseline that is no baseline
   */
  correct_without_relu: number;
  /**
   * [held out] 1 for the images that were scored, in the order of ``leads``
   */
  counted: NdArray<Uint8Array>;
  /**
   * [held out] ``leads`` of the third network
   */
  leads_without_relu: NdArray<Uint8Array>;
  /**
   * [3, 2] shares between which each network's accuracy on all digits lies, with 95 % confidence
   */
  interval: NdArray<Float32Array, ["way", "end"]>;
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
   * [6, 8, 8] held-out images, 0 to 16, the hardest first: spoiled by rounding, cured, wrong in both, close
   */
  sample_images: NdArray<Uint8Array>;
  /**
   * [6] where they are in ``leads``
   */
  sample_places: NdArray<Int32Array>;
  /**
   * [6] the true digit
   */
  sample_labels: NdArray<Int32Array>;
  /**
   * [6] the digit that float32 reads
   */
  sample_float: NdArray<Int32Array>;
  /**
   * [6] the digit that the integers read
   */
  sample_integer: NdArray<Int32Array>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.granularity": ["tensor", "channel"],
  "Params.calibration": ["minmax", "percentile"],
  "Quantized.layers": ["conv1", "conv2", "fc1", "fc2"],
  "Result.layers": ["conv1", "conv2", "fc1", "fc2"],
} as const;
