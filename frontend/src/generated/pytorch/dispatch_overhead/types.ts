// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Call;
}
export interface Params {
  op: "add" | "mul" | "neg";
  n: 1 | 16 | 256 | 4096 | 65536;
  /**
   * The call then also records what backward will need.
   */
  grad: boolean;
  repetitions: number;
}
/**
 * One more part of the call is known.
 */
export interface Call {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "call";
  /**
   * The layer that was told apart just now; "the call" at first, then "sizes" and "many".
   */
  stage: string;
  /**
   * What was called, as Python
   */
  line: string;
  /**
   * What was timed for that layer, and what was subtracted from it; empty where nothing was
   */
  difference: string;
  /**
   * In the order in which a call goes through them
   */
  layers: string[];
  /**
   * [layers, 3] nanoseconds of one call; NaN where not yet told. A layer is a difference, and may be below 0
   */
  took: NdArray<Float32Array, ["layer", "part"]>;
  /**
   * [3] nanoseconds of the whole call
   */
  call: NdArray<Float32Array, ["part"]>;
  /**
   * Numbers in a tensor
   */
  n: number;
  /**
   * [sizes] numbers in a tensor
   */
  sizes: NdArray<Int32Array>;
  /**
   * [sizes, 2, 3] nanoseconds; NaN where not yet measured
   */
  by_size: NdArray<Float32Array, ["size", "what", "quartile"]>;
  /**
   * Numbers from which the arithmetic takes more than half of the call, between two sizes by logarithms; 0 until
   * it is known, and if that never happens
   */
  crossover: number;
  /**
   * Small tensors, each of n numbers
   */
  count: number;
  /**
   * [2, 3] nanoseconds for all of them: one call each, or one call on one tensor; NaN until measured
   */
  many: NdArray<Float32Array, ["how", "quartile"]>;
  repetitions: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.op": ["add", "mul", "neg"], "Params.n": [1, 16, 256, 4096, 65536] } as const;
