// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Sums;
}
export interface Params {
  /**
   * Numbers have 4 bytes; 16 of them fill a cache line.
   */
  moved: number;
  repetitions: number;
}
/**
 * One more loop is measured on one more size.
 */
export interface Sums {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "sums";
  /**
   * The loop that was measured just now; empty before the first.
   */
  stage: string;
  /**
   * On arrays of this size
   */
  size: string;
  ways: string[];
  /**
   * Of one of the three arrays
   */
  sizes: string[];
  /**
   * [sizes, ways, 2, 3] GB/s: at the beginning of a line and moved; what three, two and one quarter of the
   * repetitions reached; NaN where not yet measured
   */
  speed: NdArray<Float32Array, ["size", "way", "start", "quartile"]>;
  /**
   * Bytes
   */
  vector: number;
  /**
   * Bytes
   */
  line: number;
  /**
   * Bytes
   */
  moved: number;
}

export type Event = Lab["event"];
