// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Factors;
}
export interface Params {
  /**
   * Vectors need compiled code; the rest may come in any order.
   */
  order: "C, loop order, vectors" | "C, vectors, loop order" | "loop order, C, vectors";
  /**
   * At 50, all three matrices fit in the first cache.
   */
  n: number;
  threads: number;
  repetitions: number;
  seed: number;
  /**
   * As if 3 times and then 2 times were 5 times.
   */
  added: boolean;
}
/**
 * One more way is measured, and with it perhaps one more factor is known.
 */
export interface Factors {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "factors";
  /**
   * The way that was measured just now; at the end, orders.
   */
  stage: string;
  names: string[];
  /**
   * [ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured
   */
  speed: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways] of the peak of all threads that it used
   */
  share: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] threads that it used
   */
  cores: number[];
  /**
   * [ways] median for one product of all rows, computed from those that were multiplied
   */
  seconds: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] largest difference from the product in float64, as a share of its largest number
   */
  error: NdArray<Float32Array, ["way"]>;
  /**
   * The ways that are gone through, from the first to the last.
   */
  path: number[];
  /**
   * [path - 1] what is changed between one and the next
   */
  changes: ("C" | "loop order" | "vectors" | "registers" | "packing" | "threads")[];
  /**
   * [changes, 3] how many times faster: between the near quarters of the repetitions, medians, the far ones
   */
  factor: NdArray<Float32Array, ["change", "quartile"]>;
  /**
   * All factors multiplied; None until all are known
   */
  total: number | null;
  /**
   * All factors added up, where that mistake is made; else None
   */
  promised: number | null;
  /**
   * How many times faster than the first way NumPy is
   */
  library: number | null;
  orders: string[];
  /**
   * [orders, 3] what C, the order of the loops and vectors are worth when they are changed in that order
   */
  compared: NdArray<Float32Array, ["order", "change"]>;
  /**
   * GFLOP/s of multiply-adds in registers on one thread, the best so far
   */
  peak: number;
  n: number;
  repetitions: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.order": ["C, loop order, vectors", "C, vectors, loop order", "loop order, C, vectors"],
  "Factors.changes": ["C", "loop order", "vectors", "registers", "packing", "threads"],
} as const;
