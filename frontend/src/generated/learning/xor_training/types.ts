// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture | Stopped;
}
export interface Params {
  /**
   * A line for each: x, y and the label, 0 or 1. In the picture, tap a point to flip it.
   */
  points: string;
  /**
   * In each hidden layer.
   */
  hidden: number;
  layers: 1 | 2;
  /**
   * Of the hidden units; the output's is sigmoid.
   */
  activation: "sigmoid" | "tanh" | "relu";
  /**
   * For np.random, which draws the first weights.
   */
  seed: number;
  scale: number;
  learning_rate: number;
  /**
   * Steps, each over all points.
   */
  epochs: number;
  /**
   * bce: cross-entropy; mse: squared error.
   */
  loss: "bce" | "mse";
  /**
   * Whether the loss is their sum or their mean.
   */
  over: "sum" | "mean";
  /**
   * The program as it was printed.
   */
  defined_late: boolean;
  /**
   * np.mean where np.sum is meant.
   */
  bias_mean: boolean;
  /**
   * Each unit gets the gradient of only one of the units that read it.
   */
  one_path: boolean;
}
/**
 * The network after ``epoch`` epochs.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "begin" | "training" | "end";
  epoch: number;
  epochs: number;
  window: Window;
  /**
   * [31 × 31] the output y as 127 ± 127·√|2y − 1|: 254 is 1; rows upwards, each from left to right
   */
  surface: NdArray<Uint8Array>;
  /**
   * [layers × hidden, 11 × 11] the same of each hidden unit, of −1 to 1 for tanh, of 0 to its largest for relu
   */
  units: NdArray<Uint8Array>;
  points: Point[];
  /**
   * Points on the right side of 0.5.
   */
  right: number;
  layers: Layer[];
  /**
   * [so far]
   */
  curve_epochs: NdArray<Int32Array>;
  /**
   * [so far] the loss that is meant to be descended
   */
  curve_loss: NdArray<Float32Array>;
  /**
   * [so far] the mean squared error, which the program prints
   */
  curve_printed: NdArray<Float32Array>;
  /**
   * The largest value of both curves over the whole run so far.
   */
  highest: number;
  checks: Check[];
  /**
   * The largest slope of the loss, measured.
   */
  steepest: number;
  /**
   * The largest difference between a gradient in use and the slope that was measured.
   */
  gap: number;
}
/**
 * A square part of the plane.
 */
export interface Window {
  left: number;
  bottom: number;
  size: number;
}
export interface Point {
  x: number;
  y: number;
  label: number;
  output: number;
  line: number;
}
export interface Layer {
  weights: NdArray<Float32Array>;
  biases: NdArray<Float32Array>;
}
/**
 * One gradient in use, and the slopes of four losses along the same parameter, measured.
 */
export interface Check {
  name: string;
  used: number;
  bce_sum: number;
  bce_mean: number;
  mse_sum: number;
  mse_mean: number;
}
/**
 * The program as it was printed does not begin.
 */
export interface Stopped {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "stopped";
  listing: string;
  line: number;
  trace: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.layers": [1, 2],
  "Params.activation": ["sigmoid", "tanh", "relu"],
  "Params.loss": ["bce", "mse"],
  "Params.over": ["sum", "mean"],
  "Picture.stage": ["begin", "training", "end"],
} as const;
