// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Timed;
}
export interface Params {
  /**
   * x, w and b want gradients, so that the tape runs.
   */
  grad: boolean;
  repetitions: number;
}
/**
 * One call of the line, in layers.
 */
export interface Timed {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "timed";
  /**
   * In the order in which a call goes through them
   */
  layers: string[];
  /**
   * [layers, 3] nanoseconds; a layer is a difference, and may be below 0
   */
  took: NdArray<Float32Array, ["layer", "quartile"]>;
  /**
   * [3] nanoseconds of the whole call
   */
  call: NdArray<Float32Array, ["quartile"]>;
  /**
   * Of the whole call, what the arithmetic takes, from 0 to 1
   */
  share: number;
  /**
   * Operations on numbers in one call
   */
  flops: number;
  /**
   * Operations that one core can do in a nanosecond, measured in the same run
   */
  peak: number;
  /**
   * Of that peak, what the whole call comes to, from 0 to 1
   */
  reached: number;
  /**
   * Of that peak, what the arithmetic alone comes to, from 0 to 1
   */
  arithmetic_reached: number;
  repetitions: number;
}

export type Event = Lab["event"];
