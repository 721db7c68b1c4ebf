// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Clocks;
}
export interface Params {
  n: number;
  /**
   * The queue holds 1,024 launches.
   */
  calls: number;
  launch: number;
  rate: number;
}
/**
 * What host and GPU did, in seconds from the start, and what the clocks say.
 */
export interface Clocks {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "clocks";
  /**
   * The clock that is read in this picture.
   */
  stage: string;
  /**
   * Whether a GPU did it; else it was computed for the imagined one.
   */
  measured: boolean;
  n: number;
  calls: number;
  /**
   * Products that have ended when the clock is read last.
   */
  done: number;
  /**
   * [spans, 2] from when to when the host was busy
   */
  host: NdArray<Float32Array, ["span", "end"]>;
  /**
   * [spans] launch, wait, copy or load
   */
  doing: string[];
  /**
   * [spans, 2] from when to when the GPU was busy
   */
  device: NdArray<Float32Array, ["span", "end"]>;
  /**
   * [spans] product or copy
   */
  working: string[];
  /**
   * [2] when the clock was read first and last
   */
  read: NdArray<Float32Array>;
  names: string[];
  /**
   * [sizes] rows and columns
   */
  sizes: NdArray<Int32Array>;
  /**
   * [clocks, sizes] seconds that a clock gives for one product; NaN where not known yet
   */
  says: NdArray<Float32Array, ["clock", "size"]>;
  /**
   * Whose times these are.
   */
  gpu: string;
}

export type Event = Lab["event"];
