// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Step;
}
export interface Params {
  low: number;
  high: number;
  /**
   * The number to be stored.
   */
  value: number;
  /**
   * n bits have 2ⁿ codes.
   */
  bits: number;
  /**
   * Symmetric fixes the zero point at 0; asymmetric follows the range.
   */
  scheme: "symmetric" | "asymmetric";
}
/**
 * One of the six steps. All numbers are in every step; ``stage`` says how far the story has come.
 */
export interface Step {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "step";
  stage: "range" | "scale" | "zero_point" | "round" | "clamp" | "restore";
  /**
   * The range as the reader set it.
   */
  low: number;
  high: number;
  /**
   * The range after widening: it holds zero, and a symmetric one reaches equally far to both sides.
   */
  grid_low: number;
  grid_high: number;
  /**
   * Width of one step.
   */
  scale: number;
  /**
   * The code that stands for exactly 0.0.
   */
  zero_point: number;
  /**
   * The codes that exist.
   */
  code_low: number;
  code_high: number;
  /**
   * [code_high - code_low + 1] every representable number, in the order of its code.
   */
  levels: NdArray<Float32Array>;
  value: number;
  /**
   * value / scale + zero_point: the value in units of codes, before rounding.
   */
  scaled: number;
  /**
   * ``scaled`` rounded to a whole number, perhaps not a code that exists.
   */
  rounded: number;
  /**
   * ``rounded`` limited to code_low…code_high.
   */
  code: number;
  /**
   * True where the limit changed the code.
   */
  clipped: boolean;
  /**
   * scale * (code - zero_point)
   */
  restored: number;
  /**
   * restored - value
   */
  error: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.scheme": ["symmetric", "asymmetric"],
  "Step.stage": ["range", "scale", "zero_point", "round", "clamp", "restore"],
} as const;
