// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Raced;
}
export interface Params {
  threads: number;
  /**
   * By each thread, of one each time.
   */
  thousands: number;
  /**
   * In each, two threads write 1 and read what the other has written.
   */
  turns: number;
  repetitions: number;
}
/**
 * One more way of adding is measured, or one more of writing and reading.
 */
export interface Raced {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "raced";
  /**
   * What was measured just now; empty before the first
   */
  stage: string;
  ways: string[];
  /**
   * By all threads in all repetitions of a way
   */
  added: number;
  /**
   * [ways] additions that the counter does not have in the end; -1 where not yet measured
   */
  lost: NdArray<Int32Array, ["way"]>;
  /**
   * [ways, 3] ns of an addition, all threads together: quartiles over the repetitions, or NaN
   */
  took: NdArray<Float32Array, ["way", "quartile"]>;
  fences: string[];
  /**
   * [fences, 2, 2] turns in which the two threads read that; -1 where not yet measured
   */
  outcomes: NdArray<Int32Array, ["fence", "first", "second"]>;
  turns: number;
}

export type Event = Lab["event"];
