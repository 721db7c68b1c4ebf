// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Slice;
}
export interface Params {
  weights: "input 1 to both units" | "both inputs to unit 1" | "both units to the output";
  /**
   * Or click the surface.
   */
  first: number;
  second: number;
  /**
   * For np.random, which draws the other weights; biases start at 0.
   */
  seed: number;
  learning_rate: number;
  epochs: number;
}
/**
 * The loss around the network after ``epoch`` epochs.
 */
export interface Slice {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "slice";
  stage: "begin" | "training" | "end";
  epoch: number;
  epochs: number;
  /**
   * Of the two weights, as in the program: W1[0, 1] leads from input 0 to hidden unit 1
   */
  names: string[];
  /**
   * [25] what either weight is along its side of the grid
   */
  values: NdArray<Float32Array>;
  /**
   * [25, 25] summed cross-entropy, the other seven numbers as they are now; a row for each value of the second
   */
  loss: NdArray<Float32Array, ["second", "first"]>;
  /**
   * [pictures so far, 3] both weights and the loss of the network, the other seven numbers as they were then
   */
  path: NdArray<Float32Array, ["picture", "part"]>;
  /**
   * The loss of the network at this step
   */
  here: number;
  /**
   * The lowest loss of the grid
   */
  least: number;
  /**
   * Points on the right side of 0.5, of 4
   */
  right: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.weights": ["input 1 to both units", "both inputs to unit 1", "both units to the output"],
  "Slice.stage": ["begin", "training", "end"],
} as const;
