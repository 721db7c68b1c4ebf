// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Orders;
}
export interface Params {
  /**
   * 512 and 1,024 are the worst: try 500.
   */
  n: number;
  /**
   * Left empty after each row.
   */
  padding: number;
  repetitions: number;
}
/**
 * One more order of the loops.
 */
export interface Orders {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "orders";
  /**
   * The order that was followed just now; "all" at the end.
   */
  stage: string;
  orders: string[];
  /**
   * [orders, 3] misses for each multiply-add by the model, of A, B and C; NaN where not followed yet
   */
  expected: NdArray<Float32Array, ["order", "matrix"]>;
  /**
   * [orders] misses for each multiply-add that the processor counted; NaN where it did not
   */
  counted: NdArray<Float32Array, ["order"]>;
  /**
   * Why nothing is counted; empty where it is
   */
  refused: string;
  /**
   * [orders, 3] nanoseconds of a multiply-add: one, two and three quarters of the repetitions took no longer
   */
  took: NdArray<Float32Array, ["order", "quartile"]>;
  /**
   * bytes of a line of the first cache
   */
  line: number;
  sets: number;
  ways: number;
  n: number;
  padding: number;
  /**
   * How often the outermost loop goes round, of n
   */
  passes: number;
  repetitions: number;
}

export type Event = Lab["event"];
