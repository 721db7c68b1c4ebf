// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Real;
}
export interface Params {
  threads: number;
  /**
   * In each repetition.
   */
  milliseconds: number;
  repetitions: number;
}
/**
 * One more way is measured, or the store buffers are.
 */
export interface Real {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "real";
  stage: "adding" | "store buffers" | "with a fence";
  threads: number;
  /**
   * That this run may use.
   */
  cores: number;
  ways: Way[];
  /**
   * Of the ways, in their order.
   */
  names: string[];
  /**
   * [4] how often two threads read 0 and 0, 0 and 1, 1 and 0, 1 and 1; empty before it is counted
   */
  buffered: NdArray<Int32Array>;
  /**
   * [4] the same with a fence between the write and the read
   */
  fenced: NdArray<Int32Array>;
}
/**
 * One way of adding one, measured.
 */
export interface Way {
  name: string;
  made: number;
  left: number;
  lost: number;
  one: number;
  nanoseconds: number;
  low: number;
  high: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Real.stage": ["adding", "store buffers", "with a fence"] } as const;
