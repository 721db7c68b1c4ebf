// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  hidden: number;
  /**
   * Of the hidden units; the output's is sigmoid.
   */
  activation: "sigmoid" | "tanh" | "relu";
  /**
   * The others follow it.
   */
  seed: number;
  networks: number;
  scale: number;
  learning_rate: number;
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
   * np.mean where np.sum is meant.
   */
  bias_mean: boolean;
}
/**
 * All networks of one size after ``epoch`` epochs: of the size that was set, in the last pictures of others.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "begin" | "training" | "sizes";
  epoch: number;
  epochs: number;
  /**
   * Of the first network; the others follow it.
   */
  seed: number;
  /**
   * Hidden units of the networks in this picture
   */
  hidden: number;
  /**
   * [networks, 9 × 9] the output y around the four points as 127 ± 127·√|2y − 1|; rows upwards
   */
  surfaces: NdArray<Uint8Array>;
  /**
   * [networks] points on the right side of 0.5: solved is 4
   */
  right: NdArray<Uint8Array>;
  /**
   * [networks] the loss that the gradient should descend
   */
  loss: NdArray<Float32Array>;
  /**
   * Networks of this picture that have all four points on the right side
   */
  learned: number;
  /**
   * Networks of the size that was set that have, so far
   */
  solved: number;
  /**
   * Of the sizes that are done, from small to large.
   */
  rates: Rate[];
}
/**
 * How many networks of one size learned it, and where the share of all seeds lies with a confidence of 95 %.
 */
export interface Rate {
  hidden: number;
  solved: number;
  low: number;
  high: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.activation": ["sigmoid", "tanh", "relu"],
  "Params.loss": ["bce", "mse"],
  "Params.over": ["sum", "mean"],
  "Picture.stage": ["begin", "training", "sizes"],
} as const;
