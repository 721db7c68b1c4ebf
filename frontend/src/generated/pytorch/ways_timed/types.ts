// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Timed;
}
export interface Params {
  /**
   * A convolution with its batch norm and activation, our own operator, or forward and backward.
   */
  work: "convolution" | "softcap" | "checkpoint";
  /**
   * In the input.
   */
  size: "4 K" | "64 K" | "1 M";
  /**
   * For forward and backward. 3: a checkpoint of 3 layers; k3 keeps all, s3 products, f3 uses files.
   */
  segments: string;
  repetitions: number;
  /**
   * Compiling takes a few seconds.
   */
  inductor: boolean;
}
/**
 * The ways that there are so far, and what their calls took so far.
 */
export interface Timed {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "timed";
  stage: "made" | "turn" | "worth";
  ways: Way[];
  /**
   * The way that was made just now, or that was fastest in this turn or in the end
   */
  now: string;
  /**
   * [ways, turns] seconds of a call, in the fastest of five rounds, or in one if calls are long; NaN where the
   * turn has not come
   */
  turns: NdArray<Float32Array, ["way", "turn"]>;
  /**
   * [ways, 3] seconds of a call, of the turns so far; NaN before the first
   */
  took: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways, 3] how many times as fast as the first way, turn by turn; NaN before the first
   */
  gain: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways] the most bytes alive at a time, besides weights, their gradients and the input; 0 if not counted
   */
  peak: number[];
  /**
   * In the input
   */
  numbers: number;
}
/**
 * A way to compute the result.
 */
export interface Way {
  name: string;
  says: string;
  does: string;
  seconds: number;
  error: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.work": ["convolution", "softcap", "checkpoint"],
  "Params.size": ["4 K", "64 K", "1 M"],
  "Timed.stage": ["made", "turn", "worth"],
} as const;
