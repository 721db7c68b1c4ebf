// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * cpython: a number is its own hash, a word gets SipHash; the low bits pick the bucket.
   */
  function:
    | "division"
    | "division_prime"
    | "multiplication"
    | "universal"
    | "fnv1a"
    | "murmur3"
    | "splitmix64"
    | "cpython";
  /**
   * Multiples of 8; pages: of 4,096; sums of few powers of two; the last two are attacks.
   */
  pattern:
    | "random"
    | "sequential"
    | "reversed"
    | "multiples"
    | "pages"
    | "powers"
    | "clustered"
    | "words"
    | "against_division"
    | "against_multiplication";
  /**
   * division_prime takes the next prime below.
   */
  buckets: 64 | 128 | 256 | 512;
  mean: number;
  /**
   * For the keys, and for a and b.
   */
  seed: number;
}
/**
 * The buckets so far; what is not yet known is None.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "fill" | "sizes" | "avalanche" | "attack" | "fresh";
  buckets: number;
  keys: number;
  /**
   * [buckets] keys in each
   */
  counts: NdArray<Int32Array>;
  mean: number;
  /**
   * Buckets without a key.
   */
  empty: number;
  /**
   * Keys in the fullest bucket.
   */
  longest: number;
  /**
   * The median of that, did each key fall anywhere with equal chance.
   */
  longest_by_chance: number;
  /**
   * [0 … longest] buckets of each size
   */
  sizes: NdArray<Int32Array> | null;
  /**
   * [0 … longest] the same by Poisson's law
   */
  sizes_by_chance: NdArray<Float32Array> | null;
  /**
   * Σ (count − mean)² / mean
   */
  chi_squared: number | null;
  /**
   * buckets − 1: what chance makes of chi-squared on average
   */
  freedom: number | null;
  /**
   * [bits of a key × bits of a bucket's number] share of flips
   */
  avalanche: NdArray<Float32Array> | null;
  index_bits: number | null;
  avalanche_mean: number | null;
  /**
   * Keys that the attacker tried.
   */
  tried: number | null;
  /**
   * [buckets] the attacker's keys, by the function that was attacked
   */
  attack_counts: NdArray<Int32Array> | null;
  attack_longest: number | null;
  /**
   * [buckets] the same keys, by the first of the fresh universal functions
   */
  fresh_counts: NdArray<Int32Array> | null;
  /**
   * [draws] the fullest bucket under each
   */
  fresh_longest: NdArray<Int32Array> | null;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.function": [
    "division",
    "division_prime",
    "multiplication",
    "universal",
    "fnv1a",
    "murmur3",
    "splitmix64",
    "cpython",
  ],
  "Params.pattern": [
    "random",
    "sequential",
    "reversed",
    "multiples",
    "pages",
    "powers",
    "clustered",
    "words",
    "against_division",
    "against_multiplication",
  ],
  "Params.buckets": [64, 128, 256, 512],
  "Picture.stage": ["fill", "sizes", "avalanche", "attack", "fresh"],
} as const;
