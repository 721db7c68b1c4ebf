// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Errors;
}
export interface Params {
  /**
   * Or click a network.
   */
  modes: 2 | 4 | 8 | 16;
  width: 4 | 8 | 16 | 32;
}
/**
 * All networks after one length of training.
 */
export interface Errors {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "errors";
  /**
   * The length of the training
   */
  stage: string;
  /**
   * Of the training
   */
  steps: number;
  modes: number[];
  widths: number[];
  seeds: number[];
  /**
   * [widths, modes] median over the seeds: error at time 1 as a share of the exact field's own size
   */
  error: NdArray<Float32Array, ["width", "modes"]>;
  /**
   * [widths, modes] of the best seed
   */
  least: NdArray<Float32Array, ["width", "modes"]>;
  /**
   * [widths, modes] of the worst seed
   */
  most: NdArray<Float32Array, ["width", "modes"]>;
  /**
   * [widths, modes] numbers that a network learns; a complex one counts twice
   */
  learned: NdArray<Int32Array, ["width", "modes"]>;
  /**
   * [64] a field on the ring at time 1, by formula, from a start that no network has seen
   */
  exact: NdArray<Float32Array>;
  /**
   * [modes, 64] the exact field with no more waves than a layer keeps
   */
  lowest: NdArray<Float32Array, ["modes", "place"]>;
  /**
   * [modes] its error, as a share of the exact field's size
   */
  alone: NdArray<Float32Array, ["modes"]>;
  /**
   * [widths, modes, 64] what the network of the median seed says that it is at time 1
   */
  answer: NdArray<Float32Array, ["width", "modes", "place"]>;
  /**
   * When and on which machine they were trained, and how long all of them took
   */
  trained_at: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.modes": [2, 4, 8, 16], "Params.width": [4, 8, 16, 32] } as const;
