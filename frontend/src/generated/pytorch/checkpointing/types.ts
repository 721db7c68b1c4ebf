// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Passing;
}
export interface Params {
  /**
   * What is kept between forward and backward.
   */
  policy: "none" | "every" | "sqrt" | "yours" | "best" | "selective" | "offload";
  /**
   * For the policies “every” and “selective”.
   */
  length: number;
  /**
   * How many layers each has, in order; k2: two layers, all kept.
   */
  segments: string;
  layers: number;
  shape: "even" | "narrowing" | "widening" | "hourglass";
  width: number;
  rows: number;
  /**
   * For weights and inputs.
   */
  seed: number;
}
/**
 * A moment of a forward and a backward pass: an operator has just written its result.
 */
export interface Passing {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "passing";
  stage: "forward" | "again" | "backward" | "compared";
  /**
   * That is computed; 0 at the end
   */
  layer: number;
  /**
   * Of the run, from 0
   */
  moment: number;
  /**
   * How many the run has
   */
  moments: number;
  /**
   * [layers + 1] of the input and of each layer
   */
  widths: number[];
  /**
   * That are alive, and those in files
   */
  blocks: Block[];
  segments: Segment[];
  /**
   * [moments so far] bytes that were alive
   */
  curve: NdArray<Float32Array>;
  /**
   * Bytes now
   */
  alive: number;
  /**
   * Bytes, so far
   */
  peak: number;
  /**
   * Share of the work of the matrix products of forward that has been done again
   */
  again: number;
  /**
   * Of a whole run under each policy; at the first moment only of this one and of the one that keeps all
   */
  costs: Cost[];
  /**
   * Whether all these policies give the same gradients of weights, bit for bit
   */
  equal: boolean;
}
/**
 * A storage: the result of an operator.
 */
export interface Block {
  key: string;
  row: "z" | "h" | "dz" | "dh";
  layer: number;
  bytes: number;
  state: "kept" | "passing" | "again" | "gradient" | "file";
  now: boolean;
}
/**
 * Some layers in a row.
 */
export interface Segment {
  start: number;
  stop: number;
  checkpointed: boolean;
}
/**
 * What a policy costs, over a whole run.
 */
export interface Cost {
  policy: "none" | "every" | "sqrt" | "yours" | "best" | "selective" | "offload";
  peak: number;
  again: number;
  moved: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.policy": ["none", "every", "sqrt", "yours", "best", "selective", "offload"],
  "Params.shape": ["even", "narrowing", "widening", "hourglass"],
  "Passing.stage": ["forward", "again", "backward", "compared"],
  "Block.row": ["z", "h", "dz", "dh"],
  "Block.state": ["kept", "passing", "again", "gradient", "file"],
  "Cost.policy": ["none", "every", "sqrt", "yours", "best", "selective", "offload"],
} as const;
