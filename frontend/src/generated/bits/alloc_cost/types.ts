// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Cost;
}
export interface Params {
  repetitions: number;
  /**
   * A page that was never written does not exist yet: the first write makes it.
   */
  touch: "one byte" | "every page";
  /**
   * From here on a block gets pages of its own; glibc starts at 128 KiB and may raise it.
   */
  threshold: "stays" | "adapts";
}
/**
 * One more size of one more way is measured.
 */
export interface Cost {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "cost";
  /**
   * The way that is being measured.
   */
  stage: string;
  /**
   * [sizes] bytes
   */
  sizes: NdArray<Int32Array>;
  ways: string[];
  /**
   * [ways, sizes] nanoseconds for one allocation and its end; NaN where not yet measured
   */
  median: NdArray<Float32Array, ["way", "size"]>;
  /**
   * [ways, sizes] a quarter of the repetitions took less
   */
  low: NdArray<Float32Array, ["way", "size"]>;
  /**
   * [ways, sizes] a quarter took more
   */
  high: NdArray<Float32Array, ["way", "size"]>;
  /**
   * [ways, sizes] allocations in each repetition; 0 where not yet measured
   */
  rounds: NdArray<Int32Array, ["way", "size"]>;
  repetitions: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.touch": ["one byte", "every page"],
  "Params.threshold": ["stays", "adapts"],
} as const;
