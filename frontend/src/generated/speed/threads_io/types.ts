// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  way: "all" | "one after another" | "thread pool" | "processes" | "asyncio";
  /**
   * A thread or process reuses the connection it has.
   */
  kept: boolean;
  /**
   * Of the answers, in milliseconds.
   */
  delays: string;
  workers: number;
  /**
   * To the server and back: its distance.
   */
  round_trip: number;
  /**
   * Its handshake takes one round trip in 1.3, two in 1.2.
   */
  tls: "1.3" | "1.2" | "none";
}
/**
 * The requests that are done in one way and in the ways before it, and what these came to.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "on its way" | "done";
  way: string;
  /**
   * Since the first request of this way began.
   */
  seconds: number;
  /**
   * Where the axis ends, in seconds, for all ways alike.
   */
  horizon: number;
  /**
   * [all requests] milliseconds
   */
  delays: NdArray<Int32Array>;
  /**
   * The ways of the run.
   */
  all: string[];
  /**
   * [all] how many may wait at once
   */
  lanes: NdArray<Int32Array>;
  /**
   * The ways that have begun, with this one at the end.
   */
  named: string[];
  /**
   * [done] in which of the ways that have begun
   */
  by: NdArray<Int32Array>;
  /**
   * [done] which
   */
  request: NdArray<Int32Array>;
  /**
   * [done] by whom, counted from 0
   */
  worker: NdArray<Int32Array>;
  /**
   * [done] seconds since its way began
   */
  begin: NdArray<Float32Array>;
  /**
   * [done] seconds, when it had a connection
   */
  connected: NdArray<Float32Array>;
  /**
   * [done] seconds, when the TLS handshake was over
   */
  shaken: NdArray<Float32Array>;
  /**
   * [done] seconds, when its answer began
   */
  first: NdArray<Float32Array>;
  /**
   * [done] seconds, when it had all of it
   */
  end: NdArray<Float32Array>;
  /**
   * Those that are done.
   */
  ways: string[];
  /**
   * [ways] seconds from the start to the last answer
   */
  wall: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] seconds that it should take
   */
  model: NdArray<Float32Array, ["way"]>;
  /**
   * [ways that have begun, 4] seconds that the requests that are done took for each part, all of them together
   */
  spent: NdArray<Float32Array, ["way", "part"]>;
  /**
   * [ways] seconds spent on connections and handshakes, over all requests
   */
  shaking: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] seconds that the server was told to wait, over all requests
   */
  waiting: NdArray<Float32Array, ["way"]>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.way": ["all", "one after another", "thread pool", "processes", "asyncio"],
  "Params.tls": ["1.3", "1.2", "none"],
  "Picture.stage": ["on its way", "done"],
} as const;
