// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Unrounded | Rounded | Aware | Result;
}
export interface Params {
  /**
   * Of the network whose weights are drawn; 2 to 8 bits are all trained.
   */
  bits: number;
  /**
   * Set by the largest weight, or a parameter learned by gradient descent (LSQ).
   */
  grid: "largest" | "learned";
  granularity: "layer" | "channel";
  /**
   * To as many bits as the weights.
   */
  activations: boolean;
  float_epochs: number;
  /**
   * With rounding at every step, or only after the last.
   */
  epochs: number;
  learning_rate: number;
  /**
   * The first of five; each sets the split, the initial weights and the order.
   */
  seed: number;
  /**
   * Zero: with no straight-through estimator, weights stop moving.
   */
  true_gradient: boolean;
}
/**
 * The networks learn unrounded.
 */
export interface Unrounded {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * of the training that is going on
   */
  step: number;
  steps: number;
  bits: number;
  /**
   * [7] the bits of the networks, of weights and activations alike
   */
  widths: number[];
  /**
   * [3] share of the held-out digits that the unrounded networks read wrong: best seed, mean, worst
   */
  unrounded: NdArray<Float32Array, ["of"]>;
  /**
   * [2, 7, 3] the same of the rounded ones; NaN before they are
   */
  wrong: NdArray<Float32Array, ["way", "width", "of"]>;
  /**
   * [24] weights of one neuron as training keeps them
   */
  latent: NdArray<Float32Array>;
  /**
   * [24] what the network computes with
   */
  restored: NdArray<Float32Array>;
  /**
   * [24] minus the gradient of the last step, against the largest in size
   */
  pull: NdArray<Float32Array>;
  /**
   * [codes] weights that the grid has; empty before there is a grid
   */
  levels: NdArray<Float32Array>;
  /**
   * weights and levels lie between minus this and this
   */
  reach: number;
  /**
   * [2, 61] from -reach to reach: the derivative of the rounding, and what training takes for it
   */
  slope: NdArray<Float32Array, ["way", "place"]>;
  /**
   * share of the layer's weights that have another code than when training with rounding began
   */
  moved: number | null;
  kind: "unrounded";
}
/**
 * They are rounded for the first time.
 */
export interface Rounded {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * of the training that is going on
   */
  step: number;
  steps: number;
  bits: number;
  /**
   * [7] the bits of the networks, of weights and activations alike
   */
  widths: number[];
  /**
   * [3] share of the held-out digits that the unrounded networks read wrong: best seed, mean, worst
   */
  unrounded: NdArray<Float32Array, ["of"]>;
  /**
   * [2, 7, 3] the same of the rounded ones; NaN before they are
   */
  wrong: NdArray<Float32Array, ["way", "width", "of"]>;
  /**
   * [24] weights of one neuron as training keeps them
   */
  latent: NdArray<Float32Array>;
  /**
   * [24] what the network computes with
   */
  restored: NdArray<Float32Array>;
  /**
   * [24] minus the gradient of the last step, against the largest in size
   */
  pull: NdArray<Float32Array>;
  /**
   * [codes] weights that the grid has; empty before there is a grid
   */
  levels: NdArray<Float32Array>;
  /**
   * weights and levels lie between minus this and this
   */
  reach: number;
  /**
   * [2, 61] from -reach to reach: the derivative of the rounding, and what training takes for it
   */
  slope: NdArray<Float32Array, ["way", "place"]>;
  /**
   * share of the layer's weights that have another code than when training with rounding began
   */
  moved: number | null;
  kind: "rounded";
}
/**
 * Some go on with rounding, the others without.
 */
export interface Aware {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * of the training that is going on
   */
  step: number;
  steps: number;
  bits: number;
  /**
   * [7] the bits of the networks, of weights and activations alike
   */
  widths: number[];
  /**
   * [3] share of the held-out digits that the unrounded networks read wrong: best seed, mean, worst
   */
  unrounded: NdArray<Float32Array, ["of"]>;
  /**
   * [2, 7, 3] the same of the rounded ones; NaN before they are
   */
  wrong: NdArray<Float32Array, ["way", "width", "of"]>;
  /**
   * [24] weights of one neuron as training keeps them
   */
  latent: NdArray<Float32Array>;
  /**
   * [24] what the network computes with
   */
  restored: NdArray<Float32Array>;
  /**
   * [24] minus the gradient of the last step, against the largest in size
   */
  pull: NdArray<Float32Array>;
  /**
   * [codes] weights that the grid has; empty before there is a grid
   */
  levels: NdArray<Float32Array>;
  /**
   * weights and levels lie between minus this and this
   */
  reach: number;
  /**
   * [2, 61] from -reach to reach: the derivative of the rounding, and what training takes for it
   */
  slope: NdArray<Float32Array, ["way", "place"]>;
  /**
   * share of the layer's weights that have another code than when training with rounding began
   */
  moved: number | null;
  kind: "aware";
}
/**
 * Both are done.
 */
export interface Result {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * of the training that is going on
   */
  step: number;
  steps: number;
  bits: number;
  /**
   * [7] the bits of the networks, of weights and activations alike
   */
  widths: number[];
  /**
   * [3] share of the held-out digits that the unrounded networks read wrong: best seed, mean, worst
   */
  unrounded: NdArray<Float32Array, ["of"]>;
  /**
   * [2, 7, 3] the same of the rounded ones; NaN before they are
   */
  wrong: NdArray<Float32Array, ["way", "width", "of"]>;
  /**
   * [24] weights of one neuron as training keeps them
   */
  latent: NdArray<Float32Array>;
  /**
   * [24] what the network computes with
   */
  restored: NdArray<Float32Array>;
  /**
   * [24] minus the gradient of the last step, against the largest in size
   */
  pull: NdArray<Float32Array>;
  /**
   * [codes] weights that the grid has; empty before there is a grid
   */
  levels: NdArray<Float32Array>;
  /**
   * weights and levels lie between minus this and this
   */
  reach: number;
  /**
   * [2, 61] from -reach to reach: the derivative of the rounding, and what training takes for it
   */
  slope: NdArray<Float32Array, ["way", "place"]>;
  /**
   * share of the layer's weights that have another code than when training with rounding began
   */
  moved: number | null;
  kind: "result";
  /**
   * [7] of five seeds, those where training with rounding reads fewer digits wrong
   */
  won: NdArray<Int32Array, ["width"]>;
  seeds: number;
  /**
   * digits that each network is scored on
   */
  held_out: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.grid": ["largest", "learned"],
  "Params.granularity": ["layer", "channel"],
} as const;
