// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  hidden: number;
  activation: "relu" | "tanh" | "sigmoid";
  /**
   * He's rule, noise of variance 2 / inputs; a hundredth of it; ten times as much; all zero.
   */
  first: "he" | "tiny" | "huge" | "zeros";
  /**
   * Along the gradient; with momentum; Adam's.
   */
  rule: "plain" | "momentum" | "adam";
  learning_rate: number;
  /**
   * How many one step sees; 2,048 is more than there are.
   */
  batch: 8 | 16 | 32 | 64 | 128 | 256 | 2048;
  /**
   * How often each image is used.
   */
  epochs: number;
  held_out: number;
  /**
   * At random, as many of each digit; or the last ones of the file.
   */
  split: "random" | "last";
  /**
   * For what is held out, the first weights and the order.
   */
  seed: number;
  /**
   * Draw it above. Eight rows: a dot is paper, 1 to 9 and a to g are more and more ink.
   */
  drawing: string;
  /**
   * Each step adds to those before.
   */
  keep_gradients: boolean;
  /**
   * All zeros, then all ones, in every epoch.
   */
  sorted_batches: boolean;
  /**
   * Not divided by 16 before they go in.
   */
  raw_pixels: boolean;
  /**
   * Every second one is also learned from.
   */
  leak: boolean;
}
/**
 * The network after some steps. Curves have a point for each picture so far; NaN where there is no number.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "untrained" | "learning" | "trained";
  /**
   * A step looks at one batch.
   */
  step: number;
  /**
   * Of the whole training.
   */
  steps: number;
  /**
   * Steps.
   */
  per_epoch: number;
  /**
   * That it learns from.
   */
  train_images: number;
  held_out_images: number;
  /**
   * [pictures so far] steps
   */
  at: NdArray<Int32Array>;
  /**
   * [pictures so far] mean cross-entropy over the images that it learns from, nats
   */
  train_loss: NdArray<Float32Array, ["step"]>;
  /**
   * [pictures so far]
   */
  held_out_loss: NdArray<Float32Array, ["step"]>;
  /**
   * [pictures so far] the smallest loss of a batch since the picture before
   */
  batch_low: NdArray<Float32Array, ["step"]>;
  /**
   * [pictures so far] the largest
   */
  batch_high: NdArray<Float32Array, ["step"]>;
  /**
   * [pictures so far] share read right
   */
  train_accuracy: NdArray<Float32Array, ["step"]>;
  /**
   * [pictures so far]
   */
  held_out_accuracy: NdArray<Float32Array, ["step"]>;
  /**
   * [pictures so far] length of the gradient of the first matrix
   */
  gradient_first: NdArray<Float32Array, ["step"]>;
  /**
   * [pictures so far] of the second
   */
  gradient_second: NdArray<Float32Array, ["step"]>;
  /**
   * Held-out images read right.
   */
  correct: number;
  /**
   * Held-out images that it learns from all the same: a mistake.
   */
  leaked_images: number;
  /**
   * Of those, read right.
   */
  leaked_correct: number;
  /**
   * [10, 10] held-out images by what they are (row) and what they are read as (column)
   */
  confusion: NdArray<Int32Array, ["truth", "answer"]>;
  /**
   * [misread, 64] held-out images that are misread, at most 4 of each kind, the surest first; 0 to 16
   */
  missed_images: NdArray<Uint8Array, ["image", "pixel"]>;
  /**
   * [misread] what it is
   */
  missed_truth: NdArray<Int32Array>;
  /**
   * [misread] what it is read as
   */
  missed_answer: NdArray<Int32Array>;
  /**
   * [misread] how likely the network takes its answer to be
   */
  missed_chance: NdArray<Float32Array>;
  /**
   * [hidden, 64] of the first matrix, a row for each neuron; 128 is zero, 1 and 255 the largest of all
   */
  weights: NdArray<Uint8Array, ["neuron", "pixel"]>;
  /**
   * The largest weight of the first matrix, without its sign.
   */
  weight_reach: number;
  /**
   * [64] the reader's digit, 0 to 16
   */
  drawing: NdArray<Uint8Array>;
  /**
   * [hidden] what each hidden neuron hands on for it
   */
  drawing_hidden: NdArray<Float32Array>;
  /**
   * [10, hidden] the same times the neuron's weight for each digit, which its score adds up; as `weights` are
   */
  votes: NdArray<Uint8Array, ["digit", "neuron"]>;
  /**
   * The largest vote, without its sign.
   */
  vote_reach: number;
  /**
   * [10] what the network gives each digit for it
   */
  drawing_scores: NdArray<Float32Array>;
  /**
   * [10] the same as probabilities
   */
  drawing_chances: NdArray<Float32Array>;
  drawing_answer: number;
  /**
   * Numbers that are learned.
   */
  parameters: number;
  /**
   * In the matrix products of one step, forward and backward.
   */
  multiplications: number;
  /**
   * On the tape, in one step.
   */
  operations: number;
  /**
   * That the tape keeps for the way back, besides images and parameters.
   */
  kept_bytes: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.activation": ["relu", "tanh", "sigmoid"],
  "Params.first": ["he", "tiny", "huge", "zeros"],
  "Params.rule": ["plain", "momentum", "adam"],
  "Params.batch": [8, 16, 32, 64, 128, 256, 2048],
  "Params.split": ["random", "last"],
  "Picture.stage": ["untrained", "learning", "trained"],
} as const;
