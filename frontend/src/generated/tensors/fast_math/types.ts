// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Pair | Process;
}
export interface Params {
  /**
   * How many each loop reads.
   */
  count: number;
  repetitions: number;
  seed: number;
}
/**
 * One loop without and with a flag that changes its code or its results.
 */
export interface Pair {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "pair";
  stage: string;
  flag: string;
  /**
   * The loop in C
   */
  source: string;
  loops: string[];
  flags: string[];
  /**
   * [loops, flags] not yet known, the same code, other code and the same results, other results: 0 to 3
   */
  found: NdArray<Uint8Array, ["loop", "flag"]>;
  /**
   * [loops, flags] how many times as fast with the flag, by medians; NaN where nothing changed
   */
  speed: NdArray<Float32Array, ["loop", "flag"]>;
  /**
   * Results with other bits
   */
  changed: number;
  /**
   * [2] the worst result, in units of the last place
   */
  error: NdArray<Float32Array, ["side"]>;
  /**
   * [2, 3] nanoseconds for a number
   */
  time: NdArray<Float32Array, ["side", "quartile"]>;
  /**
   * Of this loop
   */
  results: number;
  /**
   * Its assembly
   */
  without: string[];
  /**
   * Its assembly with the flag
   */
  with_flag: string[];
  /**
   * [lines without, then lines with] 1 for an instruction that the other has none of
   */
  fresh: NdArray<Uint8Array>;
  /**
   * What it reads, its result without and with the flag, and the exact one
   */
  example: string[];
  /**
   * What else it does, without and with the flag: errno, exceptions
   */
  beside: string[];
}
/**
 * The same Python before and after somebody has switched denormals off; and what all pairs came to.
 */
export interface Process {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "process";
  stage: string;
  lines: string[];
  before: string[];
  after: string[];
  loops: string[];
  flags: string[];
  /**
   * [loops, flags] results with other bits
   */
  all_changed: NdArray<Int32Array, ["loop", "flag"]>;
  /**
   * [loops, flags, 2] the worst result, in units of the last place
   */
  all_errors: NdArray<Float32Array, ["loop", "flag", "side"]>;
}

export type Event = Lab["event"];
