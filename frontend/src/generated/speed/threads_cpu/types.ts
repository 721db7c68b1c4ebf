// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Ways;
}
export interface Params {
  workers: number;
  /**
   * How long a thread waits before it asks for the GIL.
   */
  interval: 1 | 5 | 20 | 100;
  /**
   * Before the workers start.
   */
  alone: number;
  /**
   * Rows of points, and points in each row.
   */
  radius: number;
}
/**
 * One more way is measured.
 */
export interface Ways {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "ways";
  /**
   * The way that was just measured.
   */
  stage: string;
  workers: number;
  /**
   * That this run may use.
   */
  cores: number;
  python: string;
  /**
   * Whether this Python has one.
   */
  gil: boolean;
  /**
   * Whether a CPython without a GIL was found on this machine.
   */
  free: boolean;
  ways: Measured[];
  /**
   * Of the ways, in their order.
   */
  names: string[];
  /**
   * Points of one circle; all ways have counted the same.
   */
  points: number;
}
/**
 * One way of doing the work.
 */
export interface Measured {
  name: string;
  repeated: number;
  one: number;
  many: number;
  speedup: number;
  serial: number;
  promised: number;
  together: number;
  handovers: number;
  worker: NdArray<Int32Array>;
  begin: NdArray<Float32Array>;
  end: NdArray<Float32Array>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.interval": [1, 5, 20, 100] } as const;
