// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Clocked;
}
export interface Params {
  /**
   * ikj is plain C, packed our fastest kernel.
   */
  way: "NumPy" | "packed" | "ikj";
  n: number;
  /**
   * For NumPy; the others use one.
   */
  threads: number;
  repetitions: number;
  of: 1 | 3 | 7 | 15 | 31;
  says: "median" | "least" | "mean";
}
/**
 * More repetitions are clocked, in the order in which they were made.
 */
export interface Clocked {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "clocked";
  stage: "the first" | "more" | "reports";
  /**
   * [repetitions so far]
   */
  milliseconds: NdArray<Float32Array>;
  /**
   * Milliseconds of the very first.
   */
  first: number;
  /**
   * Milliseconds, of all so far.
   */
  median: number;
  /**
   * [reports] milliseconds; what each report of the chosen size would say
   */
  reports: NdArray<Float32Array>;
  /**
   * [sum of counts] milliseconds; what each report says, size after size
   */
  all_reports: NdArray<Float32Array>;
  /**
   * [sizes] reports of each size
   */
  counts: NdArray<Int32Array, ["size"]>;
  of: number;
  /**
   * Repetitions that the run makes.
   */
  total: number;
  /**
   * Repetitions in a report.
   */
  sizes: NdArray<Int32Array>;
  /**
   * [sizes] the highest report over the lowest; NaN where there are not yet two
   */
  ratio: NdArray<Float32Array, ["size"]>;
  /**
   * [sizes] share of pairs of reports that differ by more than a tenth; NaN where there is no pair
   */
  apart: NdArray<Float32Array, ["size"]>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.way": ["NumPy", "packed", "ikj"],
  "Params.of": [1, 3, 7, 15, 31],
  "Params.says": ["median", "least", "mean"],
  "Clocked.stage": ["the first", "more", "reports"],
} as const;
