// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * 0.1, 1e-8, 1/3, inf, nan, or the bits, such as 0x2E66.
   */
  number: string;
  /**
   * Added in the last step.
   */
  other: string;
  format: "fp64" | "fp32" | "fp16" | "bf16" | "fp8_e4m3" | "fp8_e5m2";
  /**
   * Overflow gives the largest number, not infinity (in e4m3, not NaN).
   */
  saturate: boolean;
  /**
   * Drops the bits that do not fit.
   */
  cut: boolean;
  /**
   * First to fp32, then to the format.
   */
  twice: boolean;
  /**
   * Reads the fraction without the 1 before it.
   */
  no_hidden_one: boolean;
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
  stage: "exact" | "exponent" | "fraction" | "round" | "value" | "neighbours" | "formats" | "sum";
  width: number;
  exponent_bits: number;
  fraction_bits: number;
  bias: number;
  /**
   * Sign, exponent, fraction; the top bit first.
   */
  bits: string;
  hex: string;
  /**
   * [width] what to type for the number with one bit turned over, top bit first.
   */
  flipped: string[];
  means: "normal" | "subnormal" | "zero" | "infinity" | "NaN";
  /**
   * The typed number, exact.
   */
  typed: string;
  /**
   * The size of the typed number in binary.
   */
  binary: string;
  /**
   * The number that the bits stand for, to 40 digits.
   */
  stored: string;
  /**
   * stored − typed; empty where there is none.
   */
  error: string;
  /**
   * The power of two that the fraction is multiplied by.
   */
  exponent: number | null;
  /**
   * The exponent field.
   */
  field: number;
  ticks: Tick[];
  /**
   * The place of the typed number among the ticks; None where it lies beyond them.
   */
  typed_at: number | null;
  /**
   * Exponents around that of the number, the smallest numbers first.
   */
  windows: Window[];
  /**
   * The place of zero on that line.
   */
  zero: number;
  /**
   * The place of the typed number on it.
   */
  along: number | null;
  /**
   * The place on it of the tick at 0.
   */
  apex: number;
  /**
   * How far apart ticks are on it.
   */
  step: number;
  /**
   * Ends of the line on which the powers of two are added up.
   */
  low: string;
  high: string;
  /**
   * Where the sum stands after each bit of the fraction that is 1; 0 and 1 are the ends of the line.
   */
  jumps: number[];
  /**
   * The powers of two that the jumps add.
   */
  parts: string[];
  /**
   * How many jumps are made.
   */
  reached: number;
  /**
   * Unit in the last place: how far apart numbers are here.
   */
  ulp: string;
  /**
   * The next number of the format below.
   */
  before: string;
  after: string;
  formats: Stored[];
  /**
   * What adding the two stored numbers gives, rounded.
   */
  sum: string | null;
  /**
   * The same before rounding.
   */
  sum_exact: string | null;
  /**
   * What the exact sum of the typed numbers would be stored as.
   */
  wanted: string | null;
  sum_right: boolean | null;
  /**
   * The number that is added, as it is stored.
   */
  other: string | null;
  /**
   * Where the first stored number ends, and where both together do, as shares of the longest of them.
   */
  terms: number[];
  /**
   * The numbers of the format around the sum; the one that it is rounded to is chosen.
   */
  sum_ticks: Tick[];
  /**
   * The place of the exact sum among these ticks; None where it lies beyond them.
   */
  sum_at: number | null;
  /**
   * The place of the sum of the typed numbers among them.
   */
  wanted_at: number | null;
  /**
   * What that is stored as, without the sign.
   */
  wanted_bits: string;
}
/**
 * A number of the format near the typed one.
 */
export interface Tick {
  at: number;
  value: string;
  bits: string;
  chosen: boolean;
}
/**
 * The numbers that share an exponent field, on a line where 0 and 1 are the ends of the number's own window.
 */
export interface Window {
  field: number;
  at: number;
  to: number;
  name: string;
  sort: "subnormal" | "normal" | "reserved";
}
/**
 * The typed number in one of the formats.
 */
export interface Stored {
  name: string;
  bits: number;
  exponent_bits: number;
  pattern: string;
  value: string;
  relative_error: number | null;
  relative: string;
  error: string;
  largest: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.format": ["fp64", "fp32", "fp16", "bf16", "fp8_e4m3", "fp8_e5m2"],
  "Picture.stage": ["exact", "exponent", "fraction", "round", "value", "neighbours", "formats", "sum"],
  "Picture.means": ["normal", "subnormal", "zero", "infinity", "NaN"],
  "Window.sort": ["subnormal", "normal", "reserved"],
} as const;
