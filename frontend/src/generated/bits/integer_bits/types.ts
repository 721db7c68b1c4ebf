// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * A whole number: -132, 0xFF7C or 0b1010. Or flip its bits.
   */
  number: string;
  /**
   * The second operand.
   */
  other: string;
  width: 8 | 16 | 32 | 64;
  /**
   * The bits are the same; the top one weighs −2ⁿ⁻¹ or 2ⁿ⁻¹.
   */
  reading: "signed" | "unsigned";
  /**
   * Stores the low eight bits only, whatever a needs.
   */
  one_byte: boolean;
  /**
   * Flips the top bit and nothing else.
   */
  sign_only: boolean;
  /**
   * Half of the recipe for −a.
   */
  forget_one: boolean;
  /**
   * Puts zeros in front of a number that has a sign.
   */
  zeros_in_front: boolean;
  /**
   * Signed operands, unsigned operation: “same bits”.
   */
  one_circuit: boolean;
}
/**
 * All numbers are in every picture; ``stage`` says how far the story has come, ``rows`` what is worked out.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage:
    | "number"
    | "weights"
    | "invert"
    | "negate"
    | "check"
    | "bytes"
    | "resize"
    | "add"
    | "flags"
    | "operations";
  width: number;
  /**
   * The pattern of a, top bit first.
   */
  bits: string;
  hex: string;
  /**
   * a as it was typed.
   */
  asked: string;
  /**
   * Bits that a needs; None for a negative number without a sign.
   */
  needs: number | null;
  fits: boolean;
  as_signed: string;
  as_unsigned: string;
  /**
   * The least number that the width can hold in this reading.
   */
  low: string;
  high: string;
  /**
   * [width] the number that a becomes when a bit is turned over, top bit first.
   */
  flipped: string[];
  /**
   * The bit that is being added, counted from the right.
   */
  at: number | null;
  rows: Row[];
  /**
   * [width / 8] the bytes from the lowest address up, least significant first.
   */
  little: string[];
  /**
   * [width / 8] the same, most significant first.
   */
  big: string[];
  address: number;
  /**
   * a at twice the width, in hexadecimal, extended as it is read.
   */
  wider: string;
  wider_value: string;
  narrower: string;
  narrower_value: string;
  /**
   * The carry out of the top bit of a + b: without a sign, the sum did not fit.
   */
  carry: boolean;
  /**
   * The carries into and out of the top bit of a + b differ: with a sign, the sum did not fit.
   */
  overflow: boolean;
  table: Outcome[];
  /**
   * Operations of the table that give the same bits signed and unsigned.
   */
  same: number;
}
/**
 * A line of bits below those of the number.
 */
export interface Row {
  name: string;
  bits: string;
  value: string;
}
/**
 * One operation, with a sign and without one. Bits in hexadecimal; None where C defines no result.
 */
export interface Outcome {
  name: string;
  signed: string | null;
  unsigned: string | null;
  signed_bits: string | null;
  unsigned_bits: string | null;
  same: boolean;
  always: boolean;
  wrong: boolean;
  why: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.width": [8, 16, 32, 64],
  "Params.reading": ["signed", "unsigned"],
  "Picture.stage": [
    "number",
    "weights",
    "invert",
    "negate",
    "check",
    "bytes",
    "resize",
    "add",
    "flags",
    "operations",
  ],
} as const;
