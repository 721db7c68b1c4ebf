// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * Lengths, separated by spaces; () for a single number.
   */
  a: string;
  b: string;
  /**
   * Type none to use only two tensors.
   */
  c: string;
  /**
   * An element of the result, counted row by row: what it reads.
   */
  element: number;
}
/**
 * All that is known is in every picture; ``stage`` says how far the story has come.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "align" | "dimension" | "refused" | "strides" | "read" | "gradient" | "cost";
  operands: Operand[];
  /**
   * Its shape, None where it is not yet decided.
   */
  result: (number | null)[];
  /**
   * Bytes of all operands.
   */
  held: string;
  /**
   * The one that is decided in this step, counted from the left.
   */
  dimension: number | null;
  /**
   * The operands that do not fit in this dimension.
   */
  clash: number[];
  /**
   * Whether there are few enough elements to draw them.
   */
  drawn: boolean;
  /**
   * [elements] of the result
   */
  values: string[];
  /**
   * The element that is looked at.
   */
  at: number | null;
  /**
   * How many the result has; empty where there is none.
   */
  elements: string;
  /**
   * Bytes of the result.
   */
  size: string;
  /**
   * Bytes that the operands would take, copied into the shape of the result; what has it already is not.
   */
  copied: string;
}
/**
 * What is known of it from the beginning, and, if all fit, what is made of it.
 */
export interface Operand {
  name: string;
  shape: number[];
  aligned: (number | null)[];
  held: string;
  strides: number[];
  summed: number[];
  numbers: string[];
  bytes: NdArray<Uint8Array>;
  places: NdArray<Int32Array>;
  gradient: string[];
  read: string;
  times: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Picture.stage": ["align", "dimension", "refused", "strides", "read", "gradient", "cost"],
} as const;
