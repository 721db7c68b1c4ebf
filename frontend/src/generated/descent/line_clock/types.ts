// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Timed;
}
export interface Params {
  line:
    | "y = relu(x @ w + b)"
    | "y = x @ w + b"
    | "y = relu(-(x @ w)) * b"
    | "y = 2 - x.T * 3"
    | "y = w.T @ x.T"
    | "y = relu(x @ w) @ w.T";
  /**
   * x, w and b require gradients, so the tape records.
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
   * Without spaces around it
   */
  line: string;
  /**
   * Version of the PyTorch that was timed and asked
   */
  torch: string;
  /**
   * What PyTorch's dispatcher does with the operators of the line, in the order in which they are called
   */
  calls: Call[];
  /**
   * In the order in which a call goes through them
   */
  layers: string[];
  /**
   * [layers, 3] nanoseconds; a layer is a difference, and may be below 0
   */
  took: NdArray<Float32Array, ["layer", "quartile"]>;
  /**
   * [layers, repetitions] nanoseconds of each, in the order in which they were taken
   */
  turns: NdArray<Float32Array, ["layer", "turn"]>;
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
/**
 * An operation of the line.
 */
export interface Call {
  begin: number;
  end: number;
  given: string[];
  operators: Called[];
}
/**
 * One operator on its way through the dispatcher.
 */
export interface Called {
  operator: string;
  schema: string;
  stops: Stop[];
}
/**
 * A key of the dispatcher at which something runs, or nothing does.
 */
export interface Stop {
  key: string;
  state: string;
  file: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.line": [
    "y = relu(x @ w + b)",
    "y = x @ w + b",
    "y = relu(-(x @ w)) * b",
    "y = 2 - x.T * 3",
    "y = w.T @ x.T",
    "y = relu(x @ w) @ w.T",
  ],
} as const;
